import { decidersText } from '../tool/deciders-text.ts'
import { describeRequest } from '../review/describe-request.ts'
import type { InboxItem } from '../review/inbox.ts'
import { allRules, type DeciderRule, type ReviewVote } from '../tool/deciders.ts'
import type { ReviewDecision, Reviewed, ReviewRequest } from '../tool/review.ts'
import { printable } from '../tool/printable.ts'
import { textOf } from '../tool/result/text-of.ts'
import { nameWithTenant } from '../tool/tenants.ts'
import { ago } from './ago.ts'

/** A request in full: what it asks for, and what has become of it. Safe on a terminal. */
export function describeItem(item: InboxItem): string {
  return `${describeRequest(item.request).trimStart()}${factsOf(item)}`
}

function factsOf({ request, status, run, assignee, requestedAt, expiresAt, decision, ballot }: InboxItem): string {
  const { answerSchema, onTimeout } = request
  const votes = decision?.votes ?? ballot?.votes ?? []
  const reason = decision !== undefined && 'reason' in decision ? decision.reason : decision?.note
  const decided =
    decision === undefined
      ? ''
      : ` (${DONE[decision.action]}${decision.by === undefined ? '' : ` by ${decidersText(decision)}`}${reason === undefined ? '' : `: ${reason}`})`
  const facts: Readonly<Record<string, string | undefined>> = {
    request: request.id,
    status: `${status}${decided}`,
    run,
    asked: `${new Date(requestedAt).toISOString()} (${ago(requestedAt)})`,
    assignee,
    needs: needsText(request),
    votes: votes.length === 0 ? undefined : votes.map(voteText).join(', '),
    edited: ballot?.edit === undefined ? undefined : `edition ${ballot.edition}: ${textOf(ballot.input)}`,
    ...(decision === undefined ? {} : typedIn(decision)),
    expires: expiresAt === undefined ? undefined : `${ago(expiresAt)}, then: ${onTimeout}`,
    answer: answerSchema === undefined ? undefined : textOf(answerSchema),
  }
  return Object.entries(facts)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name.padEnd(9)} ${printable(value)}`]))
    .join('\n')
}

function whoText({ by = 'somebody', tenant, identity }: Reviewed): string {
  return identity === 'claimed' ? `${by} (claimed)` : nameWithTenant(by, { tenant })
}

const DONE: Readonly<Record<ReviewDecision['action'], string>> = {
  continue: 'approved',
  edit: 'edited',
  answer: 'answered',
  reject: 'rejected',
  stop: 'stopped',
}

/** What a person typed to decide it, as `answered` or `edited`. */
function typedIn(decision: ReviewDecision): Readonly<Record<string, string>> {
  if (decision.action === 'answer') return { answered: textOf(decision.value) }
  if (decision.action !== 'edit') return {}
  return { edited: 'patch' in decision ? `by the patch ${textOf(decision.patch)}` : textOf(decision.input) }
}

function voteText({ action, edition, at, value, ...who }: ReviewVote): string {
  const answer = action === 'answer' ? ` ${textOf(value)}` : ''
  return `${DONE[action]}${answer} by ${whoText(who)} at ${new Date(at).toISOString()}${edition === 0 ? '' : `, edition ${edition}`}`
}

function needsText({ kind, deciders }: ReviewRequest): string | undefined {
  return deciders === undefined
    ? undefined
    : allRules(deciders)
        .map((rule) => ruleText(rule, kind))
        .join('; and ')
}

/** `2 approvals, not of the caller, of ada, bob, with review:refund` */
function ruleText({ count, of, excludeRequester, permissions }: DeciderRule, kind: ReviewRequest['kind']): string {
  const [one, several] = kind === 'question' ? ['one answer', 'equal answers'] : ['one approval', 'approvals']
  const who = of === undefined ? [] : [typeof of === 'string' ? `with ${of}` : `of ${of.join(', ')}`]
  return [
    count === 1 ? one : `${count} ${several}`,
    ...(excludeRequester === true ? ['not of the caller'] : []),
    ...who,
    ...(permissions === undefined ? [] : [`with ${permissions.join(' or ')}`]),
  ].join(', ')
}
