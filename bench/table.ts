import { type Figure, isBroken } from './figure.ts'

/** All figures as one table, for a terminal or for a page. */
export function tableOf(figures: readonly Figure[]): string {
  const rows = [['name', 'baseline', 'subject', 'q1 / median / q3', 'budget', 'bytes', '', 'what'], ...figures.map(rowOf)]
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function rowOf(figure: Figure): string[] {
  const { name, unit, baseline, subject, quartiles, bytes, about } = figure
  const middle = [quartiles.q1, quartiles.median, quartiles.q3].map((each) => shown(each, figure)).join(' / ')
  return [
    name,
    amount(baseline, unit),
    amount(subject, unit),
    middle,
    budgetOf(figure),
    bytes === undefined ? '' : `${Math.round(bytes.baseline)} > ${Math.round(bytes.subject)}`,
    figure.budget === undefined ? '' : isBroken(figure) ? 'BROKEN' : 'ok',
    about,
  ]
}

function budgetOf(figure: Figure): string {
  const { budget, goal } = figure
  if (budget === undefined) return '-'
  return goal === undefined ? shown(budget, figure) : `${shown(budget, figure)} (goal ${shown(goal, figure)})`
}

/** A ratio or a difference, as the figure compares. */
function shown(value: number, { compares, unit }: Figure): string {
  if (compares === 'ratio') return `${value.toFixed(2)}x`
  return hasTenths(unit) ? `${value.toFixed(1)} ${unit}` : String(Math.round(value))
}

function amount(value: number, unit: Figure['unit']): string {
  if (unit === 'instantiations') return String(Math.round(value))
  return `${hasTenths(unit) ? value.toFixed(1) : Math.round(value)} ${unit}`
}

function hasTenths(unit: Figure['unit']): boolean {
  return unit === 'ms' || unit === '%'
}
