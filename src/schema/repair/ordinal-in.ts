import { singular } from './name-words.ts'

/** Storeys are counted from the ground in some countries and from the street in others. */
const STOREYS: ReadonlySet<string> = new Set(['floor', 'level', 'storey', 'story'])

/** `17th` and `17th century` for the number of one century. How many there are, no ordinal says. */
export function ordinalIn(text: string, names: readonly string[]): string | undefined {
  const [, digits, ending = '', noun] = /^([1-9]\d{0,3})(st|nd|rd|th)(?:\s+(\p{L}+))?$/iu.exec(text) ?? []
  const last = names.at(-1) ?? ''
  if (digits === undefined || singular(last) !== last || STOREYS.has(last) || ending.toLowerCase() !== endingOf(Number(digits)))
    return undefined
  return noun === undefined || names.includes(noun.toLowerCase()) ? digits : undefined
}

function endingOf(number: number): string {
  const isTeen = number % 100 > 10 && number % 100 < 14
  return isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th')
}
