import type * as OpenTelemetry from '@opentelemetry/api'
import type { CallFinished, CallInfo, MetricRecorded, ReviewDecided, ReviewRequested } from '../tool/event.ts'
import { contentAttributes, endAttributes, reviewAttributes, callAttributes } from './call-attributes.ts'

export interface CallSpansOptions {
  readonly api: typeof OpenTelemetry
  readonly tracer: () => OpenTelemetry.Tracer
  readonly captureContent: boolean
}

type Review = ReviewRequested | ReviewDecided

/** A call that is under way. */
interface Node {
  readonly around: Node | undefined
  /** The parent context of the calls inside. */
  readonly context: OpenTelemetry.Context
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** Undefined for a layer, which has no span of its own. */
  readonly span: OpenTelemetry.Span | undefined
  /** The layers directly around the tool, this one included. */
  readonly layers: readonly string[]
  /** Reviews that a layer asked for, until there is a span for them. */
  reviews: readonly Review[]
  /** The root's time, and its tick: the calls inside are placed by their distance to it. The time of an event is that of a burst of work. */
  readonly origin: { readonly at: number; readonly tick: number }
}

/** Makes a span of every call. A layer is an attribute of the span that it wraps; only a layer that answered without a call gets a span. */
export class CallSpans {
  readonly #api: typeof OpenTelemetry
  readonly #tracer: () => OpenTelemetry.Tracer
  readonly #captureContent: boolean
  /** Weak, since a call that waits for a person in a recorded run may never end. */
  readonly #nodes = new WeakMap<CallInfo, Node>()
  /** Marks the contexts that descend from a call's own. */
  readonly #key = Symbol('toolwright.call')

  constructor({ api, tracer, captureContent }: CallSpansOptions) {
    this.#api = api
    this.#tracer = tracer
    this.#captureContent = captureContent
  }

  begin(call: CallInfo): void {
    const around = call.parent === undefined ? undefined : this.#nodes.get(call.parent)
    const origin = around?.origin ?? { at: call.clock.now(), tick: call.startedAt }
    const startedAt = origin.at + (call.startedAt - origin.tick)
    const outer = this.#contextFor(around)
    const within = around === undefined || around.span !== undefined ? [] : around.layers
    const layers = call.layer === undefined ? within : [...within, call.layer]
    const span = call.layer === undefined ? this.#startSpan(call, { startedAt, layers, outer }) : undefined
    const context = span === undefined ? outer : this.#api.trace.setSpan(outer, span)
    this.#nodes.set(call, { around, context, startedAt, span, layers, reviews: [], origin })
    if (span !== undefined) this.#tellReviews(around, span, startedAt)
  }

  /** Spans that the tool's function makes become children of its own. */
  run<T>(call: CallInfo, run: () => T): T {
    const node = this.#nodes.get(call)
    return node === undefined ? run() : this.#api.context.with(node.context.setValue(this.#key, node), run)
  }

  review(event: Review): void {
    const node = this.#nodes.get(event.call)
    if (node?.span !== undefined) tell(node.span, event, event.at)
    else if (node !== undefined) node.reviews = [...node.reviews, event]
  }

  /** What a call says of itself by the GenAI conventions: a question to a model, or an agent, with its tokens. */
  describe({ call, name, value, attributes }: MetricRecorded): void {
    const span = this.#nodes.get(call)?.span
    if (span === undefined) return
    span.setAttributes({ ...attributes, [name]: value })
    const operation = attributes['gen_ai.operation.name']
    if (operation !== undefined) span.updateName(`${operation} ${attributes['gen_ai.request.model'] ?? call.tool}`)
  }

  /** A replayed call has left its span when it ran: this one is dropped. */
  end(event: CallFinished): void {
    const node = this.#nodes.get(event.call)
    if (node === undefined || event.replayed || !event.counts) return
    const span = node.span ?? this.#startSpan(event.call, { ...node, outer: node.context })
    for (const review of node.reviews) tell(span, review, review.at)
    span.setAttributes(endAttributes(event))
    if (this.#captureContent) span.setAttributes(contentAttributes(event))
    if (event.outcome !== 'success') {
      const code = this.#api.SpanStatusCode.ERROR
      span.setStatus(this.#captureContent ? { code, message: event.text } : { code })
    }
    span.end(hrTimeOf(node.startedAt + event.durationMs))
  }

  #startSpan(call: CallInfo, { startedAt, layers, outer }: StartOptions): OpenTelemetry.Span {
    const kind = this.#api.SpanKind.INTERNAL
    const attributes = callAttributes(call, layers)
    return this.#tracer().startSpan(`execute_tool ${call.tool}`, { kind, startTime: hrTimeOf(startedAt), attributes }, outer)
  }

  /** The parent is the active span of the caller's function, where that span is inside the caller's own. */
  #contextFor(around: Node | undefined): OpenTelemetry.Context {
    const active = this.#api.context.active()
    return around === undefined || active.getValue(this.#key) === around ? active : around.context
  }

  /** Reviews of layers before the start of the tool go to the span around them; without one, to the span of the tool. */
  #tellReviews(layer: Node | undefined, span: OpenTelemetry.Span, startedAt: number): void {
    for (let node = layer; node !== undefined && node.span === undefined; node = node.around) {
      const outer = spanAround(node)
      for (const review of node.reviews) tell(outer ?? span, review, outer === undefined ? startedAt : review.at)
      node.reviews = []
    }
  }
}

interface StartOptions {
  readonly startedAt: number
  readonly layers: readonly string[]
  readonly outer: OpenTelemetry.Context
}

function spanAround(layer: Node): OpenTelemetry.Span | undefined {
  let node = layer.around
  while (node !== undefined && node.span === undefined) node = node.around
  return node?.span
}

function tell(span: OpenTelemetry.Span, review: Review, at: number): void {
  span.addEvent(`toolwright.${review.type}`, reviewAttributes(review), hrTimeOf(at))
}

/** Seconds and nanoseconds. A plain number would be taken for a time since the process began where it is small enough. */
function hrTimeOf(ms: number): OpenTelemetry.HrTime {
  const seconds = Math.floor(ms / 1000)
  return [seconds, Math.min(999_999_999, Math.round((ms - seconds * 1000) * 1e6))]
}
