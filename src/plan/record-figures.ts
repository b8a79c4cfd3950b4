import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import type { CallFinished, CallInfo, Observer, ToolEvent } from '../tool/event.ts'
import type { RecordedFigures } from './plan-figures.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'

/** The options of `recordFigures`. */
export interface RecordFiguresOptions {
  /** How many calls of each tool are kept; the newest count. The default is 1,000. */
  readonly maxCalls?: number | undefined
}

/** Measures tools while they run. Pass it as `on`. */
export interface FiguresRecorder extends Observer {
  /** By `name@version`: what `explain` takes. */
  readonly figures: ReadonlyMap<string, RecordedFigures>
}

const NAMES = optionNames<RecordFiguresOptions>({ maxCalls: true })

const MOST_CALLS = 1000

/** Tools may be made by the thousand at run time: beyond this number the oldest is forgotten. */
const MOST_TOOLS = 1000

/**
 * Collects latency, cost and reliability of every tool from its calls. Waiting for a person is no latency; a call that was cancelled,
 * rejected, or refused before it began is not counted.
 * @example
 * const recorder = recordFigures()
 * await greet.call({ name: 'Ada' }, { on: recorder })
 * console.log(recorder.figures.get('greet@0.0.0')?.reliability) // 1
 * console.log(explain(greet, { figures: recorder.figures }).root.figures.reliability.source) // recorded
 */
export function recordFigures(options: RecordFiguresOptions = {}): FiguresRecorder {
  checkOptionNames(options, NAMES, 'The options of recordFigures')
  const { maxCalls = MOST_CALLS } = options
  if (!Number.isInteger(maxCalls) || maxCalls < 1)
    throw new ConfigurationError('invalid_option', `maxCalls of recordFigures must be a whole number from 1, not ${String(maxCalls)}.`)
  return new MemoryRecorder(maxCalls)
}

interface Wait {
  readonly from: number
  readonly to: number
}

class MemoryRecorder implements FiguresRecorder {
  readonly #maxCalls: number
  readonly #tools = new Map<string, RecentCalls>()
  readonly #waits = new WeakMap<CallInfo, Wait[]>()
  /** Calls that read from a journal: their time is not that of the tool. */
  readonly #replayed = new WeakSet<CallInfo>()

  constructor(maxCalls: number) {
    this.#maxCalls = maxCalls
  }

  get figures(): ReadonlyMap<string, RecordedFigures> {
    return new Map(Array.from(this.#tools, ([tool, calls]) => [tool, calls.figures()]))
  }

  readonly onEvent = (event: ToolEvent): void => {
    if (event.type === 'call.finished') this.#finished(event)
    else if (event.type === 'review.decided') this.#waited(event.call, { from: event.at - event.waitedMs, to: event.at })
  }

  #waited(call: CallInfo, wait: Wait): void {
    for (let around: CallInfo | undefined = call; around !== undefined; around = around.parent) {
      const waits = this.#waits.get(around)
      if (waits === undefined) this.#waits.set(around, [wait])
      else waits.push(wait)
    }
  }

  #finished(event: CallFinished): void {
    const { call, replayed, counts, fatal } = event
    if (replayed || this.#replayed.has(call)) {
      if (call.parent !== undefined) this.#replayed.add(call.parent)
    } else if (counts && !fatal && !isAnothersDoing(event)) this.#keep(call, this.#sampleOf(event))
  }

  #sampleOf({ call, durationMs, outcome, usage }: CallFinished): CallSample {
    const ms = Math.max(0, durationMs - joint(this.#waits.get(call) ?? []))
    return { ms, succeeded: outcome === 'success', costUsd: usage?.costUsd }
  }

  #keep({ tool, version }: CallInfo, sample: CallSample): void {
    const identity = `${tool}@${version}`
    let calls = this.#tools.get(identity)
    if (calls === undefined) {
      const [oldest] = this.#tools.keys()
      if (oldest !== undefined && this.#tools.size >= MOST_TOOLS) this.#tools.delete(oldest)
      calls = new RecentCalls(this.#maxCalls)
      this.#tools.set(identity, calls)
    }
    calls.add(sample)
  }
}

/** A person or the caller ended it, or it was refused before it began. */
function isAnothersDoing({ error }: CallFinished): boolean {
  return error?.class === 'rejected' || error?.class === 'cancelled' || error?.outcome === 'not_started'
}

/** How long somebody was waited for; at the same time counts once. */
function joint(waits: readonly Wait[]): number {
  let total = 0
  let until = -Infinity
  for (const { from, to } of waits.toSorted((a, b) => a.from - b.from)) {
    total += Math.max(0, to - Math.max(from, until))
    until = Math.max(until, to)
  }
  return total
}

/** The figures of one call. */
interface CallSample {
  readonly ms: number
  readonly succeeded: boolean
  readonly costUsd: number | undefined
}

/** The newest calls of one tool, and their figures. */
class RecentCalls {
  readonly #maxCalls: number
  readonly #samples: CallSample[] = []
  #count = 0

  constructor(maxCalls: number) {
    this.#maxCalls = maxCalls
  }

  add(sample: CallSample): void {
    this.#samples[this.#count % this.#maxCalls] = sample
    this.#count++
  }

  /** Where no call has named a cost, none is known; where some have, the others were free. */
  figures(): RecordedFigures {
    const samples = this.#samples
    const times = samples.map(({ ms }) => ms).toSorted((a, b) => a - b)
    const costs = samples.map(({ costUsd }) => costUsd).filter((each) => each !== undefined)
    return {
      calls: this.#count,
      latencyMs: percentile(times, 0.5),
      p99Ms: percentile(times, 0.99),
      reliability: samples.filter(({ succeeded }) => succeeded).length / samples.length,
      costUsd: costs.length === 0 ? undefined : costs.reduce((sum, each) => sum + each, 0) / samples.length,
    }
  }
}

/** The smallest time that so large a share of the calls did not exceed. */
function percentile(sorted: readonly number[], share: number): number | undefined {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]
}
