import { parseArgs } from 'node:util'
import { outputRouter } from '../src/context/output-router.ts'
import type { ReadOutputInput } from '../src/context/read/read-output.ts'
import { cutTo } from '../src/context/read/search.ts'
import { type CountTokens, gptTokens } from '../src/context/tokens.ts'
import type { BenchOutput, Question } from './output-routing/bench-output.ts'
import { outputsOf } from './output-routing/outputs.ts'
import { wideOutputs } from './output-routing/wide/outputs.ts'

/**
 * `npm run bench:routing`: which share of planted questions about large outputs is answered by the text that enters a context, and by the text or
 * one read, beside two simpler ways. Exits non-zero when a share is under its budget.
 */
const { values } = parseArgs({
  options: {
    sets: { type: 'string', default: 'first,seen,held out' },
    seeds: { type: 'string', default: '1,2,3' },
    only: { type: 'string' },
    misses: { type: 'boolean', default: false },
  },
})

const SHARES = [0.1, 0.03, 0.01]
/** In percent of the questions, by the share of the tokens: in the text, and in the text or one read away. */
type Budgets = Readonly<Record<number, readonly [text: number, read: number]>>

interface OutputSet {
  readonly of: (seed: number) => BenchOutput[]
  readonly budgets: Budgets
}

/** The rules of the router were mended by what the first two showed; of the last one nobody saw more than these percentages. */
const SETS: Readonly<Record<string, OutputSet>> = {
  first: { of: outputsOf, budgets: { 0.1: [82, 99], 0.03: [78, 99], 0.01: [60, 99] } },
  seen: { of: (seed) => wideOutputs(seed, 'seen'), budgets: { 0.1: [82, 99], 0.03: [77, 99], 0.01: [53, 98] } },
  'held out': { of: (seed) => wideOutputs(seed, 'held out'), budgets: { 0.1: [76, 98], 0.03: [72, 98], 0.01: [48, 97] } },
}
const READ_TOKENS = 2000
const EVICTED_ABOVE = 20_000
const KEPT_LINES = 5

interface Admitted {
  readonly text: string
  readonly read: (question: Question) => Promise<boolean>
}

type Way = (output: BenchOutput, whole: string, budget: number) => Promise<Admitted>

/** What is admitted by each way, and what one read of it finds. */
function waysOf(count: CountTokens): Readonly<Record<string, Way>> {
  return {
    router: async ({ task, value }, whole, budget) => {
      const chat = outputRouter({
        budget: { window: 10_000_000, maxOutput: Math.max(budget, READ_TOKENS) },
        countTokens: count,
      }).conversation({ task })
      const provenance = { tool: 'bench@1.0.0', invocationId: 'call', timestamp: 0 }
      const admitted = await chat.admit({ ok: true, text: whole, value: value ?? whole, provenance }, { maxTokens: budget })
      const read = async (question: Question): Promise<boolean> => {
        for (const each of question.reads) {
          const result = await chat.readOutput.call({ pointer: admitted.pointer ?? '', ...each } as ReadOutputInput)
          // A path that counts answers with the number alone.
          if (result.ok && answers(result.text.replace(/^\d+$/, 'count $&'), question)) return true
        }
        return false
      }
      return { text: admitted.text, read }
    },
    'head and tail': async (_output, whole, budget) => {
      const half = Math.floor(budget / 2)
      const reversed = [...cutTo([...whole.slice(-12 * half)].toReversed().join(''), half, count)].toReversed().join('')
      return { text: `${cutTo(whole, half, count)}\n…\n${reversed}`, read: async (question) => linesWith(whole, question, count) }
    },
    'evicted over 20,000': async (_output, whole) => {
      if (count(whole) <= EVICTED_ABOVE) return { text: whole, read: async () => false }
      const lines = whole.split('\n')
      const text = [...lines.slice(0, KEPT_LINES), '…', ...lines.slice(-KEPT_LINES)].map((line) => line.slice(0, 1000)).join('\n')
      return { text, read: async (question) => linesWith(whole, question, count) }
    },
  }
}

