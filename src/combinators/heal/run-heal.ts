import type { Backoff } from '../../policies/backoff.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import { mayRepeat } from '../../tool/metadata.ts'
import { withAttempts, withError, withIssue } from '../../tool/result/amendments.ts'
import { failureData, failureDetails } from '../../tool/result/failure-details.ts'
import type { Attempt, FailureDetails, ResultIssue } from '../../tool/result/result.ts'
import type { SettledResult } from '../../tool/result/settled.ts'
import { isFinal, mayRetry, NOT_SAFE } from '../../tool/retry-rules.ts'
import { attempts } from '../../tool/seam/attempts.ts'
import { endOf, hasTakenEffect, type Part } from '../../tool/seam/parts.ts'
import { decideOnce } from '../../tool/seam/recorded.ts'
import { isApprovedAround, type Whole } from '../../tool/seam/whole.ts'
import { chooseRepair, hashed, type NamedRepairer, type RepairChoice, type StopReason } from './choose-repair.ts'

export const LABEL = 'healed'

export interface HealPlan {
  readonly tool: AgentTool
  readonly backoff: Backoff
  readonly repairers: readonly NamedRepairer[]
}

/** The state of one healing. */
interface Healing {
  readonly history: Attempt[]
  readonly tried: Set<string>
  readonly repairs: ResultIssue[]
  /** How many repaired inputs were refused as inputs again. */
  falseRepairs: number
  cost: number
}

interface Stop {
  readonly reason: StopReason | undefined
  readonly why: string
}

/** Calls the tool, again while that may help, and with a repaired input where its input is the reason. */
export async function runHeal(plan: HealPlan, given: unknown, whole: Whole): Promise<SettledResult> {
  const { tool, backoff } = plan
  const healing: Healing = { history: [], tried: new Set(), repairs: [], falseRepairs: 0, cost: 0 }
  const began = whole.clock.tick()
  let input = given
  for (;;) {
    healing.tried.add(hashed(input))
    const before = healing.history.length
    const {
      result: ended,
      fatal,
      parts,
    } = await attempts(whole, {
      ...{ label: LABEL, tool, input, before, generation: healing.repairs.length },
      backoff: { attempts: backoff.attempts, waitAfter: (number, failure, random) => backoff.waitAfter(before + number, failure, random) },
      mayRetry: (error) => !isFinal(error) && mayRetry(tool, error),
    })
    if (fatal !== undefined) throw fatal.thrown
    const result = accepted(ended, tool)
    // Nothing can be recorded, or the whole is being undone: a resumed run continues here.
    if (!result.ok && result.error.code === 'journal_failed') return result
    note(healing, { parts, tool, input, result })
    if (result.ok && healing.history.length === 1) return result
    if (!result.ok && healing.repairs.length > 0 && isAboutInput(result.error)) healing.falseRepairs++
    const next = result.ok ? undefined : await nextInput(plan, { input, error: result.error, part: parts.at(-1), healing }, whole)
    if (next?.kind === 'repaired') {
      input = next.input
      const repair = { severity: 'info', message: `The input was repaired. ${next.by}: ${next.why}` } as const
      healing.repairs.push(next.isTold === true ? { ...repair, told: true } : repair)
      healing.cost += next.cost
      continue
    }
    if (healing.history.length > 1)
      await decideOnce(whole, '.measured', () => (measure(whole, healing, { result, ms: whole.clock.tick() - began }), true))
    return told(result, healing, next)
  }
}

/** Sources that disagreed are not healed by the resolution of their conflict: the output counts as a failure. */
function accepted(result: SettledResult, { effect }: AgentTool): SettledResult {
  if (!result.ok || result.validation?.verdict !== 'conditional') return result
  const fields = (result.validation.conflicts ?? []).map(({ field }) => `'${field}'`)
  const error = new ToolError(`The sources disagree on ${fields.join(', ')}.`, { code: 'sources_disagree' })
  return result.refused({ ...failureDetails(error), outcome: effect === 'read' ? 'failed' : 'unknown' })
}

interface Ended {
  readonly parts: readonly Part[]
  readonly tool: AgentTool
  readonly input: unknown
  readonly result: SettledResult
}

