import type { AgentTool } from '../../tool/agent-tool.ts'
import { durationText } from '../../tool/duration-text.ts'
import { isToolError, ToolError } from '../../tool/errors/tool-error.ts'
import type { LimitedCall, LimitRules, SharedLimiter, Turn } from '../../tool/ports/limit-store.ts'
import type { Principal } from '../../tool/principal.ts'
import { principalKey } from '../../tool/principal-key.ts'
import type { SettledResult } from '../../tool/result/settled.ts'
import { detailsOf, failureOf } from '../../tool/seam/failures.ts'
import { callPart } from '../../tool/seam/parts.ts'
import { OnePart, type OnePartPlan } from '../../tool/seam/one-part.ts'
import { beforeNew } from '../../tool/seam/recorded.ts'
import { storeOf } from '../../tool/seam/store-of.ts'
import { closedError, inLine } from '../../tool/seam/waiting.ts'
import { Holding } from '../../tool/seam/holding.ts'
import { isClosed, isRecorded, keepInput, mayVanish, tellsLeaving, type Whole } from '../../tool/seam/whole.ts'
import { memoryLimits } from './memory-limits.ts'

export const LABEL = 'limited'

/** A run that waits longer than this may leave its process. */
const LONG_WAIT_MS = 1000
/** How long a parked run sleeps where nobody knows when a place is free. */
const UNKNOWN_WAIT_MS = 5000
/** Where nobody tells that a run leaves its process inside the tool, it keeps its place no longer than this, or the p99 of the tool. */
const LEASE_MS = 300_000

export interface LimitPlan extends OnePartPlan<SharedLimiter, Turn> {
  readonly tool: AgentTool
  readonly rules: LimitRules
  readonly key: string
  /** Each caller has a limiter of its own. */
  readonly isByCaller: boolean
  /** Calls above the limit wait. */
  readonly waits: boolean
  /** A call without a principal. */
  readonly anonymous: LimitedCall
}

const limitsOf = storeOf(({ limits }) => limits, memoryLimits)

export function runLimit(plan: LimitPlan, input: unknown, whole: Whole): unknown {
  const { principal, clock } = whole
  const call = principal === undefined ? plan.anonymous : { caller: principalKey(principal) ?? '', usd: plan.anonymous.usd }
  const limiter = limitsOf(whole).limiter(plan.isByCaller ? keyOf(plan, principal, call) : plan.key, plan.rules, clock.origin ?? clock)
  if (isRecorded(whole)) return runRecorded({ plan, limiter, call: leased(plan, call, whole), whole, input: keepInput(whole) })
  const turn = limiter.enter(call)
  return turn === undefined
    ? runInTurn({ plan, limiter, call, whole, input: keepInput(whole) })
    : new OnePart(whole, plan, limiter, turn).begin(input)
}

/** No id gives the key of a call without a principal, or that of another layer, whose keys go on with `#2`. */
function keyOf({ key }: LimitPlan, principal: Principal | undefined, { caller }: LimitedCall): string {
  const isAmbiguous = principal !== undefined && (caller === '' || caller.startsWith('#') || caller.startsWith('"'))
  return `${key} ${isAmbiguous ? JSON.stringify(caller) : caller}`
}

function leased({ tool }: LimitPlan, call: LimitedCall, whole: Whole): LimitedCall {
  return mayVanish(whole) ? { ...call, leaseMs: Math.max(LEASE_MS, tool.estimates.p99Ms ?? 0) } : call
}

/** Gives back the place of a call that began at once. */
export function limitedOver({ held, pass }: OnePart<SharedLimiter, Turn>, result: SettledResult | undefined): boolean {
  held.leave(pass, result?.usage?.costUsd)
  return true
}

interface Asked {
  readonly plan: LimitPlan
  readonly limiter: SharedLimiter
  readonly call: LimitedCall
  readonly whole: Whole
  readonly input: unknown
}

/** The time to retry of a call that cannot have its turn in time; undefined if it may wait. Null where that time is not known. */
function refusalOf({ plan, limiter, call, whole }: Asked): number | null | undefined {
  const ms = limiter.waitMs(call)
  if (!plan.waits) return ms ?? plan.tool.estimates.latencyMs ?? null
  return ms !== undefined && ms >= whole.remainingMs && !isClosed(whole) ? ms : undefined
}

/** Other calls may take the turns that an inquiry has brought. */
const MOST_INQUIRIES = 3

/** The turn that a limiter gives after it has asked the other processes. */
async function inquiredTurn({ limiter, call, whole }: Asked): Promise<Turn | undefined> {
  for (let times = 0; times < MOST_INQUIRIES; times++) {
    const inquiry = limiter.inquire?.(call)
    if (inquiry !== undefined)
      await inLine<void>(whole, { join: (answer) => answering(inquiry, answer), giveBack: () => {}, what: waitingFor(whole) })
    const turn = limiter.inquire === undefined ? undefined : limiter.enter(call)
    if (turn !== undefined || inquiry === undefined) return turn
  }
  return undefined
}

function answering(inquiry: Promise<void>, answer: () => void): () => void {
  void inquiry.then(answer)
  return () => {}
}

async function runInTurn(asked: Asked): Promise<SettledResult> {
  const turn = await inquiredTurn(asked)
  if (turn !== undefined) return callLimited(asked, holdingOf(asked, turn))
  const refused = refusalOf(asked)
  if (refused !== undefined) return refuse(asked, refused)
  return callLimited(asked, holdingOf(asked, await turnOf(asked, asked.whole.clock.tick())))
}

