import { type AgentTool, identityOf } from '../../tool/agent-tool.ts'
import { durationText } from '../../tool/duration-text.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import type { Admission, BreakerRules, CallEnd, Pass, SharedBreaker } from '../../tool/ports/breaker-store.ts'
import type { SettledResult } from '../../tool/result/settled.ts'
import { detailsOf, failureOf } from '../../tool/seam/failures.ts'
import { callPart } from '../../tool/seam/parts.ts'
import { decideOnce } from '../../tool/seam/recorded.ts'
import { OnePart, type OnePartPlan } from '../../tool/seam/one-part.ts'
import { storeOf } from '../../tool/seam/store-of.ts'
import { inLine } from '../../tool/seam/waiting.ts'
import { Holding } from '../../tool/seam/holding.ts'
import { burstTick, isRecorded, keepInput, type Whole } from '../../tool/seam/whole.ts'
import { callEnd } from './call-end.ts'
import { memoryBreakers } from './memory-breakers.ts'

export const LABEL = 'guarded'

export interface BreakerPlan extends OnePartPlan<SharedBreaker, Pass> {
  readonly tool: AgentTool
  readonly key: string
  readonly rules: BreakerRules
}

const breakersOf = storeOf(({ breakers }) => breakers, memoryBreakers)

export function runBreaker(plan: BreakerPlan, input: unknown, whole: Whole): unknown {
  const { clock } = whole
  const breaker = breakersOf(whole).breaker(plan.key, plan.rules, clock.origin ?? clock)
  if (isRecorded(whole)) return runRecorded(plan, breaker, { whole, input: keepInput(whole) })
  const pass = breaker.enter()
  return pass === undefined
    ? runAdmitted(plan, breaker, { whole, input: keepInput(whole) })
    : new OnePart(whole, plan, breaker, pass).begin(input)
}

interface Held {
  readonly plan: BreakerPlan
  readonly breaker: SharedBreaker
  readonly pass: Pass
}

/** The end of a call that went on at once. */
export function guardedOver(run: OnePart<SharedBreaker, Pass>, result: SettledResult | undefined): boolean {
  const { call, plan, held, pass } = run
  const state = held.report(pass, result === undefined ? 'unheard' : callEnd(result), burstTick(call))
  if (state !== undefined) tellState(state, plan as BreakerPlan, call)
  return true
}

/** Listeners hear of the call by which the breaker opened or closed. */
function report({ plan, breaker, pass }: Held, end: CallEnd, whole: Whole): void {
  const state = breaker.report(pass, end, burstTick(whole))
  if (state !== undefined) tellState(state, plan, whole)
}

function tellState(state: 'open' | 'closed', { tool }: BreakerPlan, whole: Whole): void {
  whole.metric('tool_breaker_open', state === 'open' ? 1 : 0, { tool: identityOf(tool) })
}

interface Asked {
  readonly whole: Whole
  readonly input: unknown
}

/** The answer of the breaker, after a wait if calls under way must end first. */
function admissionOf(breaker: SharedBreaker, { whole }: Asked): Exclude<Admission, 'busy'> | Promise<Exclude<Admission, 'busy'>> {
  const admission = breaker.ask()
  if (admission !== 'busy') return admission
  return inLine(whole, {
    join: (answer) => breaker.wait(answer),
    giveBack: (late) => giveBack(breaker, late, whole),
    what: `'${whole.tool}' waited to see how earlier calls end`,
  })
}

function giveBack(breaker: SharedBreaker, admission: Exclude<Admission, 'busy'>, whole: Whole): void {
  if ('pass' in admission) breaker.report(admission.pass, 'unheard', burstTick(whole))
}

async function runAdmitted(plan: BreakerPlan, breaker: SharedBreaker, asked: Asked): Promise<SettledResult> {
  const admission = await admissionOf(breaker, asked)
  if (!('pass' in admission)) return refused(asked.whole, admission.openForMs)
  return callGuarded(plan, asked, holdingOf({ plan, breaker, pass: admission.pass }, asked.whole))
}

/** A run that leaves its process says nothing of the service: others must not wait for it. */
function holdingOf(held: Held, whole: Whole): Holding<CallEnd> {
  return new Holding(whole, (end = 'unheard') => report(held, end, whole))
}

/** The recorded answer is followed, whatever the breaker would say now. The end of a call that was admitted in an earlier segment is not counted. */
async function runRecorded(plan: BreakerPlan, breaker: SharedBreaker, asked: Asked): Promise<SettledResult> {
  const { whole } = asked
  let holding: Holding<CallEnd> | undefined
  let openForMs: number | null
  try {
    openForMs = await decideOnce(whole, '.open', async () => {
      const admission = await admissionOf(breaker, asked)
      if (!('pass' in admission)) return admission.openForMs
      // The record may never be written.
      holding = holdingOf({ plan, breaker, pass: admission.pass }, whole)
      return null
    })
  } catch (error) {
    holding?.release('unheard')
    throw error
  }
  return openForMs === null ? callGuarded(plan, asked, holding) : refused(whole, openForMs)
}

async function callGuarded({ tool }: BreakerPlan, { whole, input }: Asked, holding: Holding<CallEnd> | undefined): Promise<SettledResult> {
  let end: CallEnd = 'unheard'
  try {
    const result = await callPart(whole, { label: LABEL, tool, input, isUnique: true })
    end = callEnd(result)
    return result
  } finally {
    holding?.release(end)
  }
}

function refused(whole: Whole, openForMs: number): SettledResult {
  const retryAfterMs = Math.ceil(openForMs)
  const message = `Tool '${whole.tool}' has failed often, and is not called for another ${durationText(retryAfterMs)}.`
  return failureOf(whole, detailsOf(new ToolError(message, { code: 'circuit_open', outcome: 'not_started', retryAfterMs })))
}
