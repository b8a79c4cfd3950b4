import { singular } from './name-words.ts'

/** What is told by its place in a row. Storeys are left out: they are counted from the ground in some countries and from the street in others. */
const PLACES: ReadonlySet<string> = new Set(
  (
    'attempt avenue century chapter class column day edition episode game generation grade index instance issue item iteration lesson line lot ' +
    'match month no nr nth number occurrence page part percentile period place position quarter rank round row season seat semester slot step street ' +
    'term verse volume week year'
  ).split(' '),
)

const ORDINALS: Readonly<Record<string, string>> = {
  ...{ first: '1st', second: '2nd', third: '3rd', fourth: '4th', fifth: '5th', sixth: '6th' },
  ...{ seventh: '7th', eighth: '8th', ninth: '9th', tenth: '10th' },
}

/** `17th`, `first class` and `17th century` for the number of one century. How many there are, no ordinal says. */
export function ordinalIn(given: string, names: readonly string[]): string | undefined {
  const text = given.replace(/^the\s+/i, '').replace(/^[a-z]+/i, (word) => ORDINALS[word.toLowerCase()] ?? word)
  const [, digits, ending = '', noun] = /^([1-9]\d{0,3})(st|nd|rd|th)(?:\s+(\p{L}+))?$/iu.exec(text) ?? []
  const last = names.at(-1) ?? ''
  if (
    digits === undefined ||
    singular(last) !== last ||
    !PLACES.has(last) ||
    names.includes('per') ||
    ending.toLowerCase() !== endingOf(Number(digits))
  )
    return undefined
  return noun === undefined || names.includes(noun.toLowerCase()) ? digits : undefined
}

function endingOf(number: number): string {
  const isTeen = number % 100 > 10 && number % 100 < 14
  return isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th')
}