/** What a plain search in a file gives: the lines with the words of the query, from the first on. */
function linesWith(whole: string, question: Question, count: CountTokens): boolean {
  return question.reads.some((read) => {
    if (!('query' in read)) return false
    const words = read.query.toLowerCase().match(/[\p{L}\d]{3,}/gu) ?? []
    const found = whole.split('\n').filter((line) => words.every((word) => line.toLowerCase().includes(word)))
    return answers(cutTo(found.join('\n'), READ_TOKENS, count), question)
  })
}

function answers(text: string, { answer, instead }: Question): boolean {
  const lower = text.toLowerCase()
  const holds = (lists: Question['answer']): boolean =>
    lists.every((spellings) => spellings.some((spelling) => isThere(lower, spelling.toLowerCase())))
  return holds(answer) || (instead !== undefined && holds(instead))
}

/** `0 of` does not stand in `10 of`, and `late 4` not in `late 40`. */
function isThere(text: string, spelling: string): boolean {
  for (let at = text.indexOf(spelling); at >= 0; at = text.indexOf(spelling, at + 1)) {
    const isCutBefore = /^\d/.test(spelling) && /[\d.]/.test(text[at - 1] ?? '')
    const isCutAfter = /\d$/.test(spelling) && /^\.?\d/.test(text.slice(at + spelling.length, at + spelling.length + 2))
    if (!isCutBefore && !isCutAfter) return true
  }
  return false
}

interface Score {
  inText: number
  withRead: number
  questions: number
  tokens: number
  whole: number
}

const count = await gptTokens()
const ways = waysOf(count)

/** The shares of one set of outputs. */
async function scoresOf(outputs: readonly BenchOutput[], isOpen: boolean): Promise<Map<string, Score>> {
  const scores = new Map<string, Score>()
  for (const output of outputs) {
    if (values.only !== undefined && !output.name.includes(values.only)) continue
    const whole = output.text ?? JSON.stringify(output.value)
    const tokens = count(whole)
    for (const [way, admit] of Object.entries(ways)) {
      for (const share of SHARES) {
        const admitted = await admit(output, whole, Math.floor(tokens * share))
        const score = scores.get(`${way}|${share}`) ?? { inText: 0, withRead: 0, questions: 0, tokens: 0, whole: 0 }
        score.tokens += count(admitted.text)
        score.whole += tokens
        for (const question of output.questions) {
          const isAnswered = answers(admitted.text, question)
          const isNear = isAnswered || (await admitted.read(question))
          score.questions++
          if (isAnswered) score.inText++
          if (isNear) score.withRead++
          if (isOpen && way === 'router' && !isAnswered) console.log(`${share} ${isNear ? 'read' : 'MISS'} ${output.name}: ${question.ask}`)
        }
        scores.set(`${way}|${share}`, score)
      }
    }
  }
  return scores
}

const percent = (part: number, whole: number): string => ((100 * part) / whole).toFixed(1)
for (const set of values.sets.split(',')) {
  const outputs = SETS[set]
  if (outputs === undefined) throw new Error(`There is no set ${set}. Use ${Object.keys(SETS).join(', ')}.`)
  const scores = await scoresOf(
    values.seeds.split(',').flatMap((seed) => outputs.of(Number(seed))),
    values.misses && set !== 'held out',
  )
  console.log(`set: ${set}`)
  console.log('way                   share   in the text   or one read away   tokens admitted')
  for (const [key, { inText, withRead, questions, tokens, whole }] of scores) {
    const [way = '', share = ''] = key.split('|')
    const budget = way === 'router' && values.only === undefined ? outputs.budgets[Number(share)] : undefined
    const isBroken = budget !== undefined && ((100 * inText) / questions < budget[0] || (100 * withRead) / questions < budget[1])
    if (isBroken) process.exitCode = 1
    console.log(
      `${way.padEnd(20)}  ${percent(Number(share), 1).padStart(4)} %  ${percent(inText, questions).padStart(9)} %  ${percent(withRead, questions).padStart(14)} %  ${percent(tokens, whole).padStart(15)} %  ${budget === undefined ? '' : isBroken ? `BROKEN (${budget.join(' / ')})` : `ok (${budget.join(' / ')})`}`,
    )
  }
}
