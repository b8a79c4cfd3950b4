import { describe, expect, test } from 'vitest'
import { gate } from '../../combinators/gate/gate.ts'
import { recordingReview } from '../../testing/recording-review.ts'
import { compound } from '../compound.ts'
import type { ToolContext } from '../context.ts'
import { memoryJournal } from '../journal/journal.ts'
import { resolve } from '../resolve/resolve.ts'
import { tool } from '../tool.ts'

const read = tool({ name: 'read', description: 'd', effect: 'read', execute: () => 'read' })
const write = tool({ name: 'write', description: 'd', effect: 'write', execute: () => 'written' })

describe('what is fatal passes a function that catches it [T7]', () => {
  const catching = (use: (context: ToolContext) => Promise<unknown>) => ({
    leaf: tool({ name: 'leaf', description: 'd', execute: (_input, context) => use(context).catch(() => 'caught') }),
    whole: compound({ name: 'whole', description: 'd', parts: {}, run: (_input, context) => use(context).catch(() => 'caught') }),
  })
  const stop = { review: recordingReview({ action: 'stop' }) }

  test.each([
    ['review', (context: ToolContext) => context.review({ why: 'sure?' }), stop, 'exit_early'],
    ['ask', (context: ToolContext) => context.ask({ question: 'who?', answerSchema: { type: 'string' } }), stop, 'exit_early'],
    ['secret', (context: ToolContext) => context.secret('KEY'), {}, 'missing_secrets'],
    ['decide', (context: ToolContext) => context.decide('a/b', () => 1), {}, 'invalid_label'],
    ['sleep', (context: ToolContext) => context.sleep('soon' as never), {}, 'invalid_option'],
  ])('from context.%s', async (_what, use, options, code) => {
    const { leaf, whole } = catching(use)
    await expect(leaf.call('x', options)).rejects.toMatchObject({ code })
    await expect(whole.call('x', options)).rejects.toMatchObject({ code })
  })

  test('from a call of something that is no tool', async () => {
    const { whole } = catching((context) => context.call('x', undefined as never, ''))
    await expect(whole.call('x')).rejects.toMatchObject({ code: 'not_a_tool' })
    expect(() => compound({ name: 'a', description: 'd', parts: { a: {} as never }, run: () => 1 })).toThrow(
      expect.objectContaining({ code: 'not_a_tool' }),
    )
  })
})

describe('the outcome of a failure [T6]', () => {
  const rejecting = { review: recordingReview({ action: 'reject' }) }
  const inOrder = (first: typeof read, second: typeof read) =>
    compound({
      name: 'both',
      description: 'd',
      parts: { first, second },
      run: async (input, context) => {
        await context.call('first', first, input)
        return context.call('second', second, input)
      },
    })

  test('of a whole is unknown once a part took effect, failed once a part ran, not started when none did', async () => {
    expect(await inOrder(write, gate(write)).call('x', rejecting)).toMatchObject({ error: { code: 'rejected', outcome: 'unknown' } })
    expect(await inOrder(read, gate(write)).call('x', rejecting)).toMatchObject({ error: { code: 'rejected', outcome: 'failed' } })
    const only = compound({
      name: 'only',
      description: 'd',
      parts: { write: gate(write) },
      run: (input, context, parts) => context.call('w', parts.write, input),
    })
    expect(await only.call('x', rejecting)).toMatchObject({ error: { code: 'rejected', outcome: 'not_started' } })
  })

  test('of a tool that misses a secret in the middle of its work is not that it did not start', async () => {
    const late = tool({ name: 'late', description: 'd', execute: (_input, { secret }) => secret('KEY') })
    expect(await late.call('x', { secrets: { get: () => undefined } })).toMatchObject({
      error: { code: 'access_denied', outcome: 'failed' },
    })
  })

  test.each([0, new Date(0)])('at a deadline that has passed (%s) is that it did not start', async (deadline) => {
    let ran = false
    const sync = tool({ name: 'sync', description: 'd', execute: () => (ran = true) })
    expect(await sync.call('x', { deadline })).toMatchObject({ error: { code: 'deadline_exceeded', outcome: 'not_started' } })
    expect(ran).toBe(false)
  })
})

describe('a journal that fails', () => {
  const broken = (what: 'read' | 'write') => {
    const journal = memoryJournal()
    let failing = true
    const fail = (): never => {
      throw new Error('disk full')
    }
    return {
      entries: journal.entries,
      mend: () => void (failing = false),
      journal: { ...journal, [what]: (entry: never) => (failing ? fail() : journal[what](entry)) },
    }
  }

  test.each(['read', 'write'] as const)('to %s before a step keeps it from starting, and leaves nothing in the record', async (what) => {
    let runs = 0
    const pay = tool({ name: 'pay', description: 'd', effect: 'write', execute: () => ++runs })
    const { journal, entries, mend } = broken(what)
    expect(await pay.call('x', { journal })).toMatchObject({ error: { code: 'journal_failed', outcome: 'not_started', retryable: true } })
    expect([runs, entries.length]).toEqual([0, 0])
    mend()
    expect(await pay.call('x', { journal })).toMatchObject({ value: 1 })
  })

  test.each([
    ['a decision', (context: ToolContext) => context.decide('coin', () => 1)],
    ['a sleep', (context: ToolContext) => context.sleep(0)],
    ['a question', (context: ToolContext) => context.ask({ question: 'who?', answerSchema: { type: 'string' } })],
  ])('over %s is coded as such', async (_what, use) => {
    const whole = compound({ name: 'whole', description: 'd', parts: {}, run: async (_input, context) => void (await use(context)) })
    for (const what of ['read', 'write'] as const) {
      const result = await whole.call('x', { journal: broken(what).journal, review: recordingReview({ action: 'answer', value: 'ada' }) })
      expect(result).toMatchObject({ ok: false, error: { code: 'journal_failed', message: expect.stringContaining('disk full') } })
    }
  })
})

describe('what can be refused early is', () => {
  test('an approval’s time-out and lists that are none, when the tool is built [T1]', () => {
    const define = (more: object) => () => tool({ name: 'a', description: 'd', execute: () => 1, ...more })
    expect(define({ requireApproval: { timeout: 'soon' } })).toThrow(expect.objectContaining({ code: 'invalid_option' }))
    expect(define({ permissions: 'orders:read' })).toThrow(expect.objectContaining({ code: 'invalid_definition' }))
    expect(define({ tags: [7] })).toThrow(expect.objectContaining({ code: 'invalid_definition' }))
  })

  test('a misspelled name is told as such, whatever the policy says [T11]', async () => {
    const tools = await resolve([read])
    expect(await tools.call('raed', '{}', { policy: () => 'require_approval' })).toMatchObject({ error: { code: 'unknown_tool' } })
  })
})
