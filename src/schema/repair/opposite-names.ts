/** Words for the two ends or sides of something, of which a field of one of them is never meant by a name of the other one. */
const POLES: readonly (readonly [first: string, second: string])[] = [
  ['min minimum low lower lowest least gte gt above over', 'max maximum high upper highest most lte lt below under'],
  [
    'from source src origin departure sender start begin since after first pickup old previous',
    'to target destination dest arrival recipient end finish until before last dropoff new next',
  ],
  [
    'include included enable enabled allow allowed show with add active',
    'exclude excluded except disable disabled deny denied hide hidden without ignore skip remove not no non inactive',
  ],
  ['home left top input parent buyer debit', 'away right bottom output child seller credit'],
]

/** Names of the end itself, which a tool that knows one end only may call by another name: the destination of a stay is its city. */
const NOUNS: ReadonlySet<string> = new Set(['source', 'origin', 'departure', 'target', 'destination', 'arrival'])

const SIDES: ReadonlyMap<string, string> = new Map(
  POLES.flatMap(([first, second], index) => [
    ...first.split(' ').map((word) => [word, `${index}-`] as const),
    ...second.split(' ').map((word) => [word, `${index}+`] as const),
  ]),
)

/** Whether a word alone says an end or a side, and not of what. */
export function isPole(word: string): boolean {
  return SIDES.has(word)
}

/** Whether a name tells an end or a side that the name of the field does not tell, or the other way round: `bin` and `to_bin`, `start` and `end`. */
export function areOpposed(key: readonly string[], name: readonly string[]): boolean {
  const taken = sidesOf(name)
  const given = sidesOf(taken.size === 0 ? key.filter((word) => !NOUNS.has(word)) : key)
  return given.size !== taken.size || [...given].some((side) => !taken.has(side))
}

function sidesOf(words: readonly string[]): ReadonlySet<string> {
  return new Set(words.flatMap((word) => SIDES.get(word) ?? []))
}
