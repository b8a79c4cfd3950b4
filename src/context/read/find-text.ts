import { brief } from '../facts/fact.ts'
import type { OutputView } from '../view/view.ts'
import { looksLikePattern, patternOf } from './pattern-of.ts'
import type { Unit } from './units-of.ts'
import { type Found, namesTogether, wordsTogether } from './words-together.ts'
import { otherDates, plainly } from './written-otherwise.ts'

const MOST_SNIPPETS = 20
/** So many letters are no accident, whatever marks stand between them. */
const FEWEST_LETTERS = 6

/** What a text is found in: as it is written, with other capitals or marks, as a pattern, in encoded data, in words that stand together. */
export function findText(view: OutputView, wanted: string, units: readonly Unit[]): Found | undefined {
  const lower = wanted.toLowerCase()
  const written = asWritten(units, wanted)
  const inData = inRecordsDecoded(view, units, lower)
  if (written !== undefined) return inData === undefined ? written : withMore(written, inData)
  const byPattern = patternMatching(units, wanted)
  if (byPattern !== undefined) return byPattern
  const otherwise = writtenOtherwise(units, wanted)
  if (otherwise !== undefined) return otherwise
  const raw = view.shape === 'html' ? matching(linesOf(view), lower, (text) => text.toLowerCase()) : undefined
  if (raw !== undefined) return { ...raw, note: 'in the source of the page' }
  const words = inData ?? inRawText(view.text, lower) ?? namesTogether(units, wanted)
  if (words !== undefined) return words
  const bare = withoutColumns(view, wanted)
  const together = wordsTogether(view, units, bare)
  if (together !== undefined || bare === wanted) return together
  const found = asWritten(units, bare)
  return found === undefined ? undefined : { ...found, note: `as '${brief(bare, 60)}': the rest is the name of a column` }
}

/** `level=ERROR` and `level ERROR` without the name of the column, where the lines do not say it. */
function withoutColumns({ tables }: OutputView, wanted: string): string {
  const names = new Set(tables.flatMap(({ columns }) => [...columns.keys()].map((name) => name.toLowerCase())))
  const bare = wanted
    .replace(/([\p{L}_][\p{L}\d_.-]*)\s*(?:[:=]+\s*|\s)(?=\S)/gu, (whole, name: string) => (names.has(name.toLowerCase()) ? '' : whole))
    .trim()
  return bare === '' ? wanted : bare
}

/** Lines or records by a pattern: `WARN.*SKU-12`, `late|lost`, `late OR lost`. */
function patternMatching(units: readonly Unit[], wanted: string): Found | undefined {
  const written = wanted.replace(/^\/(.+)\/[gimsu]*$/, '$1').replace(/\s+OR\s+/g, '|')
  if (!looksLikePattern(written)) return undefined
  const pattern = patternOf(written)
  const found = units.filter(({ text, place, value }) => {
    const own = value === undefined ? text : `${place}: ${text}`
    return pattern.test(own.slice(0, LONGEST_MATCHED))
  })
  return found.length === 0 ? undefined : { units: found, matches: found.length, note: 'as a pattern' }
}

const LONGEST_MATCHED = 10_000

function asWritten(units: readonly Unit[], wanted: string): Found | undefined {
  const exact = matching(units, wanted, (text) => text)
  const folded = matching(units, wanted.toLowerCase(), (text) => text.toLowerCase())
  if (folded !== undefined) {
    if (exact === undefined || exact.matches === folded.matches) return folded
    const same = new Set(exact.units)
    return { ...exact, others: { units: folded.units.filter((unit) => !same.has(unit)), matches: folded.matches - exact.matches } }
  }
  const escaped = JSON.stringify(wanted).slice(1, -1)
  return escaped === wanted ? undefined : matching(units, escaped, (text) => text)
}

/** The records whose encoded data have a text: they say what the data belong to. Decoded lines of a text are units themselves. */
function inRecordsDecoded(view: OutputView, units: readonly Unit[], lower: string): Found | undefined {
  if (units.every(({ value }) => value === undefined)) return undefined
  const decoded = view.blobs.flatMap((blob) => {
    const matches = occurrences(blob.text?.toLowerCase() ?? '', lower)
    return matches === 0 ? [] : [{ ...blob, matches }]
  })
  if (decoded.length === 0) return undefined
  const own = decoded.slice(0, MOST_SNIPPETS).map(({ number, text = '', at, length }): Unit => {
    const encoded = view.text.slice(at, at + length)
    const record = units.find(({ text: whole, value }) => value !== undefined && whole.includes(encoded))
    return record ?? { text: around(text, lower), place: `blob${number}, decoded` }
  })
  return { units: [...new Set(own)], matches: decoded.reduce((sum, { matches }) => sum + matches, 0), note: 'decoded' }
}

function withMore(found: Found, { units, matches }: Found): Found {
  const known = new Set(found.units)
  return {
    ...found,
    units: [...found.units, ...units.filter((unit) => !known.has(unit))],
    matches: found.matches + matches,
    note: `${matches} of them in encoded data`,
  }
}

function occurrences(text: string, wanted: string): number {
  let count = 0
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) count++
  return count
}

/** The same text with other marks, accents or spaces, the same number, the same day. */
function writtenOtherwise(units: readonly Unit[], wanted: string): Found | undefined {
  const plain = units.map((unit) => ({ ...unit, text: plainly(unit.text) }))
  const unchanged = ({ units: own, matches }: Found): Found => {
    const hits = new Set(own)
    return { units: units.filter((_unit, at) => hits.has(plain[at] as Unit)), matches, note: 'written in another way' }
  }
  const query = plainly(wanted)
  const same = matching(plain, query, (text) => text) ?? matching(plain, query.replace(/(?<=\d)[.,]0{1,2}$/, ''), (text) => text)
  if (same !== undefined) return unchanged(same)
  for (const date of otherDates(wanted)) {
    const found = matching(plain, plainly(date), (text) => text)
    if (found !== undefined) return unchanged(found)
  }
  const bare = lettersOf(query)
  if (bare.length < FEWEST_LETTERS) return undefined
  const found = matching(plain, bare, lettersOf)
  return found === undefined ? undefined : unchanged(found)
}

function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\d]+/gu, '')
}

function matching(units: readonly Unit[], wanted: string, fold: (text: string) => string): Found | undefined {
  let matches = 0
  const hits = units.filter(({ text, place, value }) => {
    // The path of a record has keys that are data too; the place of a line says only its number.
    const count = occurrences(fold(value === undefined ? text : `${place}: ${text}`), wanted)
    matches += count
    return count > 0
  })
  return hits.length === 0 ? undefined : { units: hits, matches }
}

/** What stands in the text but in none of its units, such as a tag or a quoted key: with what is around it. */
function inRawText(text: string, lower: string): Found | undefined {
  const folded = text.toLowerCase()
  const units: Unit[] = []
  let matches = 0
  for (let at = folded.indexOf(lower); at >= 0; at = folded.indexOf(lower, at + lower.length)) {
    matches++
    if (units.length < MOST_SNIPPETS) units.push({ text: text.slice(Math.max(0, at - 150), at + lower.length + 350), place: `at ${at}` })
  }
  return matches === 0 ? undefined : { units, matches, note: 'in the source' }
}

function linesOf({ lines }: OutputView): Unit[] {
  return lines.map((text, at) => ({ text: brief(text, 1000), line: at + 1, place: `line ${at + 1}` }))
}

function around(text: string, lower: string): string {
  const at = text.toLowerCase().indexOf(lower)
  return text.slice(Math.max(0, at - 200), at + lower.length + 400)
}
