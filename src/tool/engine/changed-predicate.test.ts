import { describe, expect, test } from 'vitest'
import { gate } from '../../combinators/gate/gate.ts'
import { memoryRuns } from '../../testing/memory-runs.ts'
import { createRuntime } from '../../runtime/create-runtime.ts'
import type { AgentTool } from '../agent-tool.ts'
import { compound } from '../compound.ts'
import { memoryJournal, type JournalEntry } from '../journal/journal.ts'
import type { ReviewDecision } from '../review.ts'
import { tool } from '../tool.ts'

/** Two payments, each behind a gate with this predicate. */
function desk(asksAbout: (amount: string) => boolean): { readonly paid: string[]; readonly order: AgentTool<string, unknown> } {
  const paid: string[] = []
  const pay = tool({
    ...{ name: 'pay', description: 'Pays.', effect: 'write', idempotent: 'keyed' },
    execute: (amount: string) => (paid.push(amount), `paid ${amount}`),
  })
  const gated = gate(pay, { approval: asksAbout })
  const order = compound({
    name: 'order',
    description: 'Pays twice.',
    parts: { first: gated, second: gated },
    run: async (amount: string, context) => {
      const first = await context.call('first', gated, amount)
      const second = await context.call('second', gated, amount)
      return `${first.text} ${second.text}`
    },
  })
  return { paid, order }
}

const always = (amount: string): boolean => Number(amount) > 1
const never = (amount: string): boolean => Number(amount) > 10

interface Resumed {
  readonly asked: readonly string[]
  readonly paid: readonly string[]
  readonly text: string
}

/** Runs the desk on a record; everybody who is asked decides so. */
async function resume(asksAbout: (amount: string) => boolean, past: readonly JournalEntry[], decision: ReviewDecision): Promise<Resumed> {
  const { paid, order } = desk(asksAbout)
  const asked: string[] = []
  const review = { review: async ({ path }: { readonly path: string }) => (asked.push(path), decision) }
  const result = await order.call('5', { journal: memoryJournal(past), idempotencyKey: 'run', review })
  return { asked, paid, text: result.text }
}

/** All that a run with this predicate and these approvals records. */
async function recorded(asksAbout: (amount: string) => boolean): Promise<readonly JournalEntry[]> {
  const journal = memoryJournal()
  await desk(asksAbout).order.call('5', { journal, idempotencyKey: 'run', review: { review: async () => ({ action: 'continue' }) } })
  return journal.entries
}

describe('a resumed run whose predicate of an approval has changed', () => {
  const approve: ReviewDecision = { action: 'continue' }

  test.each([
    ['asks no more', always, never],
    ['asks now', never, always],
  ])('follows its record from every place of it, and pays nothing twice: it %s', async (_what, before, after) => {
    const past = await recorded(before)
    for (let length = 0; length <= past.length; length++) {
      const { paid, text } = await resume(after, past.slice(0, length), approve)
      expect(text).toBe('paid 5 paid 5')
      expect(paid.length).toBeLessThanOrEqual(2)
    }
    expect(await resume(after, past, approve)).toEqual({ asked: [], paid: [], text: 'paid 5 paid 5' })
  })

  test('still asks the person who was asked and has not decided, and a rejection counts', async () => {
    const past = await recorded(always)
    const request = past.find(({ kind, path }) => kind === 'review' && path === 'order/first:approval')
    if (request?.kind !== 'review') throw new Error('Nobody was asked.')
    const { decision: _decision, ...undecided } = request
    const { asked, paid, text } = await resume(never, [undecided], { action: 'reject' })
    expect(asked).toEqual(['order/first:approval'])
    expect(paid).toEqual(['5'])
    expect(text).toContain('Rejected by reviewer')
  })

  test('asks about what has not begun, by the new predicate', async () => {
    const past = (await recorded(never)).filter(({ path }) => path.startsWith('order/first'))
    const { asked, paid } = await resume(always, past, { action: 'reject' })
    expect(asked).toEqual(['order/second:approval'])
    expect(paid).toEqual([])
  })

  test('ends on a durable store', async () => {
    const store = memoryRuns()
    const old = desk(always)
    const first = createRuntime({ tools: [old.order], database: store })
    const run = await first.start(old.order, '5')
    await run.until(({ status }) => status === 'waiting')
    await first.close()
    const { paid, order } = desk(never)
    const second = createRuntime({ tools: [order], database: store })
    const [item] = await second.inbox.list()
    await second.inbox.approve(item?.request.id ?? '', 'ada')
    // The second payment has not begun: nobody is asked about it any more.
    expect((await (await second.run(run.id)).result()).text).toBe('paid 5 paid 5')
    expect(paid).toEqual(['5', '5'])
    await second.close()
  })
})
