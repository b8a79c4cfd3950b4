import { styleText } from 'node:util'
import { fitted } from './one-line.ts'
import { type TimelineRow, timelineRows } from './timeline-row.ts'
import type { SpanTree, TraceSpan } from './trace-span.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'

/** The options with which a timeline is drawn. */
export interface TimelineOptions {
  /** Columns of the terminal. The default is 100, and at least 60 are used. */
  readonly width?: number | undefined
  /** The default is plain text. */
  readonly colors?: boolean | undefined
}

export const TIMELINE_NAMES: Readonly<Record<keyof TimelineOptions, true>> = { width: true, colors: true }

const NAMES = optionNames<TimelineOptions>(TIMELINE_NAMES)

export interface Timeline {
  readonly roots: readonly SpanTree[]
  readonly dropped: number
}

type Paint = (format: 'green' | 'red' | 'yellow' | 'cyan' | 'dim', text: string) => string

const WIDTH = 100
const LEAST_WIDTH = 60
const LEAST_BAR = 10
/** Two spaces around the bar and the duration, and one after the mark. */
const GAPS = 8

const RUNNING = '█'
const WAITING = '░'
const MARKS = {
  success: ['green', '✓'],
  failure: ['red', '✗'],
  error: ['red', '!'],
} as const

/** Draws calls as bars over time, one block for each root call, each on a scale of its own. */
export function drawTimeline({ roots, dropped }: Timeline, options: TimelineOptions = {}): string {
  checkOptionNames(options, NAMES, 'The options of trace.draw')
  const blocks = roots.map((root) => drawRows(timelineRows(root), options))
  if (blocks.length === 0) blocks.push('No calls.')
  if (dropped > 0) blocks.push(`${dropped} more ${dropped === 1 ? 'call was' : 'calls were'} dropped.`)
  return blocks.join('\n\n')
}

/** Draws rows as bars over time, all on one scale. */
export function drawRows(rows: readonly TimelineRow[], { width = WIDTH, colors = false }: TimelineOptions = {}): string {
  const paint: Paint = colors ? (format, text) => styleText(format, text, { validateStream: false }) : (_format, text) => text
  const columns = Number.isFinite(width) ? Math.max(LEAST_WIDTH, Math.floor(width)) : WIDTH
  const label = Math.min(widest(rows.map((row) => row.label)), Math.floor(columns / 3))
  const duration = widest(rows.map((row) => row.duration))
  const room = columns - label - duration - GAPS
  const notes = Math.min(widest(rows.map((row) => row.notes)), Math.floor(columns / 3), room - LEAST_BAR)
  const scale = scaleOf(rows, room - notes)
  return rows
    .map((row) => {
      const bar = barOf(row, scale, paint)
      const [format, mark] = markOf(row.outcome)
      const columnsOfRow = [fitted(row.label, label), bar, row.duration.padStart(duration), paint(format, mark)]
      return `${columnsOfRow.join('  ')} ${fitted(row.notes, notes)}`.trimEnd()
    })
    .join('\n')
}

function markOf(outcome: TraceSpan['outcome']): readonly [format: Parameters<Paint>[0], mark: string] {
  return outcome === undefined ? ['dim', '…'] : MARKS[outcome]
}

function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, [...text].length), 0)
}

interface Scale {
  readonly from: number
  readonly to: number
  readonly cells: number
}

function lastMoment({ startedAt, endedAt, waits }: TimelineRow): number {
  return waits.reduce((last, wait) => Math.max(last, wait.to ?? wait.from), endedAt ?? startedAt)
}

/** From the start of the root to the last moment that is known. */
function scaleOf(rows: readonly TimelineRow[], cells: number): Scale {
  const from = rows.reduce((first, row) => Math.min(first, row.startedAt), Infinity)
  return { from, to: rows.reduce((last, row) => Math.max(last, lastMoment(row)), from), cells }
}

function barOf({ startedAt, endedAt, waits }: TimelineRow, { from, to, cells }: Scale, paint: Paint): string {
  const cellAt = (moment: number): number => (to === from ? 0 : ((moment - from) / (to - from)) * cells)
  const first = Math.min(Math.floor(cellAt(startedAt)), cells - 1)
  const end = Math.min(cells, Math.max(Math.ceil(cellAt(endedAt ?? to)), first + 1))
  const isWaiting = (cell: number): boolean => {
    const middle = (Math.max(cell, cellAt(startedAt)) + Math.min(cell + 1, cellAt(endedAt ?? to))) / 2
    return waits.some((wait) => cellAt(wait.from) <= middle && (wait.to === undefined || middle < cellAt(wait.to)))
  }
  const signs = Array.from({ length: end - first }, (_each, index) => (isWaiting(first + index) ? WAITING : RUNNING)).join('')
  const painted = signs.replaceAll(/░+|█+/g, (run) => paint(run.startsWith(WAITING) ? 'yellow' : 'cyan', run))
  return ' '.repeat(first) + painted + ' '.repeat(cells - end)
}
