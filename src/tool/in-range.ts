/** Whether a version is in a range of the form `^1.2.3`, `>=1.2.3` or `>=1.2.3 <2.0.0`. The part behind a dash is ignored. */
export function inRange(version: string, range: string): boolean {
  const given = numbersOf(version)
  return range.split(' ').every((bound) => isWithin(given, bound))
}

function isWithin(given: readonly number[], bound: string): boolean {
  const limit = numbersOf(bound.replace(/^\D+/, ''))
  const order = compare(given, limit)
  if (bound.startsWith('<')) return order < 0
  if (order < 0) return false
  if (!bound.startsWith('^')) return true
  const fixed = limit.findIndex((each) => each > 0)
  return given.slice(0, fixed + 1).every((each, index) => each === limit[index])
}

function numbersOf(version: string): readonly number[] {
  return (version.split('-')[0] ?? '').split('.').map(Number)
}

function compare(a: readonly number[], b: readonly number[]): number {
  const differs = a.findIndex((each, index) => each !== b[index])
  return differs === -1 ? 0 : (a[differs] ?? 0) - (b[differs] ?? 0)
}
