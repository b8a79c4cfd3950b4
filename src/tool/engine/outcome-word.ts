import { isRecord, type JsonSchema } from '../../schema/json-schema.ts'
import { type DeciderRule, permissionsFor } from '../deciders.ts'
import { isToolError } from '../errors/tool-error.ts'
import { decode, type JsonData } from '../journal/codec.ts'
import { KEPT_INPUT, readKeptInput } from '../journal/kept-input.ts'
import { hashOf } from '../journal/hash.ts'
import type { Journal } from '../journal/journal.ts'
import { mayRepeat } from '../metadata.ts'
import { outcomeLabel, type OutcomeWord } from '../outcome-question.ts'
import { withIssue } from '../result/amendments.ts'
import type { FailureDetails } from '../result/result.ts'
import type { SettledResult } from '../result/settled.ts'
import type { ReviewDecision } from '../review.ts'
import { secretsIn } from '../secrets/mask.ts'
import { applyChange } from '../secrets/unmask.ts'
import type { Call } from './call.ts'
import { requestReview } from './request-review.ts'
import { cutError, settle, settleThrown } from './settle.ts'

interface Unknown {
  readonly attempt: number
  readonly error: FailureDetails
  /** The input of the step, as it is recorded. */
  readonly input: JsonData
}

/** The person has said that the step did not happen. */
export interface NotHappened {
  readonly by: string | undefined
}

/**
 * Whether a person is asked what happened: the journal says so, or they were asked before the run was taken up. Not about a tool that may be
 * repeated, and not where nobody waits for the answer any more.
 */
export function asksOutcome(call: Call, journal: Journal, { attempt, error }: Pick<Unknown, 'attempt' | 'error'>): boolean {
  // A run that waits elsewhere will say itself how it ended.
  if (error.outcome !== 'unknown' || error.pending !== undefined || mayRepeat(call.built) || error.code === 'journal_failed') return false
  const asked = journal.read(`${call.path}:${outcomeLabel(attempt)}`)
  if (journal.isClosed === true) return asked?.kind === 'review' && asked.decision !== undefined
  return asked !== undefined || (journal.asksOutcome === true && (call.scope.closed === undefined || isOwnTimeOver(call)))
}

/** Only the time of the step is over, and its caller goes on. A run of one step has the time of that step, unless it was given another. */
function isOwnTimeOver({ scope, parent, root }: Call): boolean {
  if (scope.closed?.kind !== 'deadline') return false
  return parent === undefined ? root.options.deadline === root.options.stepDeadline : parent.scope.closed === undefined
}

/**
 * The result of the step by the word of a person; undefined if there is no word: then its outcome stays unknown. A run that is cancelled meanwhile
 * waits no longer. Throws what is fatal.
 */
export async function askOutcome(call: Call, unknown: Unknown): Promise<SettledResult | NotHappened | undefined> {
  const isOver = call.scope.closed !== undefined
  if (isOver) call.outliveScope(Infinity)
  try {
    const decision = await requestReview(call, {
      label: outcomeLabel(unknown.attempt),
      kind: 'question',
      about: 'outcome',
      input: inputOf(call, unknown),
      why: `${call.maskText(unknown.error.message)} Did it take effect? Look where it would show, then settle the step: it happened, with its result, or it did not happen. Then it runs again.`,
      answerSchema: answerSchema(call),
      approvals: settlers(call),
    })
    const word = decision.action === 'answer' ? readWord(decision.value) : undefined
    if (word === undefined) return undefined
    if (word.happened) return await settledBy(call, word.value, decision)
    // The next attempt has the usual time of a step.
    if (isOver) call.outliveScope(call.behaviour.deadlineMs ?? call.root.stepDeadlineMs ?? Infinity)
    return { by: decision.by }
  } catch (thrown) {
    if (!isToolError(thrown)) throw thrown
    const { closed } = call.scope
    if (closed === undefined) return undefined
    return settleThrown(call, cutError(closed, `'${call.tool}' was waiting for a person who knows whether it took effect`, 'unknown'), true)
  }
}

/**
 * Who may say it. Where people had to approve the step, or a call around it, their word is worth no more than that approval: "it did not happen" runs
 * it again, and "it happened" makes up its result. So the rules of all these approvals hold, beside that of the tool itself.
 */
function settlers(call: Call): DeciderRule | undefined {
  const rules = new Map<string, DeciderRule>()
  for (let each: Call | undefined = call; each !== undefined; each = each.parent)
    for (const rule of each.rare?.approvedUnder ?? []) rules.set(hashOf(rule), rule)
  if (call.root.options.reviewers !== undefined) {
    const permissions = permissionsFor('review', call.tool, call.built.tags)
    const isSame = (rule: DeciderRule): boolean => rule.permissions?.join() === permissions.join()
    if (![...rules.values()].some(isSame)) rules.set('', { count: 1, permissions })
  }
  const [first, ...also] = rules.values()
  return first === undefined || also.length === 0 ? first : { ...first, also }
}

/** The input that ran: an edit by the reviewer of the step is a record of its own. */
function inputOf({ path, journal }: Call, { input }: Unknown): unknown {
  const entry = journal?.read(`${path}${KEPT_INPUT}`)
  const kept = entry?.kind === 'decision' ? readKeptInput(decode(entry.value)) : undefined
  const original = kept === undefined ? decode(input) : kept.input
  const approval = journal?.read(`${path}:approval`)
  if (approval?.kind !== 'review' || approval.decision?.action !== 'edit') return original
  return applyChange(approval.decision, { original, shown: approval.request.input })
}

/** The value must be one that the tool could have returned. */
function answerSchema({ behaviour }: Call): JsonSchema {
  const { output } = behaviour
  const happened = (is: boolean): JsonSchema => ({ type: 'boolean', const: is })
  return {
    anyOf: [
      {
        type: 'object',
        properties: { happened: happened(true), value: output?.input ?? {} },
        required: output === undefined ? ['happened'] : ['happened', 'value'],
        additionalProperties: false,
      },
      { type: 'object', properties: { happened: happened(false) }, required: ['happened'], additionalProperties: false },
    ],
  }
}

function readWord(value: unknown): OutcomeWord | undefined {
  if (!isRecord(value) || typeof value['happened'] !== 'boolean') return undefined
  return value['happened'] ? { happened: true, value: value['value'] } : { happened: false }
}

async function settledBy(call: Call, value: unknown, { by }: ReviewDecision): Promise<SettledResult> {
  // The value may go anywhere in the run, so that its secrets are masked in all of it.
  call.root.hideInLogs(secretsIn(value, call.behaviour.output?.input ?? {}))
  const result = await settle(call, value)
  return result.ok
    ? withIssue(result, { severity: 'info', message: `${by ?? 'A person'} has said that it took effect, and with which result.` })
    : result
}
