import { nameForm, nameWords } from './name-words.ts'
import type { SchemaNode } from './schema-node.ts'

/** Names of the two ends of a range, in their order, that mean the same: both ends belong to it. */
const CLOSED = [
  ['min', 'max'],
  ['minimum', 'maximum'],
  ['from', 'to'],
  ['start', 'end'],
  ['begin', 'end'],
  ['startdate', 'enddate'],
  ['fromdate', 'todate'],
  ['datefrom', 'dateto'],
  ['lower', 'upper'],
  ['low', 'high'],
  ['since', 'until'],
  ['gte', 'lte'],
] as const

/** Names of the two ends of a range, in their order. */
const ENDS = [...CLOSED, ['after', 'before']] as const

/** The names of the first and the second end, where there are these two names and no other. */
export function endsOf(names: readonly string[]): readonly [string, string] | undefined {
  const [one = '', other = '', ...more] = names
  if (more.length > 0) return undefined
  for (const [first, second] of ENDS) {
    if (nameForm(one) === first && nameForm(other) === second) return [one, other]
    if (nameForm(one) === second && nameForm(other) === first) return [other, one]
  }
  return undefined
}

/** The fields of a range by other names of its ends: `start` and `end` for `from` and `to`. Nothing but the two ends is given and taken. */
export function renamedEnds(keys: readonly string[], { properties }: SchemaNode): ReadonlyMap<string, string> {
  const taken = closedEnds(Object.keys(properties))
  const given = closedEnds(keys)
  if (taken === undefined || given === undefined || keys.some((key) => Object.hasOwn(properties, key))) return NONE
  return new Map(given.map((key, index) => [key, taken[index] ?? '']))
}

function closedEnds(names: readonly string[]): readonly string[] | undefined {
  const ends = endsOf(names)
  return ends !== undefined && CLOSED.some(([first]) => first === nameForm(ends[0])) ? ends : undefined
}

const NONE: ReadonlyMap<string, string> = new Map()

/** Words for the two ends of a way, a time or a choice, and for those of a measure. The two ends of one line have one meaning. */
const FAMILIES: readonly (readonly (readonly [string, string])[])[] = [
  [
    ['from', 'to'],
    ['start', 'end'],
    ['begin', 'end'],
    ['begin', 'finish'],
    ['start', 'finish'],
    ['since', 'until'],
    ['origin', 'destination'],
    ['source', 'target'],
    ['source', 'destination'],
    ['departure', 'arrival'],
    ['departure', 'destination'],
    ['departure', 'return'],
    ['pickup', 'dropoff'],
    ['in', 'out'],
  ],
  [
    ['min', 'max'],
    ['minimum', 'maximum'],
    ['lower', 'upper'],
    ['gte', 'lte'],
  ],
]

interface EndNames {
  readonly family: number
  readonly names: readonly [string, string]
}

/** The pairs of names that differ in the word for their end only: `from_date` and `to_date`. */
export function pairsOfEnds(names: readonly string[]): readonly EndNames[] {
  const byForm = new Map(names.map((name) => [nameWords(name).join(' '), name]))
  return FAMILIES.flatMap((pairs, family) =>
    pairs.flatMap(([first, second]) =>
      [...byForm].flatMap(([form, name]) => {
        const words = form.split(' ')
        const at = words.indexOf(first)
        const other = at < 0 ? undefined : byForm.get(words.with(at, second).join(' '))
        return other === undefined ? [] : [{ family, names: [name, other] as const }]
      }),
    ),
  )
}
