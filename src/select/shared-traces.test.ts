import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tool } from '../tool/tool.ts'
import { catalog } from './catalog.ts'
import type { StoredTrace, TraceNews, TraceStore } from './trace-store.ts'
import type { Trace } from './traces.ts'

const TOOLS = ['alpha', 'beta'].map((name) => tool({ name, description: `Is called ${name}.`, effect: 'read', execute: () => name }))

/** A store that answers what it likes. After so many questions it ends them, so that a reader which asks for ever fails in place of hanging. */
function storeOf(answer: (mark: string | undefined) => TraceNews): TraceStore & { asked: number } {
  const store = {
    asked: 0,
    add: async () => {},
    forget: async () => 0,
    since: async (mark: string | undefined) => {
      if (++store.asked > 1000) throw new Error('It was asked for ever.')
      return answer(mark)
    },
  }
  return store
}

const good: Trace = { text: 'book a table for two', tool: 'beta', served: true, at: 1 }
const odd = fc.oneof(
  fc.anything(),
  fc.record({ text: fc.anything(), tool: fc.anything(), served: fc.anything(), at: fc.anything() }, { requiredKeys: [] }),
  fc.record({ text: fc.string(), tool: fc.string(), served: fc.boolean(), principal: fc.anything(), at: fc.double() }),
)

test('what a store gives that is no trace is left out, and nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(odd, { maxLength: 8 }), fc.nat(8), async (rows, at) => {
      const traces = rows.toSpliced(at, 0, good) as Trace[]
      const tools = await catalog(TOOLS, { store: storeOf(() => ({ traces, forgotten: false, mark: 'end', more: false })) })
      expect(tools.traces()).toContainEqual(good)
      for (const { text, tool: name, served } of tools.traces())
        expect([typeof text, typeof name, typeof served]).toEqual(['string', 'string', 'boolean'])
      expect((await tools.select('book a table')).tools[0]?.tool.name).toBe('beta')
    }),
    { numRuns: 60 },
  )
})

test('a store that always has more, or has always forgotten something, ends', async () => {
  for (const news of [
    { forgotten: true, more: false },
    { forgotten: false, more: true },
    { forgotten: true, more: true },
  ]) {
    const store = storeOf(() => ({ traces: [good], mark: 'same', ...news }))
    const tools = await catalog(TOOLS, { store })
    await tools.sync()
    // What is forgotten again and again is in no catalog; all else is.
    expect(tools.traces()).toEqual(news.forgotten && news.more ? [] : [good])
    expect(store.asked).toBeLessThan(30)
  }
})

test('times of the past and the future, and huge texts, count like any other; a store is given no more than is kept', async () => {
  const times = [-8.64e15, 0, 4e12, Number.MAX_VALUE]
  const traces = times.map((at, number) => ({ ...good, text: `book the table ${number} ${'now '.repeat(100_000)}`, at }))
  const written: StoredTrace[] = []
  const store = {
    ...storeOf(() => ({ traces, forgotten: false, mark: 'end', more: false })),
    add: async (given: readonly StoredTrace[]) => void written.push(...given),
  }
  const tools = await catalog(TOOLS, { store })
  expect(tools.traces().map(({ at }) => at)).toEqual(times)
  await tools.learn([{ text: `rain today ${'x'.repeat(1_000_000)}`, tool: 'alpha', served: true }])
  expect(Math.max(...[...tools.traces(), ...written].map(({ text }) => text.length))).toBe(500)
  expect((await tools.select('book a table')).tools[0]?.tool.name).toBe('beta')
})
