import { durationText } from '../tool/duration-text.ts'
import type { CompensationClass } from '../tool/plan-node.ts'
import { printable } from '../tool/printable.ts'
import { approvalNote, type ExplainedStep, stepTitle } from './explained-step.ts'
import { dollarsText, markedFigure, shareText } from './marked-figure.ts'

const HEAD = ['step', 'p50', 'p99', 'cost', 'reliability', 'effect', '']

/** The columns of figures. */
const FIGURES: readonly number[] = [1, 2, 3, 4]

const COMPENSATION: Readonly<Record<CompensationClass, string>> = {
  reversible: 'fully reversible',
  semantic: 'semantically reversible',
  traces: 'compensable with traces',
  irreversible: 'cannot be undone',
}

/** Only the marks that occur are explained. */
const LEGEND: readonly (readonly [mark: string, meaning: string])[] = [
  ['*', 'recorded'],
  ['=', 'derived from the parts'],
  ['≥', 'at least, since not all is known'],
  ['≤', 'at most, since not all is known'],
  ['?', 'unknown'],
]

/** Draws a plan as a tree for a terminal, with a row for each step. */
export function drawTree(root: ExplainedStep): string {
  const steps = rowsOf(root, { own: '', below: '' })
  const unknown = new Set(FIGURES.filter((column) => steps.every((row) => row[column] === '?')))
  const rows = [HEAD, ...steps].map((row) => row.filter((_cell, column) => !unknown.has(column)))
  const widths = (rows[0] ?? []).map((_head, column) => Math.max(...rows.map((row) => [...(row[column] ?? '')].length)))
  const lines = rows.map((row) =>
    row
      .map((cell, column) => padded(cell, widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return [...lines, legendOf(steps, unknown)].join('\n')
}

function padded(cell: string, width: number): string {
  return cell + ' '.repeat(width - [...cell].length)
}

type Row = readonly string[]

interface Branch {
  /** What is drawn before the step, and before the steps below. */
  readonly own: string
  readonly below: string
}

function rowsOf(step: ExplainedStep, { own, below }: Branch): readonly Row[] {
  const { latencyMs, p99Ms, costUsd, reliability } = step.figures
  const row = [
    own + printable(stepTitle(step)),
    markedFigure(latencyMs, durationText, '≥'),
    markedFigure(p99Ms, durationText, '≥'),
    markedFigure(costUsd, dollarsText, '≥'),
    markedFigure(reliability, shareText, '≤'),
    step.effect,
    printable(notesOf(step).join(', ')),
  ]
  const last = step.parts.length - 1
  const inside = step.parts.flatMap((part, index) =>
    rowsOf(part, { own: `${below}${index === last ? '└─ ' : '├─ '}`, below: `${below}${index === last ? '   ' : '│  '}` }),
  )
  return [row, ...inside]
}

function notesOf(step: ExplainedStep): readonly string[] {
  const { gated, conditions, order, takes, adapter, when, compensation, undoes, permissions, leftOut, figures } = step
  return [
    ...(undoes === undefined ? [] : [`undoes ${undoes}`]),
    ...(when === undefined ? [] : [`when ${when}`]),
    ...(takes === 'item' ? ['for each item'] : []),
    ...(adapter === undefined ? [] : [`adapter ${adapter}`]),
    ...(gated ? [approvalNote(conditions)] : []),
    ...(order === 'race' ? ['raced'] : []),
    ...(compensation === undefined ? [] : [COMPENSATION[compensation]]),
    ...(permissions.length === 0 ? [] : [`needs ${permissions.join(' ')}`]),
    ...(figures.calls === undefined ? [] : [`${figures.calls} calls`]),
    ...(leftOut === undefined ? [] : [leftOut === 'cycle' ? 'a part of itself' : 'its parts are not shown']),
  ]
}

/** Columns of figures of which none is known are not drawn: they say nothing. */
function legendOf(rows: readonly Row[], unknown: ReadonlySet<number>): string {
  const shown = FIGURES.filter((column) => !unknown.has(column))
  if (shown.length === 0) return 'No figures are known.'
  const marks = new Set(rows.flatMap((row) => shown.flatMap((column) => [...(row[column] ?? '')])))
  const met = LEGEND.filter(([mark]) => marks.has(mark)).map(([mark, meaning]) => `${mark} ${meaning}`)
  const hidden = Array.from(unknown, (column) => HEAD[column])
  const more = hidden.length === 0 ? '' : ` Nothing is known of: ${hidden.join(', ')}.`
  return `${met.length === 0 ? 'All figures are declared.' : `Figures are declared, unless marked: ${met.join('; ')}.`}${more}`
}
