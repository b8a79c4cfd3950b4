import { durationText } from '../tool/duration-text.ts'
import type { Progress } from '../tool/event.ts'
import { oneLine } from './one-line.ts'
import type { SpanTree, TraceReview, TraceSpan } from './trace-span.ts'

/** A call in a timeline, with the layers around it. */
export interface TimelineRow {
  /** The branches of the tree, then the name. */
  readonly label: string
  readonly startedAt: number
  /** Undefined while the call runs. */
  readonly endedAt: number | undefined
  readonly waits: readonly { readonly from: number; readonly to: number | undefined }[]
  readonly duration: string
  readonly outcome: TraceSpan['outcome']
  readonly notes: string
}

/** No terminal shows more indentation than this. */
const DEEPEST = 120

interface Branch {
  readonly tree: SpanTree
  /** What is drawn before the name, and before the names below. */
  readonly own: string
  readonly below: string
}

/** The rows of one tree, the root first. */
export function timelineRows(root: SpanTree): readonly TimelineRow[] {
  const rows: TimelineRow[] = []
  const open: Branch[] = [{ tree: root, own: '', below: '' }]
  for (let branch = open.pop(); branch !== undefined; branch = open.pop()) {
    const { tree, own, below } = branch
    const stack = collapsed(tree)
    rows.push(rowOf(stack, tree.span, own))
    const { children } = stack.at(-1) ?? tree
    for (const [index, child] of [...children.entries()].toReversed()) {
      const last = index === children.length - 1
      const next = below.length < DEEPEST ? `${below}${last ? '   ' : '│  '}` : below
      open.push({ tree: child, own: `${below}${last ? '└─ ' : '├─ '}`, below: next })
    }
  }
  return rows
}

/** A layer with the one call that it made is one row. A layer that made several, or none, has a row of its own. */
function collapsed(tree: SpanTree): readonly SpanTree[] {
  const stack = [tree]
  for (let outer = tree; outer.span.layer !== undefined;) {
    const [only, ...more] = outer.children
    if (only === undefined || more.length > 0) break
    stack.push(only)
    outer = only
  }
  return stack
}

function rowOf(stack: readonly SpanTree[], span: TraceSpan, branches: string): TimelineRow {
  const reviews = stack.flatMap((each) => each.span.reviews)
  const layers = stack.flatMap((each) => each.span.layer ?? [])
  const { startedAt, durationMs, outcome } = span
  return {
    label: branches + oneLine(nameOf(span) + (layers.length === 0 ? '' : ` [${layers.join(', ')}]`)),
    startedAt,
    endedAt: durationMs === undefined ? undefined : startedAt + durationMs,
    waits: reviews.map(({ requestedAt: from, waitedMs }) => ({ from, to: waitedMs === undefined ? undefined : from + waitedMs })),
    duration: durationMs === undefined ? 'running' : durationText(durationMs),
    outcome,
    notes: oneLine(notesOf(span, stack, reviews).join(', ')),
  }
}

/** The label of the step, and the tool where the label does not name it. */
function nameOf({ tool, path }: TraceSpan): string {
  const label = path.slice(path.lastIndexOf('/') + 1)
  return label.replace(/[#@].*$/, '') === tool ? label : `${label}: ${tool}`
}

function notesOf(span: TraceSpan, stack: readonly SpanTree[], reviews: readonly TraceReview[]): readonly string[] {
  const { tokens = 0, costUsd = 0 } = span.usage ?? {}
  const failed = [span.code, span.message].filter((each) => each !== undefined).join(': ')
  const report = stack.at(-1)?.span.progress.at(-1)
  const running = span.outcome === undefined ? progressText(report ?? {}) : undefined
  return [
    ...(failed === '' ? [] : [failed]),
    ...reviews.map(reviewText),
    ...(running === undefined ? [] : [running]),
    ...(stack.some((each) => each.span.replayed) ? ['replayed'] : []),
    ...(tokens > 0 ? [`${tokens} tokens`] : []),
    ...(costUsd > 0 ? [`$${costUsd.toFixed(4)}`] : []),
  ]
}

function reviewText({ waitedMs, action, by }: TraceReview): string {
  if (waitedMs === undefined || action === undefined) return 'waits for a person'
  return `waited ${durationText(waitedMs)}: ${action}${by === undefined ? '' : ` by ${by}`}`
}

function progressText({ message, progress, total }: Progress): string | undefined {
  if (message !== undefined) return message
  if (progress === undefined) return undefined
  return total === undefined ? String(progress) : `${progress} of ${total}`
}
