import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import type { CallFinished, CallInfo, CallProgressed, Observer, ReviewDecided, ReviewRequested, ToolEvent } from '../tool/event.ts'
import { drawTimeline, type TimelineOptions } from './draw-timeline.ts'
import type { SpanTree, TraceProgress, TraceReview, TraceSpan } from './trace-span.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'

/** The options of `createTrace`. */
export interface TraceOptions {
  /** How many invocations are kept. Whole trees of ended calls make room, the oldest first. The default is 10,000. */
  readonly maxCalls?: number | undefined
}

/** A record of the calls that it listened to. Pass it as `on`. */
export interface Trace extends Observer {
  /** In the order in which the calls began, tree by tree. */
  readonly spans: readonly TraceSpan[]
  /** How many invocations found no room. */
  readonly dropped: number
  /** A timeline for a terminal, one block for each root call. */
  readonly draw: (options?: TimelineOptions) => string
  readonly clear: () => void
  readonly toJSON: () => { readonly dropped: number; readonly spans: readonly TraceSpan[] }
}

const NAMES = optionNames<TraceOptions>({ maxCalls: true })

const MOST_CALLS = 10_000
const MOST_REPORTS = 100

interface OpenSpan extends TraceSpan {
  durationMs: TraceSpan['durationMs']
  outcome: TraceSpan['outcome']
  code: TraceSpan['code']
  message: TraceSpan['message']
  replayed: boolean
  usage: TraceSpan['usage']
  readonly reviews: TraceReview[]
  readonly progress: TraceProgress[]
}

interface Node extends SpanTree {
  readonly span: OpenSpan
  readonly children: Node[]
  readonly tree: Tree
}

/** All calls below one root call. */
interface Tree {
  /** The root's time, and its tick: the calls inside are placed by their distance to it. The time of an event is that of a burst of work. */
  readonly at: number
  readonly tick: number
  readonly nodes: Node[]
}

/**
 * A trace in memory: spans by invocation, and a drawing of them.
 * @example
 * const trace = createTrace()
 * await roll.call('', { on: trace })
 * console.log(trace.draw())
 */
export function createTrace(options: TraceOptions = {}): Trace {
  checkOptionNames(options, NAMES, 'The options of createTrace')
  const { maxCalls = MOST_CALLS } = options
  if (!Number.isInteger(maxCalls) || maxCalls < 1)
    throw new ConfigurationError('invalid_option', `maxCalls of a trace must be a whole number from 1, not ${String(maxCalls)}.`)
  return new MemoryTrace(maxCalls)
}

class MemoryTrace implements Trace {
  readonly #maxCalls: number
  /** Weak, since a call holds its input and an abandoned one never ends. */
  #nodes = new WeakMap<CallInfo, Node>()
  #trees = new Set<Tree>()
  /** Those whose root has ended, which may make room. */
  #ended = new Set<Tree>()
  #size = 0
  #dropped = 0

  constructor(maxCalls: number) {
    this.#maxCalls = maxCalls
  }

  get spans(): readonly TraceSpan[] {
    return [...this.#trees].flatMap(({ nodes }) => nodes.map(({ span }) => span))
  }
  get dropped(): number {
    return this.#dropped
  }
  readonly draw = (options?: TimelineOptions): string => {
    const roots = [...this.#trees].flatMap(({ nodes }) => nodes.slice(0, 1))
    return drawTimeline({ roots, dropped: this.#dropped }, options)
  }
  readonly clear = (): void => {
    this.#nodes = new WeakMap()
    this.#trees = new Set()
    this.#ended = new Set()
    this.#size = 0
    this.#dropped = 0
  }
  readonly toJSON = (): ReturnType<Trace['toJSON']> => ({ dropped: this.#dropped, spans: this.spans })

  readonly onEvent = (event: ToolEvent): void => {
    if (event.type === 'call.started') {
      this.#begin(event.call)
      return
    }
    const node = this.#nodes.get(event.call)
    if (node === undefined || node.span.outcome !== undefined) return
    if (event.type === 'call.progressed') reported(node.span, event)
    else if (event.type === 'review.requested') requested(node.span, event)
    else if (event.type === 'review.decided') decided(node.span, event)
    else if (event.type === 'call.finished') {
      finished(node.span, event)
      if (node.tree.nodes[0] === node) this.#ended.add(node.tree)
    }
  }

  #begin(call: CallInfo): void {
    const { parent } = call
    const around = parent === undefined ? undefined : this.#nodes.get(parent)
    const orphan = parent !== undefined && (around === undefined || !this.#trees.has(around.tree))
    if (orphan || !this.#makeRoom(around?.tree)) {
      this.#dropped++
      return
    }
    const tree = around?.tree ?? { at: call.clock.now(), tick: call.startedAt, nodes: [] }
    const node: Node = { span: spanOf(call, tree.at + (call.startedAt - tree.tick)), children: [], tree }
    this.#trees.add(tree)
    tree.nodes.push(node)
    around?.children.push(node)
    this.#nodes.set(call, node)
    this.#size++
  }

  /** A tree is never removed to keep one of its own calls. */
  #makeRoom(own: Tree | undefined): boolean {
    for (const tree of this.#ended) {
      if (this.#size < this.#maxCalls) break
      if (tree === own) continue
      this.#ended.delete(tree)
      this.#trees.delete(tree)
      this.#size -= tree.nodes.length
      this.#dropped += tree.nodes.length
    }
    return this.#size < this.#maxCalls
  }
}

function spanOf(call: CallInfo, startedAt: number): OpenSpan {
  return {
    id: call.invocationId,
    parentId: call.parentId,
    traceId: call.traceId,
    tool: call.tool,
    version: call.version,
    path: call.path,
    layer: call.layer,
    agent: call.agent,
    startedAt,
    durationMs: undefined,
    outcome: undefined,
    code: undefined,
    message: undefined,
    replayed: false,
    reviews: [],
    progress: [],
    usage: undefined,
  }
}

function reported(span: OpenSpan, { at, message, progress, total }: CallProgressed): void {
  span.progress.push({ at, message, progress, total })
  if (span.progress.length > MOST_REPORTS) span.progress.shift()
}

function requested(span: OpenSpan, { at, request: { id, kind, risk } }: ReviewRequested): void {
  span.reviews.push({ id, kind, risk, requestedAt: at, waitedMs: undefined, action: undefined, by: undefined })
}

function decided(span: OpenSpan, { at, request: { id, kind, risk }, waitedMs, action, by }: ReviewDecided): void {
  const index = span.reviews.findIndex((each) => each.id === id)
  const review: TraceReview = { id, kind, risk, requestedAt: at - waitedMs, waitedMs, action, by }
  if (index === -1) span.reviews.push(review)
  else span.reviews[index] = review
}

function finished(span: OpenSpan, event: CallFinished): void {
  span.durationMs = event.durationMs
  span.outcome = event.outcome
  span.code = event.code
  span.message = event.outcome === 'success' ? undefined : event.text.replace(/^Error: /, '')
  span.replayed = event.replayed
  span.usage = event.usage
}
