import type { Kind, Question, Read } from '../bench-output.ts'
import type { Random } from '../random.ts'

/** The answer to a question for something that is not there, as a read can say it. */
export const nothing: readonly string[] = ['0 matches', 'count 0', '0 of']

export function question(kind: Kind, ask: string, answer: Question['answer'], reads: readonly Read[]): Question {
  return { ask, kind, answer, reads }
}

/** Every one of these must stand in the text, in this one spelling. */
export function all(...spellings: readonly string[]): readonly string[][] {
  return spellings.map((spelling) => [spelling])
}

/** The spellings of a number of four digits or more. */
export function number(value: number): string[] {
  const exact = String(value)
  const round = value.toFixed(2)
  const short = String(Number(round))
  return [...new Set([exact, ...(Number.isInteger(value) ? [] : [round, short]), withCommas(short), withCommas(exact)])]
}

/** The spellings of a count: a small one only in context, for its digits stand everywhere. */
export function count(value: number): string[] {
  if (value >= 1000) return number(value)
  return ['count ', 'count: ', 'count=', '"count":', '"count": ']
    .map((before) => before + value)
    .concat([`${value} matches`, `${value} of`, `${value} rows`, `${value} lines`])
}

/** The spellings of a small number beside the name of its group. */
export function grouped(name: string, value: number): string[] {
  if (value >= 1000) return number(value)
  const between = [' ', ': ', ':', '=', ' = ', ' | ', ',', ', ', '\t', '": ', '":', ' (', ' ×', ' x', '","count":', '", "count": ']
  return between.map((joint) => name + joint + value)
}

export function sumOf<T>(list: readonly T[], of: (item: T) => number): number {
  return list.reduce((sum, item) => sum + of(item), 0)
}

/** The one item with the highest measure. */
export function highest<T>(list: readonly T[], of: (item: T) => number): T {
  return list.reduce((best, item) => (of(item) > of(best) ? item : best))
}

/** An instant as programs write it, to the second. */
export function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 19) + 'Z'
}

export function title(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const first =
  'Amara Bjorn Celine Dmitri Esther Farid Greta Hideo Ines Jonas Katya Lorenzo Mirela Noor Oskar Petra Quentin Rosalind Samir Tove'.split(
    ' ',
  )
const last =
  'Abara Lindqvist Moreau Sokolov Whitfield Haddad Kessler Tanaka Carvalho Novak Orlova Bianchi Popescu Rahman Fjeld Dvorak'.split(' ')

export function person(random: Random): string {
  return `${random.pick(first)} ${random.pick(last)}`
}

/** A family name that no filler uses. */
export function rarePerson(random: Random): string {
  const start = random.pick(['Ottoline', 'Thaddeus', 'Wilhelmina', 'Cosmo', 'Persephone', 'Ignatius'])
  return `${start} ${random.pick(['Brandreth', 'Quillfeather', 'Vantongeren', 'Zubizarreta', 'Oyelaran'])}-${random.pick(['Vos', 'Pym', 'Adeyemi', 'Strand'])}`
}

function withCommas(digits: string): string {
  const [whole = '', rest] = digits.split('.')
  const grouping = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return rest === undefined ? grouping : `${grouping}.${rest}`
}
