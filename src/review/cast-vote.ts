import { frozen } from '../schema/frozen.ts'
import { privateCopy } from '../schema/private-copy.ts'
import {
  allRules,
  type Deciding,
  type Identified,
  isSamePrincipal,
  objection,
  objectionToTenant,
  recordOf,
  type Reviewers,
  ruleOf,
  type ReviewVote,
  voterOf,
} from '../tool/deciders.ts'
import { missingPermissions } from '../tool/principal.ts'
import type { ReviewDecision } from '../tool/review.ts'
import type { Ballot, Cast } from './ballot.ts'
import { castAnswer, needsSeveral } from './cast-answer.ts'
import { nextEdit, shownEdition } from './edition-input.ts'
import { InboxError, misfit } from './inbox-error.ts'
import type { InboxItem, InputChange } from './inbox.ts'

export interface Vote {
  /** What is decided. Who decides is taken from `decider`. */
  readonly decision: ReviewDecision
  readonly decider: Identified | undefined
  /** The edition that the decider has seen. */
  readonly edition?: number | undefined
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly reviewers: Reviewers | undefined
}

/** Counts a vote on an open request. Throws an `InboxError` where it does not count; the request then stays open. */
export function castVote(item: InboxItem, { decision, decider, edition = 0, at, reviewers }: Vote): Cast {
  const { request } = item
  const rule = ruleOf(request, reviewers)
  const refused = misfit(request, decision)
  if (refused !== undefined) throw refused
  checkTenant(item, decider, reviewers)
  const rules = rulesFor(item, { rule, decider, action: decision.action })
  if (decision.action === 'answer' && decider !== undefined && rule !== undefined && needsSeveral(rule))
    return castAnswer(item, { decision, decider, at, rule, rules })
  const ballot: Ballot = { edition: 0, votes: [], ...item.ballot }
  const by = recordOf(decider)
  const isApproval = decision.action === 'continue' || decision.action === 'edit'
  if (!isApproval || rule === undefined || rule.count <= 1 || decider === undefined)
    return { decision: { ...privateCopy(decision), ...by, ...(ballot.votes.length === 0 ? {} : { votes: ballot.votes }) } }
  checkEdition(item, ballot, edition)
  if (decision.action === 'edit') checkParts(item)
  if (decision.action === 'continue') checkVoter(item, ballot, voterOf(decider))
  const next = decision.action === 'edit' ? ballot.edition + 1 : ballot.edition
  const { action, note } = decision
  const vote: ReviewVote = {
    ...voterOf(decider),
    action,
    at,
    edition: next,
    ...(note === undefined ? {} : { note }),
  }
  const votes = [...ballot.votes, vote]
  // Others vote on this edit: neither the editor nor a reader of the ballot can change it any more.
  const edit = decision.action === 'edit' ? frozen(privateCopy(nextEdit(request, ballot.edit, changeIn(decision)))) : ballot.edit
  if (votes.filter((each) => each.edition === next).length < rule.count)
    return { ballot: frozen({ edition: next, ...(edit === undefined ? {} : { edit, input: shownEdition(request, edit) }), votes }) }
  const reviewed = { ...by, ...(note === undefined ? {} : { note }), votes }
  return { decision: edit === undefined ? { action: 'continue', ...reviewed } : { action: 'edit', ...edit, ...reviewed } }
}

function checkTenant({ request }: InboxItem, decider: Identified | undefined, reviewers: Reviewers | undefined): void {
  const foreign = objectionToTenant(request, decider, reviewers)
  if (foreign !== undefined) throw notPermitted(request.id, foreign)
}

/** The places of the rules that allow the decision. Throws where there are rules and none does. */
function rulesFor({ request, assignee }: InboxItem, deciding: Omit<Deciding, 'assignee'>): readonly number[] {
  const objections = allRules(deciding.rule).map((rule) => objection(request, { ...deciding, rule, assignee }))
  const [first] = objections.filter((each) => each !== undefined)
  const allowing = objections.flatMap((each, place) => (each === undefined ? [place] : []))
  if (first !== undefined && allowing.length === 0) throw notPermitted(request.id, first)
  return allowing
}

/** An approval or an edit is of the input that the decider has seen. */
function checkEdition({ request: { id } }: InboxItem, ballot: Ballot, edition: number): void {
  if (edition === ballot.edition) return
  const editor = ballot.votes.findLast((each) => each.action === 'edit')?.by
  const why =
    editor === undefined || edition > ballot.edition ? `has no edition ${edition} yet` : `was edited by ${editor} after edition ${edition}`
  throw new InboxError('edited', `The input of request '${id}' ${why}. Look at it again, and approve edition ${ballot.edition} or edit it.`)
}

/** Others would vote on an edit without knowing what the parts make of it: only the call knows that. */
function checkParts({ request: { id, parts } }: InboxItem): void {
  if (parts === undefined) return
  const names = [...new Set(parts.map(({ tool }) => `'${tool}'`))].join(', ')
  throw new InboxError(
    'invalid_answer',
    `The edit of request '${id}', which stays open, cannot be shown to those who must approve it too: ${names} would make something else of it. Reject the request, and let the tool be called with another input.`,
  )
}

/** Everybody has one approval. */
function checkVoter({ request: { id: request } }: InboxItem, ballot: Ballot, voter: Pick<ReviewVote, 'by' | 'tenant'>): void {
  if (ballot.votes.some((each) => each.edition === ballot.edition && isSamePrincipal(each, voter)))
    throw new InboxError('already_voted', `'${voter.by}' has approved request '${request}' already: somebody else must approve it too.`)
}

function changeIn(edit: Extract<ReviewDecision, { action: 'edit' }>): InputChange {
  return 'patch' in edit ? { patch: edit.patch } : { input: edit.input }
}

/** Throws where somebody may not say who is to decide. */
export function checkAssigner(item: InboxItem, decider: Identified | undefined, reviewers: Reviewers | undefined): void {
  const { request } = item
  checkTenant(item, decider, reviewers)
  const permissions = ruleOf(request, reviewers)?.permissions?.map((each) => each.replace(/^review:/, 'assign:'))
  if (permissions === undefined) return
  if (decider?.identity === 'authenticated' && permissions.some((each) => missingPermissions([each], decider).length === 0)) return
  const who =
    decider === undefined ? 'nobody was named' : `'${decider.id}' ${decider.identity === 'claimed' ? 'only claims the name' : 'lacks it'}`
  throw notPermitted(request.id, `It is assigned by those with the permission ${permissions.join(' or ')}, and ${who}.`)
}

function notPermitted(id: string, reason: string): InboxError {
  return new InboxError('not_permitted', `The decision on request '${id}' does not count, and the request stays open: ${reason}`)
}
