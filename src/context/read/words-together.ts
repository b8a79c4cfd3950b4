import { isStopWord, wordsOf } from '../facts/task-words.ts'
import type { OutputView } from '../view/view.ts'
import type { Unit } from './units-of.ts'

/** What a search found. */
export interface Found {
  readonly units: readonly Unit[]
  readonly matches: number
  /** How it was found, where it is not written like the query. */
  readonly note?: string | undefined
  /** Hits have some of the words only, or not as one text. */
  readonly isPartly?: boolean | undefined
  /** What is written with other capitals. */
  readonly others?: Pick<Found, 'units' | 'matches'> | undefined
}

/** A query that is not written anywhere finds what has so many of its words. */
const MOST_OF_THE_WORDS = 0.6
const LONGEST_UNIT = 4000
const MOST_LINES_OF_A_PASSAGE = 40
const MOST_NEAR = 8
/** Words with so many letters in common at their beginning are of one family. */
const FEWEST_IN_COMMON = 5

interface Scored {
  readonly unit: Unit
  readonly hits: ReadonlySet<string>
}

/** The lines or records with most of the words of a query; else the passages in which they stand near each other. */
export function wordsTogether(view: OutputView, units: readonly Unit[], wanted: string): Found | undefined {
  const words = [...new Set(wordsOf(wanted))]
  // One name, whatever marks are in it, is there or is not.
  if (words.length < 2 || !/\s/.test(wanted)) return undefined
  const scored = scoredBy(units, words)
  const isInLines = units[0]?.line !== undefined && units[0].value === undefined
  const alone = best(scored)
  const near = isInLines && alone.most < words.length ? best(passagesOf(view, scored)) : alone
  const found = near.most > alone.most ? near : alone
  if (found.most < Math.max(2, MOST_OF_THE_WORDS * words.length)) return undefined
  return {
    units: found.units,
    matches: found.units.length,
    isPartly: true,
    note: found.most === words.length ? 'all of the words, not as one text' : `${found.most} of ${words.length} words`,
  }
}

/** The units that have everything between the blanks of a query as it is written, such as `edge-fra-2 memory_mb`, where a name in it has marks. */
export function namesTogether(units: readonly Unit[], wanted: string): Found | undefined {
  const names = wanted
    .toLowerCase()
    .split(/\s+/)
    .filter((name) => name !== '' && !isStopWord(name))
  if (names.length < 2 || !names.some((name) => /[\p{L}\d][^\p{L}\d]+[\p{L}\d]/u.test(name))) return undefined
  const found = units.filter(({ text, place }) => {
    const own = `${place} ${text}`.toLowerCase()
    return names.every((name) => own.includes(name))
  })
  return found.length === 0 ? undefined : { units: found, matches: found.length, note: 'all of the words, not as one text' }
}

/** The units with the rarest words of a query, or with words like them. */
export function nearestWords(units: readonly Unit[], wanted: string): readonly Unit[] {
  const words = [...new Set(wordsOf(wanted))]
  if (words.length === 0) return []
  const scored = scoredBy(units, words)
  const frequency = new Map<string, number>()
  for (const { hits } of scored) for (const word of hits) frequency.set(word, (frequency.get(word) ?? 0) + 1)
  const worth = (hits: ReadonlySet<string>): number =>
    [...hits].reduce((sum, word) => sum + Math.log(1 + units.length / (frequency.get(word) ?? 1)), 0)
  return scored
    .map(({ unit, hits }) => ({ unit, worth: worth(hits) }))
    .filter((each) => each.worth > 0)
    .toSorted((a, b) => b.worth - a.worth)
    .slice(0, MOST_NEAR)
    .map(({ unit }) => unit)
}

function best(scored: readonly Scored[]): { readonly most: number; readonly units: readonly Unit[] } {
  const most = scored.reduce((max, { hits }) => Math.max(max, hits.size), 0)
  return { most, units: most === 0 ? [] : scored.filter(({ hits }) => hits.size === most).map(({ unit }) => unit) }
}

/** For each unit the words of the query in it. A word that no unit has stands for those that begin like it. */
function scoredBy(units: readonly Unit[], words: readonly string[]): readonly Scored[] {
  const own = units.map(({ text, place }) => new Set(wordsOf(`${place} ${text.slice(0, LONGEST_UNIT)}`)))
  const known = new Set<string>()
  for (const each of own) for (const word of each) known.add(word)
  const families = words.map((word) => ({ word, like: known.has(word) ? [word] : [...known].filter((each) => isOfFamily(each, word)) }))
  return units.map((unit, at) => ({
    unit,
    hits: new Set(families.flatMap(({ word, like }) => (like.some((each) => own[at]?.has(each) === true) ? [word] : []))),
  }))
}

/** `inspection` and `inspected`, `colour` and `color`. */
function isOfFamily(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length)
  if (shorter < FEWEST_IN_COMMON - 1 || /\d/.test(a) || /\d/.test(b)) return false
  let common = 0
  while (common < shorter && a[common] === b[common]) common++
  if (common >= FEWEST_IN_COMMON && common >= 0.6 * Math.max(a.length, b.length)) return true
  return shorter >= FEWEST_IN_COMMON && Math.abs(a.length - b.length) <= 1 && isOneChangeAway(a, b, common)
}

/** One letter more, less or another one, after so many that are the same. */
function isOneChangeAway(a: string, b: string, common: number): boolean {
  const [restA, restB] = [a.slice(common), b.slice(common)]
  return restA.slice(1) === restB.slice(1) || restA.slice(1) === restB || restA === restB.slice(1)
}

/** Lines that belong together: a record, or what stands between two blank lines. Each is shown by the line that has most of the words. */
function passagesOf({ lines, marks = [], headings }: OutputView, scored: readonly Scored[]): readonly Scored[] {
  const starts = new Set([...marks, ...headings].map(({ line }) => line))
  const passages: Scored[] = []
  let own: Scored[] = []
  const end = (): void => {
    const [first] = own
    if (first === undefined) return
    const hits = new Set(own.flatMap((each) => [...each.hits]))
    passages.push({ unit: own.reduce((most, each) => (each.hits.size > most.hits.size ? each : most), first).unit, hits })
    own = []
  }
  for (const each of scored) {
    const line = each.unit.line ?? 0
    const isBlank = starts.size === 0 && lines[line - 1]?.trim() === ''
    if (starts.has(line) || isBlank || own.length >= MOST_LINES_OF_A_PASSAGE) end()
    if (!isBlank) own.push(each)
  }
  end()
  return passages
}
