import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type ModelTurn, scriptedModel, type ScriptedModel } from '../../test/fixtures/scripted-language-model.ts'
import { isFull } from '../../test/fixtures/is-full.ts'
import { outputRouter } from '../context/output-router.ts'
import { estimateTokens } from '../context/tokens.ts'
import { memoryJournal } from '../tool/journal/journal.ts'
import { tool } from '../tool/tool.ts'
import { agent } from './agent.ts'
import { unfinished } from './agent-answer.ts'

type Request = ScriptedModel['requests'][number]

/** The tokens of a request, counted part by part as a provider would see it. */
function tokensOf({ prompt, tools = [], responseFormat }: Request): number {
  const texts = prompt.flatMap((message): string[] => {
    if (message.role === 'system') return [message.content]
    if (message.role === 'user') return message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
    if (message.role === 'tool')
      return message.content.flatMap((part) => {
        if (part.type !== 'tool-result' || part.output.type === 'execution-denied') return []
        return [
          part.toolCallId,
          part.toolName,
          typeof part.output.value === 'string' ? part.output.value : JSON.stringify(part.output.value),
        ]
      })
    return message.content.flatMap((part) => {
      if (part.type === 'tool-call') return [part.toolCallId, part.toolName, JSON.stringify(part.input)]
      return part.type === 'text' || part.type === 'reasoning' ? [part.text] : []
    })
  })
  const schemas = tools.map((each) =>
    each.type === 'function' ? [each.name, each.description, JSON.stringify(each.inputSchema)].join(' ') : '',
  )
  const format = responseFormat?.type === 'json' ? [JSON.stringify(responseFormat.schema)] : []
  return [...texts, ...schemas, ...format].reduce((sum, text) => sum + estimateTokens(text), 0)
}

/** Every call has its result, and every result its call: providers refuse anything else. */
function pairs({ prompt }: Request): readonly [calls: readonly string[], results: readonly string[]] {
  const idsOf = (role: 'assistant' | 'tool', type: 'tool-call' | 'tool-result'): string[] =>
    prompt.flatMap((message) =>
      message.role === role ? message.content.flatMap((part) => (part.type === type && 'toolCallId' in part ? [part.toolCallId] : [])) : [],
    )
  return [idsOf('assistant', 'tool-call'), idsOf('tool', 'tool-result')]
}

const conversations = fc.record({
  window: fc.integer({ min: 500, max: 6000 }),
  share: fc.integer({ min: 2, max: 8 }),
  instructions: fc.integer({ min: 1, max: 60 }),
  tools: fc.integer({ min: 1, max: 12 }),
  turns: fc.array(
    fc.array(fc.record({ kind: fc.constantFrom('rows', 'text', 'word', 'fail'), size: fc.integer({ min: 1, max: 400 }) }), {
      minLength: 1,
      maxLength: 4,
    }),
    {
      minLength: 1,
      maxLength: 10,
    },
  ),
  said: fc.integer({ min: 0, max: 80 }),
})
type Case = typeof conversations extends fc.Arbitrary<infer T> ? T : never

function desk({ window, share, instructions, tools, turns, said }: Case) {
  const read = tool({
    name: 'read',
    description: 'Reads a table, a text or a word.',
    effect: 'read',
    inputSchema: z.object({ kind: z.string(), size: z.number(), at: z.string() }),
    execute: ({ kind, size, at }) => {
      if (kind === 'fail') throw new Error(`The table ${at} is away. `.repeat(Math.ceil(size / 10)))
      if (kind === 'word') return `Word ${at}.`
      if (kind === 'text') return `Sentence ${at} about lamps and orders. `.repeat(size)
      return Array.from({ length: size }, (_, row) => ({ row, name: `name ${row} of ${at}`, amount: row * 7 }))
    },
  })
  const others = Array.from({ length: tools - 1 }, (_, at) =>
    tool({
      name: `other_${at}`,
      description: `Does something else, number ${at}, that takes some words to describe it.`,
      effect: 'read',
      inputSchema: z.object({ first: z.string(), second: z.number() }),
      execute: () => 'x',
    }),
  )
  let turn = 0
  const next: ModelTurn = (request) => {
    const calls = turns[turn++]
    if (calls === undefined || request.tools === undefined) return 'Done.'
    const text = 'I look at the next table now. '.repeat(said % 20)
    return { text, calls: calls.map(({ kind, size }, at) => ['read', { kind, size, at: `${turn}.${at}` }]) }
  }
  const { model, requests } = scriptedModel(next)
  const router = outputRouter({ budget: { window, maxOutput: Math.ceil(window / share), generationReserve: Math.floor(window / 10) } })
  const reader = agent({
    name: 'reader',
    role: 'Reader',
    goal: 'Read. '.repeat(instructions),
    model,
    tools: [read, ...others],
    router,
    limits: { toolCalls: 100 },
  })
  return { reader, requests, budget: window - Math.floor(window / 10) }
}

describe('the prompts of an agent with a router', () => {
  test('[R4] [R6] never exceed the window, whatever the conversation, and every call keeps its result', { timeout: 600_000 }, async () => {
    let compiled = 0
    let refused = 0
    await fc.assert(
      fc.asyncProperty(conversations, async (given) => {
        const { reader, requests, budget } = desk(given)
        const result = await reader.run('Read the tables.')
        for (const request of requests) {
          expect(tokensOf(request)).toBeLessThanOrEqual(budget)
          const [calls, results] = pairs(request)
          expect(results).toEqual(calls)
        }
        const context = result.ok ? result.value.context : unfinished(result)?.context
        if ((context?.steps.length ?? 0) > 0) compiled++
        if (result.ok) expect(result.text).toBe('Done.')
        else {
          refused++
          expect(result.error.code).toBe('budget_exceeded')
        }
      }),
      { numRuns: isFull ? 1500 : 60 },
    )
    // Otherwise the law says nothing.
    expect(compiled).toBeGreaterThan(15)
    expect(refused).toBeLessThan(isFull ? 900 : 45)
  })

  test('[R6] are the same in a run that is taken up at any point', { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(conversations, fc.integer({ min: 0, max: 1000 }), async (given, cut) => {
        const first = desk(given)
        const journal = memoryJournal()
        const live = await first.reader.asTool().call({ task: 'Read the tables.' }, { journal, idempotencyKey: 'one' })
        if (!live.ok) return
        const past = journal.entries.slice(0, cut % (journal.entries.length + 1))
        const asked = past.filter((entry) => entry.kind === 'call' && entry.tool === 'reader_model' && entry.result !== undefined)
        const second = desk({ ...given, turns: given.turns.slice(new Set(asked.map(({ path }) => path)).size) })
        const again = await second.reader
          .asTool()
          .call({ task: 'Read the tables.' }, { journal: memoryJournal(past), idempotencyKey: 'one' })
        expect(again.ok).toBe(true)
        expect(second.requests.length + new Set(asked.map(({ path }) => path)).size).toBe(first.requests.length)
        for (const request of second.requests) expect(tokensOf(request)).toBeLessThanOrEqual(first.budget)
      }),
      { numRuns: isFull ? 400 : 20 },
    )
  })
})