function turnOf({ limiter, call, whole }: Asked, since: number): Promise<Turn> {
  return inLine<Turn>(whole, {
    join: (answer) => limiter.wait(call, since, answer),
    giveBack: (turn) => limiter.leave(turn, 0),
    what: waitingFor(whole),
  })
}

function waitingFor({ tool }: Whole): string {
  return `'${tool}' waited for its turn`
}

/** What a recorded run does next: it has its turn, is refused, or sleeps and asks again. */
type Verdict = 'go' | { readonly refusedMs: number | null } | { readonly sleepMs: number }

/**
 * Each answer is recorded and followed, whatever the limiter would say now. A long wait is a sleep of the run, which may leave its process
 * meanwhile; then it asks again, at its former place among the calls of its caller.
 */
async function runRecorded(asked: Asked): Promise<SettledResult> {
  const { whole } = asked
  const since = whole.clock.tick()
  for (;;) {
    let holding: Holding<TurnEnd> | undefined
    let verdict: Verdict
    try {
      verdict = await whole.decide('.turn', async (): Promise<Verdict> => {
        await beforeTurn(whole)
        const answer = await verdictOf(asked, since)
        if (!('turn' in answer)) return answer
        // The record may never be written.
        holding = holdingOf(asked, answer.turn)
        return 'go'
      })
    } catch (error) {
      holding?.release({ usd: 0 })
      throw error
    }
    if (verdict === 'go') return callLimited(asked, holding ?? resumed(asked))
    if ('refusedMs' in verdict) return refuse(asked, verdict.refusedMs)
    await sleepOn(whole, verdict.sleepMs)
  }
}

/**
 * On its way to the present, a resumed run passes calls that were cut off, such as losers of a race. They must not ask: at each resume they
 * would take the turn from the calls that are under way, and these would sleep for ever.
 */
async function beforeTurn(whole: Whole): Promise<void> {
  await beforeNew(whole)
  if (isClosed(whole)) throw closedError(whole, waitingFor(whole), 'not_started')
}

async function verdictOf(asked: Asked, since: number): Promise<{ readonly turn: Turn } | Exclude<Verdict, 'go'>> {
  const { limiter, call, whole } = asked
  const turn = limiter.enter(call) ?? (await inquiredTurn(asked))
  if (turn !== undefined) return { turn }
  const refusedMs = refusalOf(asked)
  if (refusedMs !== undefined) return { refusedMs }
  const ms = limiter.waitMs(call)
  if (ms !== undefined && ms > LONG_WAIT_MS) return { sleepMs: Math.ceil(ms) }
  return (
    (await turnWithin(asked, since, LONG_WAIT_MS)) ?? { sleepMs: Math.max(1, Math.min(UNKNOWN_WAIT_MS, Math.floor(whole.remainingMs) - 1)) }
  )
}

/** Waits in line for a short time. */
function turnWithin({ limiter, call, whole }: Asked, since: number, ms: number): Promise<{ readonly turn: Turn } | undefined> {
  return inLine<{ readonly turn: Turn } | undefined>(whole, {
    join: (answer) => {
      const stop = whole.clock.timer(ms, () => {
        leave()
        answer(undefined)
      })
      const leave = limiter.wait(call, since, (turn) => {
        stop()
        answer({ turn })
      })
      return () => {
        stop()
        leave()
      }
    },
    giveBack: (late) => late !== undefined && limiter.leave(late.turn, 0),
    what: waitingFor(whole),
  })
}

async function sleepOn(whole: Whole, ms: number): Promise<void> {
  try {
    await whole.sleep(ms, '.wait')
  } catch (error) {
    throw isToolError(error) && isClosed(whole) ? closedError(whole, waitingFor(whole), 'not_started') : error
  }
}

/** What a call has cost, where that is known. */
interface TurnEnd {
  readonly usd: number | undefined
}

/** A run that leaves the process gives its place back. */
function holdingOf({ limiter, whole }: Asked, turn: Turn): Holding<TurnEnd> {
  return new Holding(whole, (end) => limiter.leave(turn, end?.usd))
}

/**
 * It was admitted in an earlier segment of its run, and takes its place again: it must not wait, since a resumed run first reaches all that
 * it did before.
 */
function resumed(asked: Asked): Holding<TurnEnd> | undefined {
  const { limiter, call, whole } = asked
  const turn = tellsLeaving(whole) ? limiter.resume?.(call) : undefined
  return turn === undefined ? undefined : holdingOf(asked, turn)
}

async function callLimited({ plan, whole, input }: Asked, holding: Holding<TurnEnd> | undefined): Promise<SettledResult> {
  let usd: number | undefined
  try {
    const result = await callPart(whole, { label: LABEL, tool: plan.tool, input, isUnique: true })
    usd = result.usage?.costUsd
    return result
  } finally {
    holding?.release({ usd })
  }
}

function refuse({ whole }: Asked, ms: number | null): SettledResult {
  const retryAfterMs = ms === null ? undefined : Math.ceil(ms)
  const when = retryAfterMs === undefined ? '' : ` for another ${durationText(retryAfterMs)}`
  const message = `Tool '${whole.tool}' has reached its limit${when}.`
  return failureOf(whole, detailsOf(new ToolError(message, { code: 'rate_limited', outcome: 'not_started', retryAfterMs })))
}
