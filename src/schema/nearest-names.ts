const MAX_SHOWN = 3

/** The names most like the one that was asked for, the likest first. */
export function nearestNames(wanted: string, names: readonly string[]): readonly string[] {
  const asked = wanted.slice(0, 64).toLowerCase()
  return names
    .map((name) => ({ name, distance: distance(asked, name.toLowerCase()) }))
    .filter(({ name, distance: d }) => isNear(d, asked, name.toLowerCase()))
    .toSorted((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, MAX_SHOWN)
    .map(({ name }) => name)
}

/** At least one character of the shorter name must be left, else any short name would be near to any other. */
function isNear(steps: number, asked: string, name: string): boolean {
  // A name of one character is near only to itself with one more.
  if (name.length === 1) return steps <= 1 && asked.startsWith(name)
  return steps <= Math.max(2, Math.ceil(name.length / 2)) && steps < Math.min(asked.length, name.length)
}

/** Shorter names are contained in others by chance. */
const LEAST_CONTAINED = 3

/** How many characters must be inserted, deleted, replaced; a name contained in the other is one step away. */
function distance(a: string, b: string): number {
  if (Math.min(a.length, b.length) >= LEAST_CONTAINED && (b.includes(a) || a.includes(b))) return a === b ? 0 : 1
  let above = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let row = 1; row <= a.length; row++) {
    const line = [row]
    for (let column = 1; column <= b.length; column++) {
      const replaced = (above[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1)
      line.push(Math.min(replaced, (above[column] ?? 0) + 1, (line[column - 1] ?? 0) + 1))
    }
    above = line
  }
  return above[b.length] ?? 0
}
