import { timeOf } from '../view/time-of.ts'

const FEW_GROUPS = 12
const MOST_COARSER = 24
const LOOKED_AT = 50

interface Way {
  readonly name: string
  readonly of: (key: string) => string | undefined
}

const period = (name: string, length: number): Way => ({
  name,
  of: (key) => {
    const time = /\d/.test(key) ? timeOf(key) : undefined
    return time === undefined || Math.abs(time) > 8.64e15 ? undefined : new Date(time).toISOString().slice(0, length)
  },
})

/** Periods from short to long, then what names have before their numbers. */
const WAYS: readonly Way[] = [
  period('hour', 13),
  period('day', 10),
  period('month', 7),
  period('year', 4),
  { name: 'name without numbers', of: (key) => /^(.{2,60}?)[-_#:/ .]*\d+$/.exec(key)?.[1] },
]

/** Many groups put together to some: days to months, `worker-1` and `worker-2` to `worker`. Undefined where that says no more. */
export function coarserGroups(
  groups: ReadonlyMap<string, readonly number[]>,
): { readonly name: string; readonly groups: ReadonlyMap<string, number[]> } | undefined {
  if (groups.size <= FEW_GROUPS) return undefined
  const keys = [...groups.keys()].filter((key) => key !== '')
  for (const { name, of } of WAYS) {
    if (keys.slice(0, LOOKED_AT).some((key) => of(key) === undefined)) continue
    const coarser = new Map<string, number[]>()
    for (const [key, rows] of groups) {
      const to = of(key) ?? key
      coarser.set(to, [...(coarser.get(to) ?? []), ...rows])
      if (coarser.size > MOST_COARSER) break
    }
    if (coarser.size > 1 && coarser.size <= MOST_COARSER && 2 * coarser.size <= groups.size) return { name, groups: coarser }
  }
  return undefined
}
