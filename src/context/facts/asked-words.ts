import type { OutputView } from '../view/view.ts'
import { brief, type Fact } from './fact.ts'
import { isStopWord, type TaskWords, wordsOf } from './task-words.ts'

const LONGEST_TASK = 1000
const MOST_WORDS = 12
const SHORTEST_WORD = 4
/** Of longer texts, words are not counted. */
const LONGEST_TEXT = 4_000_000
const WORD = /\p{L}[\p{L}\d]*(?:[_.'’-][\p{L}\d]+)*/gu
/** What one does with an output: no output speaks of that. */
const DOING = new Set(
  wordsOf(
    'analyse analyze answer ask check compare complete consider decide describe determine explain extract figure help identify investigate know learn look need output overview prepare question read report review say see something summarise summarize summary table tell understand want work write whether about also after before between during every first last long just like make take still where which while with without anything everything nothing',
  ),
)

/** How often the words of the task come in an output: those that it does not have at all answer what is not there. */
export function askedWords({ text, lines }: OutputView, { text: task }: TaskWords): Fact[] {
  const words = [...new Set((task.slice(0, LONGEST_TASK).match(WORD) ?? []).map((word) => word.toLowerCase()))]
    .filter((word) => word.length >= SHORTEST_WORD && !isStopWord(word) && !wordsOf(word).every((each) => DOING.has(each)))
    .slice(0, MOST_WORDS)
  if (words.length === 0 || text.length > LONGEST_TEXT) return []
  const lower = lines.length > 1 ? lines.map((line) => line.toLowerCase()) : [text.toLowerCase()]
  const counted = words.map((word) => ({ word, count: matchesIn(lower, stemOf(word)) }))
  const absent = counted.filter(({ count }) => count === 0).map(({ word }) => brief(word, 40))
  const said = counted.filter(({ count }) => count > 0).map(({ word, count }) => `${brief(stemOf(word), 40)} ${count}`)
  return [
    ...(absent.length === 0 ? [] : [{ text: `words of the task that are not in it: ${absent.join(', ')}`, worth: OF_ABSENT, part: '', order: 0 }]),
    ...(said.length === 0 ? [] : [{ text: `words of the task, with how often they come: ${said.join(', ')}`, worth: OF_SAID, part: '', order: 0 }]),
  ]
}

const OF_ABSENT = 0.5
const OF_SAID = 0.25

/** Without the end of a plural, or of a form of a verb. */
function stemOf(word: string): string {
  const [only, second] = wordsOf(word)
  return second === undefined && only !== undefined && word.startsWith(only) ? only : word
}

function matchesIn(lines: readonly string[], word: string): number {
  let count = 0
  for (const line of lines) for (let at = line.indexOf(word); at >= 0; at = line.indexOf(word, at + word.length)) count++
  return count
}