/** Each attempt is kept with its input, its error and its time. */
function note({ history }: Healing, { parts, tool, input, result }: Ended): void {
  const ends = parts.length === 0 ? [result] : parts.map((part, index) => (index === parts.length - 1 ? result : (endOf(part) ?? result)))
  for (const end of ends) {
    const error = end.ok ? {} : { error: failureData(end.error) }
    history.push({ number: history.length + 1, tool: tool.name, at: end.provenance.timestamp, input, ...error })
  }
}

const HEALABLE: ReadonlySet<FailureDetails['class']> = new Set(['input_validation', 'semantic', 'not_found'])

function isAboutInput({ class: errorClass }: FailureDetails): boolean {
  return HEALABLE.has(errorClass)
}

interface Failed {
  readonly input: unknown
  readonly error: FailureDetails
  /** Undefined if it could not begin. */
  readonly part: Part | undefined
  readonly healing: Healing
}

/** The next input, or why there is none. Choices are recorded: a resumed run goes on with the same inputs. */
async function nextInput(
  { tool, backoff, repairers }: HealPlan,
  failed: Failed,
  whole: Whole,
): Promise<RepairChoice | (Stop & { readonly kind: 'ended' })> {
  const { input, error, part, healing } = failed
  const number = healing.history.length
  if (!isAboutInput(error)) {
    const isSpent = error.retryable && !isFinal(error) && number >= backoff.attempts
    const isUnsafe = error.retryable && error.outcome === 'unknown' && !mayRepeat(tool)
    return { kind: 'ended', reason: isSpent ? 'exhausted' : undefined, why: isUnsafe ? NOT_SAFE : '' }
  }
  // Another input has another key, so that not even a keyed tool would notice the repetition.
  const mayHaveActed = tool.effect !== 'read' && (error.outcome === 'unknown' || (part !== undefined && hasTakenEffect(part)))
  if (mayHaveActed) return { kind: 'ended', reason: undefined, why: NOT_SAFE }
  if (number >= backoff.attempts) return { kind: 'ended', reason: 'exhausted', why: '' }
  if (isApprovedAround(whole)) return { kind: 'ended', reason: 'no_alternative_params', why: APPROVED }
  const choice = await decideOnce(whole, `.repair.${number}`, () =>
    chooseRepair({ tool, repairers, input, error, tried: healing.tried }, whole),
  )
  if (choice.used !== null) whole.usage(choice.used)
  return choice
}

const APPROVED =
  'The gate around heal has passed the given input, so no other one was tried. Put the gate inside heal: then it sees the repaired input.'

/** The result says how it came about. */
function told(result: SettledResult, { history, repairs }: Healing, stop: RepairChoice | Stop | undefined): SettledResult {
  const reason = stop !== undefined && 'reason' in stop ? stop.reason : undefined
  const last = history.at(-1)
  const skipped: readonly Attempt[] =
    reason === undefined || last === undefined ? [] : [{ number: last.number + 1, tool: last.tool, at: last.at, skipped: reason }]
  let own = withAttempts(result, [...history, ...skipped])
  for (const repair of repairs) own = withIssue(own, repair)
  const why = stop?.why ?? ''
  if (why === '' && reason === undefined) return history.length === 1 ? result : own
  return withIssue(withReason(own, reason === 'exhausted' ? '' : why), {
    severity: 'warning',
    message: reason === undefined ? why : `Healing ended: ${reason}.${why === '' ? '' : ` ${why}`}`,
  })
}

/** The model that reads the failure can do better only if it knows why nothing else was tried. */
function withReason(result: SettledResult, why: string): SettledResult {
  if (result.ok || why === '') return result
  const message = why === NOT_SAFE ? why : `No other input was tried. ${why}`
  return withError(result, { ...result.error, message: `${result.error.message} ${message}` })
}

interface Measured {
  readonly result: SettledResult
  readonly ms: number
}

/** Attempts of calls that needed more than one; the time they took; and of repaired inputs whether they succeeded. */
function measure(whole: Whole, { history, repairs, falseRepairs, cost }: Healing, { result, ms }: Measured): void {
  const outcome = result.ok ? 'success' : 'failure'
  whole.metric('heal.attempts', history.length, { outcome })
  whole.metric('heal.duration_ms', ms, { outcome })
  if (repairs.length === 0) return
  whole.metric('heal.repair_success', result.ok ? 1 : 0)
  whole.metric('heal.repair_cost', cost)
  whole.metric('heal.false_repairs', falseRepairs)
}
