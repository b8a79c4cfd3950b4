import type { PlanFigure } from './plan-figures.ts'

/** `$0.0004`, `$12.50`. */
export function dollarsText(usd: number): string {
  return usd < 1 ? `$${rounded(usd, 3)}` : `$${usd.toFixed(2)}`
}

/** Four places, or more where a share below 1 would be shown as 1. */
export function shareText(share: number): string {
  for (let places = 4; places < 12; places++) {
    const text = String(Number(share.toFixed(places)))
    if (text !== '1' || share === 1) return text
  }
  return '1'
}

function rounded(value: number, digits: number): number {
  return Number(value.toPrecision(digits))
}

/** A figure with a mark for where it comes from: none for declared, `*` recorded, `=` derived, `?` unknown; a bound says so. */
export function markedFigure({ value, source, isBound }: PlanFigure, text: (value: number) => string, bound: '≥' | '≤'): string {
  if (value === undefined) return '?'
  if (source === 'recorded') return `${text(value)}*`
  return `${source !== 'derived' ? '' : isBound ? bound : '='}${text(value)}`
}
