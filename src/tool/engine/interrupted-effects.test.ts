import { expect, test } from 'vitest'
import { fallback } from '../../combinators/fallback/fallback.ts'
import { heal } from '../../combinators/heal/heal.ts'
import { saga } from '../../combinators/saga/saga.ts'
import type { AgentTool } from '../agent-tool.ts'
import { ToolError } from '../errors/tool-error.ts'
import { memoryJournal } from '../journal/journal.ts'
import { tool } from '../tool.ts'

/** A payment under a key. The process dies while it is under way, and the service is busy or refuses when it is asked again. */
function interrupted(code: 'rate_limited' | 'invalid_request') {
  const done: string[] = []
  const pay = (name: string) =>
    tool({
      name,
      description: 'Pays.',
      effect: 'write',
      idempotent: 'keyed',
      execute: () => {
        done.push(name)
        throw new ToolError('Not now.', { code, outcome: 'failed' })
      },
    })
  return { done, pay }
}

/** Runs it once, and again from the moment at which its first step was under way. */
async function takenUp(whole: AgentTool<string, unknown>) {
  const journal = memoryJournal()
  await whole.call('x', { journal, idempotencyKey: 'run' })
  const begun = journal.entries.findIndex(({ kind }) => kind === 'call') + 1
  return whole.call('x', { journal: memoryJournal(journal.entries.slice(0, begun)), idempotencyKey: 'run' })
}

test('a step that was under way when its process died may have taken effect, whatever it says now [H1] [G2]', async () => {
  const { pay } = interrupted('rate_limited')
  const result = await takenUp(pay('bank'))
  expect(result.ok ? '' : result.error.outcome).toBe('unknown')
})

test('a saga undoes it', async () => {
  const { done, pay } = interrupted('invalid_request')
  const refund = tool({
    name: 'refund',
    description: 'Pays back.',
    effect: 'write',
    idempotent: 'keyed',
    execute: () => void done.push('refund'),
  })
  const order = saga({ name: 'order', description: 'Orders.' })
    .step('pay', pay('bank'), { attempts: 1, compensate: { with: refund, class: 'reversible', input: () => 'x' } })
    .build()
  await takenUp(order as AgentTool<string, unknown>)
  expect(done).toEqual(['bank', 'bank', 'refund'])
})

test('a fallback asks no other level', async () => {
  const { done, pay } = interrupted('rate_limited')
  const whole = fallback({ name: 'paid', description: 'Pays.' }, [pay('bank'), pay('other')])
  await takenUp(whole)
  expect(done).toEqual(['bank', 'other', 'bank'])
})

test('heal changes no input', async () => {
  const { done, pay } = interrupted('invalid_request')
  const result = await takenUp(heal(pay('bank'), { repairers: [() => ({ input: 'y' })] }) as AgentTool<string, unknown>)
  expect(done.slice(-1)).toEqual(['bank'])
  expect(result.attempts?.some(({ input }) => input === 'y') ?? false).toBe(false)
})
