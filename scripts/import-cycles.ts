/** The groups of files that all reach one another by imports. `imports` names for each file the files that it imports. */
export function importCycles(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const places = new Map<string, number>()
  const path: string[] = []
  const cycles: string[][] = []

  /** Tarjan's walk. Gives the earliest place on the present path that the file leads back to. */
  const walk = (file: string): number => {
    const place = places.size
    const depth = path.push(file) - 1
    places.set(file, place)
    let earliest = place
    for (const next of imports.get(file) ?? []) {
      if (!places.has(next)) earliest = Math.min(earliest, walk(next))
      else if (path.includes(next)) earliest = Math.min(earliest, places.get(next) ?? place)
    }
    if (earliest < place) return earliest
    const group = path.splice(depth)
    if (group.length > 1) cycles.push(group.toSorted())
    return earliest
  }

  for (const file of imports.keys()) if (!places.has(file)) walk(file)
  return cycles
}
