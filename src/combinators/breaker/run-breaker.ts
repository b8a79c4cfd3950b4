import type { AgentTool } from '../../tool/agent-tool.ts'
import { durationText } from '../../tool/duration-text.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import type { Admission, BreakerRules, BreakerStore, Pass, SharedBreaker } from '../../tool/ports/breaker-store.ts'
import type { SettledResult } from '../../tool/result/settled.ts'
import { detailsOf, failureOf } from '../../tool/seam/failures.ts'
import { callPart } from '../../tool/seam/parts.ts'
import { decideOnce } from '../../tool/seam/recorded.ts'
import { type KnownPart, Sequence } from '../../tool/seam/sequence.ts'
import { inLine } from '../../tool/seam/waiting.ts'
import { burstTick, isRecorded, keepInput, settingsOf, type Whole } from '../../tool/seam/whole.ts'
import { callEnd } from './call-end.ts'
import { memoryBreakers } from './memory-breakers.ts'

export const LABEL = 'guarded'

export interface BreakerPlan {
  readonly tool: AgentTool
  readonly part: KnownPart
  readonly key: string
  readonly rules: BreakerRules
}

const ofProcess = memoryBreakers()
const ofOverrides = new WeakMap<object, BreakerStore>()

export function runBreaker(plan: BreakerPlan, input: unknown, whole: Whole): unknown {
  const { clock } = whole
  const breaker = storeOf(whole).breaker(plan.key, plan.rules, clock.origin ?? clock)
  if (isRecorded(whole)) return runRecorded(plan, breaker, { whole, input: keepInput(whole) })
  const pass = breaker.enter()
  return pass === undefined
    ? runAdmitted(plan, breaker, { whole, input: keepInput(whole) })
    : new BreakerRun(whole, breaker, pass).begin(plan.part, input)
}

/** Failures of an override must not open the breaker of the real tool. */
function storeOf(whole: Whole): BreakerStore {
  const { stores, overrides } = settingsOf(whole)
  if (stores?.breakers !== undefined) return stores.breakers
  if (overrides === undefined) return ofProcess
  let store = ofOverrides.get(overrides)
  if (store === undefined) ofOverrides.set(overrides, (store = memoryBreakers()))
  return store
}

/** A call that goes on at once, without a promise of its own. */
class BreakerRun extends Sequence {
  readonly #breaker: SharedBreaker
  readonly #pass: Pass

  constructor(whole: Whole, breaker: SharedBreaker, pass: Pass) {
    super(whole)
    this.#breaker = breaker
    this.#pass = pass
  }

  begin(part: KnownPart, input: unknown): unknown {
    return this.startWith(part, input)
  }

  partEnded(result: SettledResult): void {
    this.#breaker.report(this.#pass, callEnd(result), burstTick(this.whole))
    this.end(result)
  }

  override partFailed(fatal: unknown): void {
    this.#breaker.report(this.#pass, 'unheard', burstTick(this.whole))
    super.partFailed(fatal)
  }
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
  return 'pass' in admission ? callGuarded(plan, asked, { breaker, pass: admission.pass }) : refused(asked.whole, admission.openForMs)
}

/** The recorded answer is followed, whatever the breaker would say now. The end of a call that was admitted in an earlier segment is not counted. */
async function runRecorded(plan: BreakerPlan, breaker: SharedBreaker, asked: Asked): Promise<SettledResult> {
  let admission: Exclude<Admission, 'busy'> | undefined
  let openForMs: number | null
  try {
    openForMs = await decideOnce(asked.whole, '.open', async () => {
      admission = await admissionOf(breaker, asked)
      return 'pass' in admission ? null : admission.openForMs
    })
  } catch (error) {
    if (admission !== undefined) giveBack(breaker, admission, asked.whole)
    throw error
  }
  if (openForMs !== null) return refused(asked.whole, openForMs)
  return callGuarded(plan, asked, admission !== undefined && 'pass' in admission ? { breaker, pass: admission.pass } : undefined)
}

interface Held {
  readonly breaker: SharedBreaker
  readonly pass: Pass
}

async function callGuarded({ tool }: BreakerPlan, { whole, input }: Asked, held: Held | undefined): Promise<SettledResult> {
  let end: ReturnType<typeof callEnd> = 'unheard'
  try {
    const result = await callPart(whole, { label: LABEL, tool, input, isUnique: true })
    end = callEnd(result)
    return result
  } finally {
    held?.breaker.report(held.pass, end, burstTick(whole))
  }
}

function refused(whole: Whole, openForMs: number): SettledResult {
  const retryAfterMs = Math.ceil(openForMs)
  const message = `Tool '${whole.tool}' has failed often, and is not called for another ${durationText(retryAfterMs)}.`
  return failureOf(whole, detailsOf(new ToolError(message, { code: 'circuit_open', outcome: 'not_started', retryAfterMs })))
}
