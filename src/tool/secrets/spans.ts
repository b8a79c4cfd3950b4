/** A stretch of a text: from the first character to the one after the last. */
export type Span = readonly [start: number, end: number]

/** In order, and those that touch or overlap as one. */
export function mergedSpans(spans: readonly Span[]): readonly Span[] {
  if (spans.length < 2) return spans
  const merged: [number, number][] = []
  for (const [start, end] of spans.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1)
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end)
    else merged.push([start, end])
  }
  return merged
}

/** The text with each of the merged spans written anew. */
export function replaceSpans(text: string, spans: readonly Span[], write: (hidden: string) => string): string {
  let replaced = ''
  let from = 0
  for (const [start, end] of spans) {
    replaced += text.slice(from, start) + write(text.slice(start, end))
    from = end
  }
  return from === 0 ? text : replaced + text.slice(from)
}
