/** Whether a version is in a range of the form `^1.2.3` or `>=1.2.3`. The part behind a dash is ignored. */
export function inRange(version: string, range: string): boolean {
  const least = numbersOf(range.replace(/^\D+/, ''))
  const given = numbersOf(version)
  const order = compare(given, least)
  if (order < 0) return false
  if (!range.startsWith('^')) return true
  const fixed = least.findIndex((each) => each > 0)
  return given.slice(0, fixed + 1).every((each, index) => each === least[index])
}

function numbersOf(version: string): readonly number[] {
  return (version.split('-')[0] ?? '').split('.').map(Number)
}

function compare(a: readonly number[], b: readonly number[]): number {
  const differs = a.findIndex((each, index) => each !== b[index])
  return differs === -1 ? 0 : (a[differs] ?? 0) - (b[differs] ?? 0)
}
