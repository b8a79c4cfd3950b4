import { expect, test } from 'vitest'
import { type CallOptions } from '../context.ts'
import { compound } from '../compound.ts'
import { type JournalEntry, memoryJournal } from '../journal/journal.ts'
import { tool } from '../tool.ts'

function leaf(name: string, done: string[]) {
  return tool({
    name,
    description: 'Takes effect.',
    effect: 'write',
    idempotent: 'keyed',
    execute: () => {
      done.push(name)
      return name
    },
  })
}

/** Acts, and takes it back when it is cancelled before the end. */
function careful(done: string[]) {
  const parts = { act: leaf('act', done), later: leaf('later', done), undo: leaf('undo', done) }
  return compound({
    name: 'careful',
    description: 'Cleans up.',
    parts,
    run: async (input, context, { act, later, undo }) => {
      const first = await context.call('act', act, input)
      const second = await context.call('later', later, input)
      if (!second.ok && first.ok) await context.call('undo', undo, input, { shielded: true })
      return second
    },
  })
}

/** The records of a run up to where its first step had ended. */
async function firstRecords(): Promise<readonly JournalEntry[]> {
  const journal = memoryJournal()
  await careful([]).call('x', { journal, idempotencyKey: 'run' })
  return journal.entries.slice(0, 2)
}

const ENDED: Readonly<Record<string, CallOptions>> = { cancelled: { signal: AbortSignal.abort() }, 'out of time': { deadline: 0 } }

test.each(Object.entries(ENDED))('a compound that had begun is taken up when it is %s, and cleans up [G1] [G5]', async (_how, options) => {
  const done: string[] = []
  const journal = memoryJournal(await firstRecords())
  const result = await careful(done).call('x', { ...options, journal, idempotencyKey: 'run' })
  expect(result.ok).toBe(false)
  expect(done).toEqual(['undo'])
})

test.each(Object.entries(ENDED))('a compound that never began does not begin when it is %s', async (_how, options) => {
  const done: string[] = []
  const journal = memoryJournal()
  const result = await careful(done).call('x', { ...options, journal })
  expect(result).toMatchObject({ ok: false, error: { outcome: 'not_started' } })
  expect(done).toEqual([])
  expect(journal.entries).toEqual([])
})

test('of a step that had begun and is not begun again nobody knows whether it took effect [T6]', async () => {
  const done: string[] = []
  const [begun] = await firstRecords()
  const journal = memoryJournal(begun === undefined ? [] : [begun])
  const result = await careful(done).call('x', { signal: AbortSignal.abort(), journal, idempotencyKey: 'run' })
  expect(result.ok).toBe(false)
  expect(done).toEqual([])
  expect(
    journal.entries.find((entry) => entry.path === 'careful/act' && entry.kind === 'call' && entry.result !== undefined),
  ).toMatchObject({
    result: { error: { outcome: 'unknown' } },
  })
})
