import { expect, test } from 'vitest'
import { type JournalEntry, memoryJournal, type Journal } from '../../tool/journal/journal.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { tool } from '../../tool/tool.ts'
import { saga } from '../saga/saga.ts'
import { first, quorum } from './join.ts'
import { parallel } from './parallel.ts'

/** Effects by their keys, in the order of their coming. */
type World = Map<string, string>

/** One effect that can be undone; `ready` lets it end. */
function effectOf(name: string, world: () => World, ready: () => Promise<void>): AgentTool<string, string> {
  const record = (effect: string, key: string): void => {
    if (!world().has(key)) world().set(key, effect)
  }
  const act = tool({
    name: `do_${name}`,
    description: 'Takes effect.',
    effect: 'write',
    idempotent: 'keyed',
    execute: async (_input, { idempotencyKey, signal }) => {
      record(`do ${name}`, idempotencyKey)
      await Promise.race([
        ready(),
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
      ])
      return name
    },
  })
  const undo = tool({
    name: `undo_${name}`,
    description: 'Takes it back.',
    effect: 'write',
    idempotent: 'keyed',
    execute: (_input, { idempotencyKey }) => {
      record(`undo ${name}`, idempotencyKey)
      return name
    },
  })
  return saga({ name, description: 'One effect.' })
    .step('act', act, { compensate: { with: undo, class: 'reversible', input: ({ input }) => input } })
    .build({ output: ({ results }) => results.act.value })
}

function standing(world: World): readonly string[] {
  const effects = [...world.values()]
  return effects.flatMap((effect) => (effect.startsWith('do ') && !effects.includes(`un${effect}`) ? effect.slice(3) : [])).toSorted()
}

/** A journal whose records take a turn of the event loop each, and the world as it was when each was written. */
function slowJournal(
  past: readonly JournalEntry[],
  world: () => World,
): { journal: Journal; worlds: World[]; entries: readonly JournalEntry[] } {
  const memory = memoryJournal(past)
  const worlds: World[] = []
  const write = async (entry: JournalEntry): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve))
    memory.write(entry)
    worlds.push(new Map(world()))
  }
  return { journal: { durable: true, read: memory.read, past: memory.past, write }, worlds, entries: memory.entries }
}

const joins = { first: first(), quorum: quorum({ count: 2 }) }

test.each(Object.entries(joins))('%s: a saga that lost is undone, also one that had completed by then [C3] [G1]', async (_name, join) => {
  const world: World = new Map()
  const branch = (name: string): AgentTool<string, string> =>
    effectOf(
      name,
      () => world,
      async () => {},
    )
  const race = parallel({ a: branch('a'), b: branch('b'), c: branch('c') }, { name: 'race', join })
  const { journal } = slowJournal([], () => world)
  const result = await race.call('x', { journal })
  expect(result).toMatchObject({ ok: true })
  const won = result.ok && (typeof result.value === 'string' ? [result.value] : Object.keys(result.value as object))
  expect(standing(world)).toEqual(won)
})

test.each(Object.entries(joins))(
  '%s: what losers had begun to undo is undone after a crash at any point of the race [C3] [G5]',
  async (_name, join) => {
    let world: World = new Map()
    const slow = new Promise<void>(() => {})
    const branches = {
      a: effectOf(
        'a',
        () => world,
        async () => {},
      ),
      b: effectOf(
        'b',
        () => world,
        async () => {},
      ),
      c: effectOf(
        'c',
        () => world,
        () => slow,
      ),
    }
    const race = parallel(branches, { name: 'race', join })
    const live = slowJournal([], () => world)
    await race.call('x', { journal: live.journal, idempotencyKey: 'run' })
    expect([...world.values()]).toContain('undo c')
    for (const [index, then] of live.worlds.entries()) {
      world = new Map(then)
      const { journal } = slowJournal(live.entries.slice(0, index + 1), () => world)
      const result = await race.call('x', { journal, idempotencyKey: 'run' })
      const won = result.ok && (typeof result.value === 'string' ? [result.value] : Object.keys(result.value as object))
      expect(standing(world), `taken up after ${live.entries[index]?.path}`).toEqual(won)
    }
  },
)
