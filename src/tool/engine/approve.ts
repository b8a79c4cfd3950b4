import { ToolError } from '../errors/tool-error.ts'
import { logView } from '../secrets/mask.ts'
import { applyChange } from '../secrets/unmask.ts'
import { textOf } from '../result/text-of.ts'
import { authorize } from './authorize.ts'
import type { Call } from './call.ts'
import { noteValidated } from './call-view.ts'
import { markEdited } from './edited-calls.ts'
import { foresee, type ForeseenWhole, isSameSight, madeOf } from './foresee.ts'
import type { ForeseenPart } from './foreseen-parts.ts'
import { judge } from './judge.ts'
import { notApproved } from './not-approved.ts'
import { bindingOf, requestReview } from './request-review.ts'
import { areSeen } from './seen-parts.ts'
import { underWay } from './under-way.ts'

/** The label of the first request of a call. */
const APPROVAL = 'approval'

/** Where the first request of the call at this path is recorded. */
export function approvalPath(path: string): string {
  return `${path}:${APPROVAL}`
}

/** What a person is asked about. */
interface Asked {
  readonly foreseen: ForeseenWhole
  readonly why: string
  /** The first request of the call, or one about an edited input. */
  readonly round: number
}

/** Asks a person, and returns the input to run with. Throws a ToolError if it is not approved. */
export function approve(call: Call, foreseen: ForeseenWhole, why: string): Promise<unknown> {
  return ask(call, { foreseen, why, round: 1 })
}

async function ask(call: Call, { foreseen, why, round }: Asked): Promise<unknown> {
  const { behaviour } = call
  const rule = behaviour.approval
  const { taken: input, input: shown, parts } = foreseen
  const binding = bindingOfAll(call, { shown, input, parts })
  const isSeenAsItRuns = shown === input && parts.length === 0 && foreseen.made.length === 0
  const bound = isSeenAsItRuns ? { binding } : await madeOf(call, foreseen)
  const decision = await requestReview(call, {
    label: roundLabel(APPROVAL, round),
    kind: 'approval',
    input: shown,
    ...bound,
    ...(isSeenAsItRuns || (parts.length === 0 && foreseen.made.length === 0) ? {} : { foreseen }),
    why,
    risk: rule?.risk,
    onTimeout: rule?.onTimeout,
    timeoutMs: rule?.timeoutMs,
    inputSchema: behaviour.input.schema,
    ...(rule?.approvals === undefined ? {} : { approvals: rule.approvals }),
  })
  if (decision.action === 'continue') {
    if (bindingOfAll(call, { shown, input, parts }) !== binding) throw changedMeanwhile(call)
    // The caller may have lost a permission while a person was waited for.
    authorize(call)
    call.root.approveParts(call.path, parts)
    if (isSeenAsItRuns && behaviour.passesOn === true) call.lazily.passedOn = { input }
    // The tool inside validates again: of the shown input it makes the same one, while a default may be another one each time.
    return behaviour.forwardsInput ? shown : input
  }
  if (decision.action === 'edit') {
    return runEdited(call, applyChange(decision, { original: shown, shown: call.lazily.shown }), { foreseen, why, round })
  }
  throw notApproved(decision, { subject: textOf(logView(shown, behaviour.input.schema, call.secrets)), outcome: 'not_started' })
}

interface Bound {
  readonly shown: unknown
  readonly input: unknown
  readonly parts: readonly ForeseenPart[]
}

/** The input that was shown, the one that would run, where they are not the same, and those of parts that get others. */
function bindingOfAll(call: Call, { shown, input, parts }: Bound): string {
  const all = [shown, ...(shown === input ? [] : [input]), ...parts.map((part) => part.input)]
  return all.map((each) => bindingOf(call, each)).join('\n')
}

/**
 * An approval, or a verdict, is valid only for the input that was judged. Nobody else holds that input, but it may contain instances of
 * classes, which cannot be copied.
 */
export function changedMeanwhile(call: Call): ToolError {
  return new ToolError(`The input of tool '${call.tool}' was changed while it was being judged.`, {
    code: 'rejected',
    outcome: 'not_started',
  })
}

/** So often an input may be edited: a handler that edits whatever it is shown would never end. */
const MOST_ROUNDS = 20

/**
 * The input of the reviewer is validated and checked by the policy like any other. The edit is the approval of exactly this input. It is an
 * edit of the view that was shown, in which names may be masked too. Where its parts
 * make something of it that the reviewer has neither written nor seen, they are asked again.
 */
async function runEdited(call: Call, edited: unknown, { foreseen: before, why, round }: Asked): Promise<unknown> {
  const { behaviour, root, path } = call
  call.raiseGeneration()
  markEdited(call)
  root.approveParts(path, [])
  call.given = edited
  const parsed = await underWay(call, async () => behaviour.input.accept(edited, call.tool))
  noteValidated(call, parsed)
  authorize(call)
  await judge(call, parsed, roundLabel('policy_after_edit', round))
  const foreseen = await foresee(call, { given: edited, input: parsed }, round + 1)
  if (!isSameSight(foreseen, before) && !areSeen(foreseen, edited, before)) {
    if (round === MOST_ROUNDS) throw editedTooOften(call)
    return ask(call, { foreseen, why: round === 1 ? `${EDITED} ${why}` : why, round: round + 1 })
  }
  root.approveParts(path, foreseen.parts)
  return behaviour.forwardsInput ? foreseen.input : foreseen.taken
}

const EDITED = 'The input was edited. This is what its parts make of it.'

function editedTooOften(call: Call): ToolError {
  return new ToolError(
    `The input of tool '${call.tool}' was edited ${MOST_ROUNDS} times, and each time its parts made something else of it.`,
    {
      code: 'rejected',
      hint: 'Approve the input as its parts make it, or reject the call.',
      outcome: 'not_started',
    },
  )
}

function roundLabel(label: string, round: number): string {
  return round === 1 ? label : `${label}#${round}`
}
