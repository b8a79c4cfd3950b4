import type { PlanFigure } from './plan-figures.ts'

/** `0.4 ms`, `80 ms`, `1.4 s`, `2.5 min`, `3 h`. */
export function millisecondsText(ms: number): string {
  if (ms < 10) return `${rounded(ms, 2)} ms`
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 119_500) return `${rounded(ms / 1000, 3)} s`
  return ms < 7_170_000 ? `${rounded(ms / 60_000, 3)} min` : `${rounded(ms / 3_600_000, 3)} h`
}

/** `$0.0004`, `$12.50`. */
export function dollarsText(usd: number): string {
  return usd < 1 ? `$${rounded(usd, 3)}` : `$${usd.toFixed(2)}`
}

/** Four places, or as many as it takes to tell it from certain. */
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
