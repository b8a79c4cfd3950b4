export interface SliceBounds {
  readonly start: number | undefined
  readonly end: number | undefined
  readonly step: number
}

/** The indexes of a slice such as `[1:3]` or `[::-1]`; negative ones count from the end. */
export function sliceIndexes(length: number, { start, end, step }: SliceBounds): readonly number[] {
  const indexes: number[] = []
  if (step > 0) {
    const last = bound(end ?? length, length, 0)
    for (let index = bound(start ?? 0, length, 0); index < last; index += step) indexes.push(index)
  } else {
    const last = end === undefined ? -1 : bound(end, length, -1)
    for (let index = start === undefined ? length - 1 : bound(start, length, -1); index > last; index += step) indexes.push(index)
  }
  return indexes
}

/** `lowest` is 0 going up and -1 going down: one before the first. */
function bound(given: number, length: number, lowest: 0 | -1): number {
  return Math.min(Math.max(given < 0 ? given + length : given, lowest), length + lowest)
}
