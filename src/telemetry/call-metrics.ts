import type { Attributes, Counter, Histogram, Meter } from '@opentelemetry/api'
import type { CallFinished, CallInfo, MetricRecorded } from '../tool/event.ts'
import type { Usage } from '../tool/result/result.ts'
import { errorType, metricAttributes } from './call-attributes.ts'

/** The boundaries that the GenAI conventions give for the duration of a tool, in seconds. */
const BOUNDARIES = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]

/** Names come from tools: without a limit, ids in names would fill the memory. */
const MOST_CUSTOM = 1000
const LONGEST_NAME = 255
const CUSTOM = 'toolwright.custom.'

/** Counts and times calls. Each call counts once, with its own share of tokens and cost, so that sums over tools are true. */
export class CallMetrics {
  readonly #meter: Meter
  readonly #calls: Counter
  readonly #duration: Histogram
  readonly #tokens: Counter
  readonly #cost: Counter
  readonly #custom = new Map<string, Histogram>()
  /** The usage of the calls inside a call. */
  readonly #inside = new WeakMap<CallInfo, UsedInside>()

  constructor(meter: Meter) {
    this.#meter = meter
    this.#calls = meter.createCounter('toolwright.tool.calls', { unit: '{call}', description: 'Calls of tools, by how they ended.' })
    this.#duration = meter.createHistogram('gen_ai.execute_tool.duration', {
      unit: 's',
      description: 'How long calls of tools took.',
      advice: { explicitBucketBoundaries: BOUNDARIES },
    })
    this.#tokens = meter.createCounter('toolwright.tool.tokens', { unit: '{token}', description: 'Tokens that tools said they used.' })
    this.#cost = meter.createCounter('toolwright.tool.cost', { unit: 'USD', description: 'Money that tools said they spent.' })
  }

  /** A replayed call was counted when it ran. */
  end(event: CallFinished): void {
    const attributes = metricAttributes(event)
    if (event.usage !== undefined) this.#count(event, event.usage, attributes)
    if (event.replayed || !event.counts) return
    this.#calls.add(1, { ...attributes, 'toolwright.outcome': event.outcome })
    this.#duration.record(event.durationMs / 1000, { ...attributes, 'gen_ai.tool.type': 'function', ...errorType(event) })
  }

  custom({ name, value, attributes, call }: MetricRecorded): void {
    if (!Number.isFinite(value)) return
    this.#histogramOf(name)?.record(value, { ...attributes, 'gen_ai.tool.name': call.tool })
  }

  #count({ call, replayed }: CallFinished, { tokens = 0, costUsd = 0 }: Usage, attributes: Attributes): void {
    if (call.parent !== undefined) {
      const around = this.#inside.get(call.parent) ?? { tokens: 0, costUsd: 0 }
      this.#inside.set(call.parent, { tokens: around.tokens + tokens, costUsd: around.costUsd + costUsd })
    }
    if (replayed) return
    const inside = this.#inside.get(call) ?? { tokens: 0, costUsd: 0 }
    if (tokens > inside.tokens) this.#tokens.add(tokens - inside.tokens, attributes)
    if (costUsd > inside.costUsd) this.#cost.add(costUsd - inside.costUsd, attributes)
  }

  #histogramOf(name: string): Histogram | undefined {
    const known = this.#custom.get(name)
    if (known !== undefined || this.#custom.size >= MOST_CUSTOM) return known
    const made = this.#meter.createHistogram(`${CUSTOM}${name.replaceAll(/[^\w.\-/]/g, '_')}`.slice(0, LONGEST_NAME))
    this.#custom.set(name, made)
    return made
  }
}

interface UsedInside {
  readonly tokens: number
  readonly costUsd: number
}
