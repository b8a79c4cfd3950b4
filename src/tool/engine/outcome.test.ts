import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { gate } from '../../combinators/gate/gate.ts'
import { fakeClock, settled } from '../../testing/fake-clock.ts'
import { recordEvents } from '../../testing/record-events.ts'
import { recordingReview } from '../../testing/recording-review.ts'
import { compound } from '../compound.ts'
import type { ToolContext } from '../context.ts'
import { memoryJournal } from '../journal/journal.ts'
import { resolve } from '../resolve/resolve.ts'
import type { AgentTool } from '../agent-tool.ts'
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
  const inOrder = (first: AgentTool<string, string>, second: AgentTool<string, string>) =>
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

describe('time runs in every phase of a call [T9]', () => {
  const never = (): Promise<never> => new Promise(() => {})
  const plain = tool({ name: 'plain', description: 'd', execute: () => 1 })
  const input = z.object({ a: z.string().refine(never) })

  test.each([
    ['the policy', () => plain.call('', { deadline: 20, policy: never })],
    [
      'the input schema',
      () => tool({ name: 'in', description: 'd', inputSchema: input, execute: () => 1 }).call({ a: 'x' }, { deadline: 20 }),
    ],
    [
      'the output schema',
      () => tool({ name: 'out', description: 'd', outputSchema: input, execute: () => ({ a: 'x' }) }).call('', { deadline: 20 }),
    ],
    [
      'a decision',
      () =>
        compound({ name: 'c', description: 'd', parts: {}, run: (_input, { decide }) => decide('d', never) }).call('', {
          deadline: 20,
          journal: memoryJournal(),
        }),
    ],
  ])('that waits for %s', async (_what, call) => {
    expect(await call()).toMatchObject({ ok: false, error: { code: 'deadline_exceeded' } })
  })
})

describe('an approval holds for what was shown', () => {
  test('an input that is changed while a person looks at it runs as it was shown [T14]', async () => {
    const pay = tool({
      name: 'pay',
      description: 'd',
      inputSchema: z.object({ to: z.unknown() }),
      requireApproval: true,
      execute: ({ to }) => to,
    })
    const to = { iban: 'GOOD' }
    const swap = { review: () => ((to.iban = 'EVIL'), { action: 'continue' as const }) }
    expect(await pay.call({ to }, { review: swap })).toMatchObject({ ok: true, value: { iban: 'GOOD' } })
  })

  test('an instance of a class, which cannot be copied, does not run if it is changed while a person looks at it [T14]', async () => {
    class Account {
      iban = 'GOOD'
    }
    const pay = tool({ name: 'pay', description: 'd', inputSchema: z.any(), requireApproval: true, execute: ({ to }) => to as Account })
    const to = new Account()
    const swap = { review: () => ((to.iban = 'EVIL'), { action: 'continue' as const }) }
    expect(await pay.call({ to }, { review: swap })).toMatchObject({ ok: false, error: { code: 'rejected', outcome: 'not_started' } })
  })

  test('a patch that repeats the mask keeps the true value [T14]', async () => {
    const login = tool({
      name: 'login',
      description: 'd',
      inputSchema: z.object({ to: z.string(), password: z.string() }),
      requireApproval: true,
      execute: (given) => given,
    })
    const review = recordingReview({ action: 'edit', patch: { to: 'b', password: '••••••' } })
    expect(await login.call({ to: 'a', password: 'hunter22' }, { review })).toMatchObject({ value: { to: 'b', password: 'hunter22' } })
  })
})

describe('a record', () => {
  const echo = tool({ name: 'echo', description: 'd', effect: 'read', execute: (text) => text })
  const other = tool({ name: 'other', description: 'd', effect: 'read', execute: (text) => `other ${text}` })
  const calling = (part: AgentTool<string, string>) =>
    compound({ name: 'whole', description: 'd', parts: { part }, run: (text, context) => context.call('a', part, text) })

  test('of another tool at the same step is refused', async () => {
    const journal = memoryJournal()
    await calling(echo).call('x', { journal })
    await expect(calling(other).call('x', { journal: memoryJournal(journal.entries) })).rejects.toMatchObject({ code: 'replay_diverged' })
  })

  test.each(['garbage', {}, 5, null, { ok: false }])('that holds %j for a result fails, and is not taken for a success', async (result) => {
    const journal = memoryJournal()
    await echo.call('x', { journal })
    const spoilt = journal.entries.map((entry) => (entry.kind === 'call' && entry.result !== undefined ? { ...entry, result } : entry))
    expect(await echo.call('x', { journal: memoryJournal(spoilt) })).toMatchObject({ ok: false, error: { code: 'journal_failed' } })
  })

  test('with every decision in it needs no reviewer to be replayed [T14]', async () => {
    const gated = gate(echo)
    const whole = compound({
      name: 'whole',
      description: 'd',
      parts: { gated },
      run: async (text, context) => {
        const { action } = await context.review({ why: 'sure?', onEdit: 'return' })
        return [action, (await context.call('g', gated, text)).text]
      },
    })
    const journal = memoryJournal()
    const live = await whole.call('x', { journal, review: recordingReview({ action: 'edit', input: 'y' }) })
    const again = await whole.call('x', { journal: memoryJournal(journal.entries) })
    expect([live, again]).toMatchObject([{ value: ['edit', 'y'] }, { value: ['edit', 'y'] }])
  })
})

