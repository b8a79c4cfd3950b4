import { cellText } from '../view/table.ts'
import type { OutputView } from '../view/view.ts'
import { brief, type Fact } from './fact.ts'
import { phraseFacts } from './phrase-facts.ts'
import type { TableProfile } from './table-profile.ts'

const FEWEST = 3
const MOST_TEXTS = 8
const LONGEST_TEXT = 80
const MOST_NAMES = 24
const MOST_LINES = 100_000
const LONGEST_LINE = 1000
/** Names that a text makes of several words, names in capitals, boxes of lists: what stands out among words. */
const NAMES = /\b(?:[A-Z][a-z]+(?:[A-Z][a-z\d]*)+|[a-z]+(?:_[a-z\d]+)+|[A-Z][A-Z_\d]{2,})\b|\[[ xX]\]/g

/** What a text says again and again, each with how often: whole lines or sentences, and names in them. */
export function repeatedFacts(view: OutputView, profiles: readonly TableProfile[], part: string): Fact[] {
  const known = new Set(profiles.flatMap(({ columns }) => columns.flatMap(({ name, counts }) => [name, ...(counts?.keys() ?? [])])))
  const texts = counted(
    [...view.sentences.map(({ text }) => text.trim()), ...longCells(profiles)].filter(
      (text) => text.length > 2 && text.length <= LONGEST_TEXT && /\p{L}/u.test(text) && !known.has(text),
    ),
  )
  const facts: Fact[] = []
  if (texts.length > 0) facts.push(fact(`said more than once: ${listed(texts.slice(0, MOST_TEXTS))}`, part))
  if (!IN_WORDS.has(view.shape)) return facts
  const names = counted(view.lines.slice(0, MOST_LINES).flatMap((line) => line.slice(0, LONGEST_LINE).match(NAMES) ?? []))
  const shown = names.filter(([name]) => !known.has(name)).slice(0, MOST_NAMES)
  if (shown.length > 0) facts.push(fact(`names, with how often they come: ${listed(shown)}`, part))
  const said = new Set([...known, ...shown.map(([name]) => name), ...texts.map(([text]) => text)])
  return [...facts, ...phraseFacts(view, said, part)]
}

/** Shapes whose words are not values of columns. */
const IN_WORDS: ReadonlySet<OutputView['shape']> = new Set(['log', 'trace', 'diff', 'mail', 'chat', 'markdown', 'prose', 'mixed', 'html'])

function fact(text: string, part: string): Fact {
  return { text, worth: 0.9, part, order: 0 }
}

/** The cells of columns with long texts, which no column counts. */
function longCells(profiles: readonly TableProfile[]): string[] {
  return profiles.flatMap(({ table, columns }) =>
    columns.flatMap(({ name, kind }) => (kind === 'text' ? (table.columns.get(name) ?? []).map((cell) => cellText(cell).trim()) : [])),
  )
}

function counted(texts: readonly string[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].filter(([, count]) => count >= FEWEST).toSorted((a, b) => b[1] - a[1])
}

function listed(counts: readonly (readonly [string, number])[]): string {
  return counts.map(([text, count]) => `${brief(text, LONGEST_TEXT)} ${count}`).join(', ')
}
