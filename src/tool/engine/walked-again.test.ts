import { describe, expect, test } from 'vitest'
import { gate } from '../../combinators/gate/gate.ts'
import { parallel } from '../../combinators/parallel/parallel.ts'
import type { AgentTool } from '../agent-tool.ts'
import { compound } from '../compound.ts'
import type { ToolEvent } from '../event.ts'
import { type JournalEntry, memoryJournal } from '../journal/journal.ts'
import type { Logger } from '../ports/logger.ts'
import type { ReviewDecision } from '../review.ts'
import { tool } from '../tool.ts'

const step = (name: string): AgentTool<string, string> =>
  tool({ name, description: 'd', effect: 'write', idempotent: 'keyed', execute: (given: string) => `${name} ${given}` })

const around = (name: string, part: AgentTool<string, unknown>): AgentTool<string, unknown> =>
  compound({ name, description: 'd', parts: { part }, run: (given: string, context) => context.call('part', part, given) })

/** A compound that ends before the run waits, and two that wait for a person. */
const order = compound({
  name: 'order',
  description: 'd',
  parts: { paying: around('paying', step('pay')), both: bothWaiting() },
  run: async (given: string, context, parts) => {
    await context.call('paying', parts.paying, given)
    return (await context.call('both', parts.both, given)).text
  },
})

function bothWaiting(): AgentTool<string, unknown> {
  const asked = (name: string): AgentTool<string, unknown> => around(name, gate(step(`${name}_part`)))
  return parallel({ done: around('noting', step('note')), one: asked('one'), other: asked('other') }, { name: 'both' })
}

/** The paths of the calls that ended in a run on this record, and those of its log lines; a request that nobody decides stays open. */
async function ends(past: readonly JournalEntry[], decide: (path: string) => ReviewDecision | undefined) {
  const journal = memoryJournal(past)
  const counted: string[] = []
  const logged: string[] = []
  const write = (fields: unknown): void => void logged.push((fields as { readonly path: string }).path)
  const log: Logger = {
    trace: () => {},
    debug: () => {},
    info: write,
    warn: write,
    error: write,
    isLevelEnabled: (level) => level !== 'debug',
  }
  const on = (event: ToolEvent): void => {
    if (event.type === 'call.finished' && event.counts && !event.replayed) counted.push(event.call.path)
  }
  const review = { review: async ({ path }: { readonly path: string }) => decide(path) ?? new Promise<never>(() => {}) }
  void order.call('x', { journal, on, log, review, idempotencyKey: 'run' }).catch(() => {})
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  return { entries: journal.entries, counted: counted.toSorted(), logged: logged.toSorted() }
}

const ofOne = (path: string): boolean => path.includes('/one/')
const before = ['order/both/done', 'order/both/done/part', 'order/paying', 'order/paying/part']
const afterwards = ['order', 'order/both', 'order/both/one', 'order/both/one/part/gated', 'order/both/other', 'order/both/other/part/gated']

describe('a run that is resumed twice', () => {
  test('counts and logs each call once, compounds too, in the segment in which it ended [T12]', async () => {
    const first = await ends([], () => undefined)
    expect(first.counted).toEqual(before)
    const second = await ends(first.entries, (path) => (ofOne(path) ? { action: 'continue' } : undefined))
    expect(second.counted).toEqual(afterwards.filter((path) => path.startsWith('order/both/one')))
    const third = await ends(second.entries, () => ({ action: 'continue' }))
    expect([...first.counted, ...second.counted, ...third.counted].toSorted()).toEqual([...before, ...afterwards].toSorted())
    for (const { counted, logged } of [first, second, third]) expect(logged).toEqual(counted)
  })

  test('counts a call that a person rejects while it was put away', async () => {
    const { entries } = await ends([], () => undefined)
    // As a store keeps it: the decision is in the record when the run is taken up.
    const decided = entries.map((each) =>
      each.kind === 'review' && ofOne(each.path) ? { ...each, decision: { action: 'reject' } as const } : each,
    )
    expect((await ends(decided, () => undefined)).counted).toContain('order/both/one')
  })
})

test('a line of a recorded run names the run', async () => {
  const fields: unknown[] = []
  const log: Logger = {
    trace: () => {},
    debug: () => {},
    info: (given: unknown) => void fields.push(given),
    warn: () => {},
    error: () => {},
  }
  await step('pay').call('x', { log, journal: memoryJournal(), idempotencyKey: 'run 7' })
  await step('pay').call('x', { log })
  expect(fields).toMatchObject([{ tool: 'pay', run: 'run 7' }, { tool: 'pay' }])
  expect(fields[1]).not.toHaveProperty('run')
})