describe('attempts', () => {
  test('go by the key of the step that they repeat, also where its label repeats [G4]', async () => {
    const seen = new Map<string, string>()
    const busy = new Set(['bob', 'cy'])
    const pay = tool({
      name: 'pay',
      description: 'd',
      effect: 'write',
      idempotent: 'keyed',
      execute: (to, { idempotencyKey }) => {
        if (busy.delete(to)) throw new Error('busy')
        seen.set(idempotencyKey, seen.get(idempotencyKey) ?? to)
        return seen.get(idempotencyKey)
      },
    })
    const all = compound({
      name: 'all',
      description: 'd',
      parts: { pay },
      run: async (_input, context) => {
        const paid: string[] = []
        for (const to of ['ann', 'bob', 'cy']) {
          const first = await context.call('pay', pay, to)
          paid.push((first.ok ? first : await context.call('pay', pay, to, { attempt: 2 })).text)
        }
        return paid
      },
    })
    expect(await all.call('', { journal: memoryJournal() })).toMatchObject({ value: ['ann', 'bob', 'cy'] })
  })

  test('are numbered: the same one twice is a mistake', async () => {
    const twice = compound({
      name: 'twice',
      description: 'd',
      parts: { read },
      run: async (_input, context) => {
        await context.call('a', read, '')
        await context.call('a', read, '', { attempt: 2 })
        return context.call('a', read, '', { attempt: 2 })
      },
    })
    await expect(twice.call('')).rejects.toMatchObject({ code: 'invalid_label' })
  })
})

describe('what goes on around a call does not end the process', () => {
  test('a listener that rejects and a part that nobody waited for become warnings', async () => {
    const warnings: string[] = []
    const watch = (warning: Error): void => void warnings.push(warning.message)
    process.on('warning', watch)
    await read.call('', { on: async () => Promise.reject(new Error('exporter down')) })
    const hasty = compound({
      name: 'hasty',
      description: 'd',
      parts: { gated: gate(write) },
      run: (_input, context, { gated }) => (void context.call('a', gated, ''), 'gone'),
    })
    await hasty.call('').catch(() => {})
    await settled()
    process.off('warning', watch)
    expect(warnings.some((message) => message.includes('exporter down'))).toBe(true)
  })

  test('a tool that was left behind says nothing more', async () => {
    const clock = fakeClock()
    const recorder = recordEvents()
    const late = tool({
      name: 'late',
      description: 'd',
      execute: async (_input, { clock: time, progress }) => (
        await new Promise<void>((done) => time.timer(500, done)),
        progress('still here')
      ),
    })
    await clock.until(late.call('', { clock, deadline: 100, on: recorder }))
    await clock.advance(1000)
    expect(recorder.summary()).toEqual(['call.started late', 'call.finished late'])
  })

  test('a copy made by spreading has its specification, and passes the same door', async () => {
    const copy = { ...gate(read) }
    expect(copy.specification).toEqual(read.specification)
    await expect(copy.call('')).rejects.toMatchObject({ code: 'missing_review_handler' })
  })
})

describe('a thenable that keeps to no rules', () => {
  // oxlint-disable-next-line unicorn/no-thenable -- it is what this is about
  const name = 'then'
  const odd: Readonly<Record<string, (settle: (value: string) => void) => void>> = {
    'that throws': () => {
      throw new Error('no')
    },
    'that throws after it settled': (settle) => {
      settle('fine')
      throw new Error('no')
    },
    'that settles twice': (settle) => {
      settle('fine')
      settle('again')
    },
  }
  test.each(Object.entries(odd))('%s is a result, alone and as a part [T7]', async (_what, then) => {
    const given = tool({ name: 'odd', description: 'd', effect: 'read', execute: () => ({ [name]: then }) as unknown as Promise<string> })
    const whole = compound({
      name: 'whole',
      description: 'd',
      parts: { given },
      run: (input, context) => context.call('odd', given, input),
    })
    const alone = await given.call('x')
    expect(alone.text).toBeOneOf(['Error: no', 'fine'])
    expect((await whole.call('x')).text).toBe(alone.text)
  })
})
