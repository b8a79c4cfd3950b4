import { withoutTime } from '../view/log-records.ts'
import { lineTokens, shapeOf } from '../view/line-tokens.ts'
import type { OutputView, Sentence } from '../view/view.ts'
import { brief, type Fact, ORDER } from './fact.ts'
import { KIND_WEIGHT } from './kind-weights.ts'
import { type TaskWords, wordsOf } from './task-words.ts'

const MOST_SENTENCES = 30_000
const LONGEST = 300
const USUAL_ALARM = 0.02
/** The few lines that are of no kind with the others are the exceptions. */
const FEW_OF_THE_LINES = 0.05
const LEFT_OVER = 1.7
const SEVERITY = /\b(?:fatal|panic|critical|severe|emergency)\b/i
const ERROR = /\b(?:error|exception|fail(?:ed|ure)?|denied|refused|timed? ?out|crash(?:ed)?|corrupt(?:ed)?|rejected)\b/i
const WARNING = /\bwarn(?:ing)?\b/i
const BINDING =
  /\b(?:must|shall|decided|agreed|except|unless|only|never|deadline|owner|responsible|approved|because|therefore|instead|however|total|limit|not allowed|deprecated)\b/i
/** Letters and digits in one word, or digits with marks between them. */
const CODE = /(?<![\w-])(?=[\w#/-]*\d)(?=[\w#/-]*[A-Za-z#/-])[A-Za-z\d][\w#/-]{3,40}/g
const AMOUNT = /(?:[$€£]\s?\d|(?<![\w.-])\d[\d.,]*(?:\s?(?:%|euros?|dollars?|kg|km|days?|hours?|minutes?|ms|GB|MB))?(?![\w-]))/g
const PERSON = /\b[A-Z][a-z]+ (?:[A-Z]\. )?[A-Z][a-z]+(?:-[A-Z][a-z]+)?/g
const ADDRESS = /(?<![\w.+-])[\w.+-]{1,40}@[\w-]{1,40}\.\w|https?:\/\//g

/** Sentences and lines that say something: by the words of the task, by rare words, by numbers, names and binding words. */
export function sentenceFacts(view: OutputView, task: TaskWords, part: string): Fact[] {
  const sentences = view.sentences.slice(0, MOST_SENTENCES)
  if (sentences.length === 0) return []
  const words = sentences.map(({ text }) => wordsOf(text.slice(0, LONGEST)))
  const frequency = new Map<string, number>()
  for (const own of words) for (const word of new Set(own)) frequency.set(word, (frequency.get(word) ?? 0) + 1)
  const idf = (word: string): number => Math.log(1 + sentences.length / (frequency.get(word) ?? 1))
  const largest = Math.log(1 + sentences.length)
  const seen = new Map<string, number>()
  const shapes = new Map<string, number>()
  const severities = sentences.map(({ text }) => severityOf(text))
  // Where every line speaks of errors, the word says nothing.
  const isLog = view.shape === 'log' || view.shape === 'trace'
  const all = isLog ? view.lines.slice(0, MOST_SENTENCES).map((line) => severityOf(line.slice(0, LONGEST))) : severities
  const alarmOf = (severity: number): number => {
    const alarmed = all.filter((each) => each >= severity).length / all.length
    return Math.min(1, Math.sqrt(USUAL_ALARM / Math.max(alarmed, USUAL_ALARM)))
  }
  const alarms = new Map([...new Set(severities)].map((severity) => [severity, severity * alarmOf(severity)]))
  const hasPlaces = sentences.some(({ place }) => place !== sentences[0]?.place)
  const leftOver = !isLog && view.tables.length > 0 && sentences.length < FEW_OF_THE_LINES * view.lines.length ? LEFT_OVER : 1
  const lastLine = view.lines.findLastIndex((line) => line.trim() !== '') + 1
  return sentences.map((sentence, at) => {
    const own = words[at] ?? []
    const rarest = own
      .map(idf)
      .toSorted((a, b) => b - a)
      .slice(0, 6)
    const rarity = rarest.length === 0 ? 0 : rarest.reduce((sum, each) => sum + each, 0) / 6 / largest
    const hits = [...new Set(own)].filter((word) => task.words.has(word)).reduce((sum, word) => sum + idf(word), 0) / largest
    const density = densityOf(sentence.text)
    const worth =
      (isLog ? 1 : KIND_WEIGHT.sentence) *
      leftOver *
      (sentence.weight ?? 1) *
      (0.05 +
        0.45 * Math.min(hits, 3) +
        1.3 * rarity ** 2 * (0.4 + density) +
        0.5 * density +
        (alarms.get(severities[at] ?? 0) ?? 0) +
        endOf(sentence.line, { last: lastLine, isLog })) *
      Math.min(
        repeated(own.map((word) => (/\d/.test(word) || frequency.get(word) === 1 ? '*' : word)).join(' '), seen),
        alike(sentence.text, shapes),
      )
    const whole = sentenceText(sentence, isLog, hasPlaces)
    const bare = isLog ? brief(withoutTime(sentence.text), LONGEST) : sentenceText(sentence, isLog, false)
    return {
      text: whole,
      ...(bare === whole ? {} : { short: bare, shortShare: WITHOUT_ITS_PLACE, restShare: OF_ITS_PLACE }),
      worth: worth * saidBy(sentence.text),
      part,
      order: ORDER.sentence + sentence.line / 1e9,
    }
  })
}

/** A rule across a page says nothing, and a name or a title alone hardly anything. */
function saidBy(text: string): number {
  if (!/[\p{L}\d]/u.test(text)) return 0
  if (/\d|[.:=!?]$/.test(text.trim())) return 1
  const words = text.trim().split(/\s+/, OF_A_SENTENCE).length
  return words <= 2 ? OF_A_NAME : words < OF_A_SENTENCE ? OF_A_TITLE : 1
}

const OF_A_SENTENCE = 4
const OF_A_NAME = 0.15
const OF_A_TITLE = 0.5

/** Of the worth of a sentence so much is left without the place where it stands. */
const WITHOUT_ITS_PLACE = 0.85
const OF_ITS_PLACE = 0.22

/** A text says at its beginning what it is, and at its end what it comes to. */
function endOf(line: number, { last, isLog }: { readonly last: number; readonly isLog: boolean }): number {
  if (line === 0) return 0
  return line <= 2 && !isLog ? 0.5 : line > last - 3 ? 0.6 : 0
}

function sentenceText({ text, place, line }: Sentence, isLog: boolean, hasPlaces: boolean): string {
  const shown = brief(text, LONGEST)
  if (isLog) return `line ${line}: ${shown}`
  return place === undefined || place === '' || !hasPlaces ? shown : `[${brief(place, 60)}] ${shown}`
}

/** How much a sentence has that can be asked for, 0 to 1: codes, amounts, names, addresses, words that bind. */
function densityOf(text: string): number {
  const told = text.slice(0, LONGEST)
  const count = (pattern: RegExp): number => told.match(pattern)?.length ?? 0
  return Math.min(
    1,
    0.45 * count(CODE) + 0.25 * count(AMOUNT) + 0.3 * count(PERSON) + 0.4 * count(ADDRESS) + (BINDING.test(told) ? 0.15 : 0),
  )
}

function severityOf(text: string): number {
  return SEVERITY.test(text) ? 1.8 : ERROR.test(text) ? 0.9 : WARNING.test(text) ? 0.4 : 0
}

/** Lines that begin with the same word and have their values at the same places are of one kind: the first ones say the most. */
function alike(text: string, shapes: Map<string, number>): number {
  const tokens = lineTokens(text.slice(0, LONGEST))
  const key = `${tokens[0]?.kind === 'value' ? '' : (tokens[0]?.text ?? '')} ${shapeOf(tokens)}`
  const count = (shapes.get(key) ?? 0) + 1
  shapes.set(key, count)
  return count <= 4 ? 1 : count <= 8 ? 0.4 : 0.15
}

/** Sentences that are the same but for their numbers and names say less each time. */
function repeated(key: string, seen: Map<string, number>): number {
  const count = (seen.get(key) ?? 0) + 1
  seen.set(key, count)
  return count === 1 ? 1 : count <= 3 ? 0.3 : 0.08
}
