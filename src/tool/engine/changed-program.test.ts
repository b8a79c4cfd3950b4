import { describe, expect, test } from 'vitest'
import { gate } from '../../combinators/gate/gate.ts'
import { idempotent } from '../../combinators/idempotent/idempotent.ts'
import { memoryIdempotency } from '../../combinators/idempotent/memory-idempotency.ts'
import { map } from '../../combinators/map/map.ts'
import { first } from '../../combinators/parallel/join.ts'
import { parallel } from '../../combinators/parallel/parallel.ts'
import { saga } from '../../combinators/saga/saga.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import type { AgentTool } from '../agent-tool.ts'
import { compound } from '../compound.ts'
import type { CallOptions, ToolContext } from '../context.ts'
import { type JournalEntry, memoryJournal } from '../journal/journal.ts'
import type { ReviewDecision, ReviewRequest } from '../review.ts'
import { tool } from '../tool.ts'

type Flow = AgentTool<string, unknown>

/** Tools whose effects are noted with their paths. */
function world() {
  const done: string[] = []
  const make = (name: string, effect: 'read' | 'write', act: (context: ToolContext) => string): AgentTool<string, string> =>
    tool({ name, description: 'd', effect, idempotent: 'keyed', execute: (_input, context) => act(context) })
  const act = (name: string): AgentTool<string, string> => make(name, 'write', ({ path }) => (done.push(path), 'x'))
  const look = make('look', 'read', () => 'x')
  const fails = make('fails', 'read', () => {
    throw new Error('no')
  })
  const asked = gate(make('asked', 'read', () => 'x'))
  const flow = (parts: Readonly<Record<string, AgentTool<string, unknown>>>, run: (context: ToolContext) => Promise<unknown>): Flow =>
    compound({ name: 'order', description: 'd', parts, run: (_input: string, context) => run(context) })
  const careful = (name: string, ...steps: readonly (readonly [string, AgentTool<string, unknown>])[]): AgentTool<string, string> => {
    let builder = saga({ name, description: 'd' }) as unknown as {
      step: (label: string, step: AgentTool<string, unknown>, options: object) => typeof builder
      build: (options: object) => AgentTool<string, string>
    }
    for (const [label, step] of steps) {
      const compensate =
        step.effect === 'write' && step.plan().order === 'leaf'
          ? { compensate: { with: act(`undo_${step.name}`), class: 'reversible', input: () => 'x' } }
          : {}
      builder = builder.step(label, step, { input: () => 'x', ...compensate })
    }
    return builder.build({ output: () => 'x' })
  }
  return { done, act, look, fails, asked, flow, careful }
}

type Decide = (request: ReviewRequest) => ReviewDecision | undefined

const undecided: Decide = () => undefined

interface TakenUp {
  readonly entries: readonly JournalEntry[]
  /** A short text of the end; undefined where it waits for a person. */
  readonly end: string | undefined
}

/** Runs a program on a record until it has ended, or until only people can let it go on. */
async function takeUp(program: Flow, past: readonly JournalEntry[], decide: Decide, more: CallOptions = {}): Promise<TakenUp> {
  const clock = fakeClock(fakeClock().now() + 10_000 * past.length)
  const journal = memoryJournal(past)
  const review = { review: async (request: ReviewRequest) => decide(request) ?? new Promise<never>(() => {}) }
  let end: string | undefined
  void program.call('x', { journal, clock, idempotencyKey: 'run', deadline: Infinity, review, ...more }).then(
    (result) => (end = result.ok ? 'ok' : `${result.error.outcome}: ${result.text}`),
    (error: Error & { readonly code?: string }) => (end = error.code ?? String(error)),
  )
  await clock.advance(5000)
  return { entries: journal.entries, end }
}

/** What the first version recorded when it waits for a person. */
async function parked(program: Flow): Promise<readonly JournalEntry[]> {
  const { entries, end } = await takeUp(program, [], undecided)
  expect(end).toBeUndefined()
  return entries
}

const approve: Decide = () => ({ action: 'continue' })
const cancelled = { signal: AbortSignal.abort() }

describe('a run that is taken up by a changed program [O3]', () => {
  test('does not do a shielded step again under another name', async () => {
    const { done, act, asked, flow } = world()
    const pay = act('pay')
    const version = (label: string): Flow =>
      flow({ pay, asked }, async ({ call }) => {
        await call(label, pay, 'x', { shielded: true })
        return call('asked', asked, 'x')
      })
    const record = await parked(version('pay'))
    expect((await takeUp(version('wire'), record, approve)).end).toBe('replay_diverged')
    expect(done).toEqual(['order/pay'])
  })

  test.each(['parked', 'ended'] as const)(
    'does not do a shielded step again under another name when it is cancelled; it was %s',
    async (was) => {
      const { done, act, asked, flow } = world()
      const [pay, book] = [act('pay'), act('book')]
      const version = (label: string): Flow =>
        flow({ pay, book, asked }, async ({ call }) => {
          await call(label, pay, 'x', { shielded: true })
          if (was === 'parked') return call('asked', asked, 'x')
          await call('asked', asked, 'x')
          return call('book', book, 'x', { shielded: true })
        })
      const record = await parked(version('pay'))
      const { end } = await takeUp(version('wire'), record, approve, cancelled)
      expect([end, done]).toEqual(['replay_diverged', ['order/pay']])
    },
  )

  test('cleans up by shielded steps when it is cancelled and has not changed', async () => {
    const { done, act, asked, flow } = world()
    const [pay, clean] = [act('pay'), act('clean')]
    const program = flow({ pay, clean, asked }, async ({ call }) => {
      await call('pay', pay, 'x')
      try {
        return await call('asked', asked, 'x')
      } finally {
        await call('clean', clean, 'x', { shielded: true })
      }
    })
    await takeUp(program, await parked(program), undecided, cancelled)
    expect(done).toEqual(['order/pay', 'order/clean'])
  })

  test('undoes nothing and records no end when it fails, so that the version that began it can go on', async () => {
    const { done, act, fails, asked, flow, careful } = world()
    const [pay, book] = [act('pay'), careful('book', ['reserve', act('reserve')])]
    const inner = (isChanged: boolean): Flow =>
      flow({ book, asked, fails }, async ({ call }) => {
        if (isChanged) return call('fails', fails, 'x')
        await call('book', book, 'x')
        return call('asked', asked, 'x')
      })
    const whole = (isChanged: boolean): Flow => careful('whole', ['pay', pay], ['inner', inner(isChanged)]) as Flow
    const record = await parked(whole(false))
    const refused = await takeUp(whole(true), record, approve)
    expect([refused.end, done]).toEqual(['replay_diverged', ['whole/pay', 'whole/inner/book/reserve']])
    expect((await takeUp(whole(false), refused.entries, approve)).end).toBe('ok')
  })

  test('does not record the end of a race whose branch is gone', async () => {
    const { done, act, asked, careful } = world()
    const branch = (name: string): AgentTool<string, string> => careful(name, [name, act(name)], ['asked', asked])
    const [p, q] = [branch('p'), branch('q')]
    const old = parallel({ p, q }, { name: 'order', join: first() }) as Flow
    const record = await parked(old)
    const reject: Decide = ({ path }) => (path.startsWith('order/p/') ? { action: 'reject' } : undefined)
    const refused = await takeUp(parallel({ p }, { name: 'order', join: first() }) as Flow, record, reject)
    expect([refused.end, done.filter((path) => path.includes('undo'))]).toEqual(['replay_diverged', []])
    expect((await takeUp(old, refused.entries, ({ path }) => reject({ path } as ReviewRequest) ?? { action: 'continue' })).end).toBe('ok')
  })

  test('does not compensate again under another name', async () => {
    const { done, act, fails, asked, flow, careful } = world()
    const book = careful('book', ['reserve', act('reserve')], ['fails', fails])
    const version = (label: string): Flow =>
      flow({ book, asked }, async ({ call }) => {
        await call(label, book, 'x')
        return call('asked', asked, 'x')
      })
    const record = await parked(version('a'))
    const before = [...done]
    expect((await takeUp(version('b'), record, approve)).end).toBe('replay_diverged')
    expect([before.length, done]).toEqual([2, before])
  })

  test('begins nothing beside a step that does not fit', async () => {
    const { done, act, flow } = world()
    const pay = act('pay')
    const asks = (why: string): Flow => flow({}, ({ review }) => review({ why, input: why }))
    const version = (why: string): Flow => parallel({ a: asks(why), b: pay }, { name: 'whole' }) as Flow
    const recorded = await takeUp(version('one'), [], undecided)
    const question = recorded.entries.filter(({ kind }) => kind === 'review')
    done.length = 0
    expect((await takeUp(version('other'), question, undecided)).end).toBe('replay_diverged')
    expect(done).toEqual([])
  })

  test('that is past the change takes the old way, also in a compound that recorded nothing', async () => {
    const { act, asked, flow } = world()
    const [pay, mail] = [act('pay'), act('mail')]
    const inner = (isChanged: boolean) =>
      compound({
        name: 'inner',
        description: 'd',
        parts: { pay },
        run: async (_input: string, { patched, call }) => (isChanged && (await patched('pay')) ? call('pay', pay, 'x') : 'x'),
      })
    const version = (isChanged: boolean): Flow => {
      const part = inner(isChanged)
      return flow({ part, mail, asked }, async ({ call }) => {
        await call('part', part, 'x')
        await call('mail', mail, 'x')
        return call('asked', asked, 'x')
      })
    }
    expect((await takeUp(version(true), await parked(version(false)), approve)).end).toBe('ok')
  })

  test('names what a saga inside a saga did not reach, when it is cancelled', async () => {
    const { act, asked, flow, careful } = world()
    const pay = act('pay')
    const payment = (label: string): Flow => flow({ pay }, ({ call }) => call(label, pay, 'x'))
    const version = (label: string): Flow =>
      careful('whole', ['inner', careful('inner', ['payment', payment(label)], ['asked', asked]) as Flow]) as Flow
    const { end } = await takeUp(version('other'), await parked(version('pay')), undecided, cancelled)
    expect(end).toContain('Not undone: inner/payment/pay.')
    expect(end).toMatch(/^unknown: /)
  })

  test('goes on undoing when a step that only reads was added', async () => {
    const { done, act, look, fails } = world()
    const refund = gate(act('refund'))
    const version = (isChanged: boolean): Flow => {
      const begun = saga({ name: 'order', description: 'd' }).step('pay', act('pay'), {
        input: () => 'x',
        compensate: { with: refund, class: 'reversible', input: () => 'x' },
      })
      const looked = isChanged ? begun.step('look', look, { input: () => 'x' }) : begun
      return (looked as typeof begun).step('fails', fails, { input: () => 'x' }).build({ output: () => 'x' }) as Flow
    }
    const record = await parked(version(false))
    const { end } = await takeUp(version(true), record, approve)
    expect([end?.includes('Undone: pay.'), done.length]).toEqual([true, 2])
  })

  test('keeps the key of an effect that it did not come by [G4]', async () => {
    const { done, asked, flow } = world()
    const pay = tool({ name: 'pay', description: 'd', effect: 'write', execute: (_input: string, { path }) => (done.push(path), 'x') })
    const store = memoryIdempotency()
    const version = (label: string): Flow =>
      idempotent(
        flow({ pay, asked }, async ({ call }) => {
          await call(label, pay, 'x')
          return call('asked', asked, 'x')
        }),
        { key: () => 'k', store },
      ) as Flow
    const record = await parked(version('pay'))
    expect((await takeUp(version('wire'), record, undecided, cancelled)).end).toMatch(/^unknown: /)
    const again = await version('wire').call('x', { review: { review: () => ({ action: 'continue' }) } })
    expect([again.ok, done.length]).toEqual([false, 1])
  })
})

describe('a run that is taken up by the same program [G5]', () => {
  test('begins nothing when somebody has stopped it, whatever was approved after that', async () => {
    const { done, act } = world()
    const whole = parallel({ c: gate(act('c')), d: gate(act('d')) }, { name: 'order' }) as Flow
    const record = await parked(whole)
    const decided = record.map((entry): JournalEntry => {
      if (entry.kind !== 'review') return entry
      return { ...entry, decision: entry.path.startsWith('order/d') ? { action: 'stop' } : { action: 'continue' } }
    })
    expect([(await takeUp(whole, decided, undecided)).end, done]).toEqual(['exit_early', []])
  })

  test('ends and undoes when somebody has stopped a part that its compound does not wait for', async () => {
    const { done, act, asked, careful, flow } = world()
    const booking = careful('booking', ['book', act('book')], ['pay', gate(act('pay'))])
    const whole = flow({ booking, asked }, ({ call }) => {
      void call('asked', asked, 'x')
      return call('booking', booking, 'x')
    })
    const record = await parked(whole)
    const decided = record.map((entry): JournalEntry => {
      if (entry.kind !== 'review') return entry
      return { ...entry, decision: { action: entry.path.startsWith('order/asked') ? 'stop' : 'continue' } }
    })
    expect((await takeUp(whole, decided, undecided)).end).toBe('exit_early')
    expect(done).toEqual(['order/booking/book', 'order/booking/undo.book'])
  })

  test('gives an item of a map no more time than it had', async () => {
    const { done, act } = world()
    const slow = tool({ name: 'slow', description: 'd', effect: 'read', execute: (_input: string, { sleep }) => sleep(60_000) })
    const item = parallel({ wire: gate(act('wire')), slow }, { name: 'item', deadline: '1s' })
    const each = map(item)
    const whole = compound({
      name: 'order',
      description: 'd',
      parts: { each },
      run: async (_input: string, { call, sleep }) => {
        const result = await call('each', each, ['x'])
        await sleep('1h')
        return result.ok
      },
    }) as Flow
    const { entries, end } = await takeUp(whole, [], undecided)
    expect(end).toBeUndefined()
    const later = fakeClock(fakeClock().now() + 4_000_000)
    const result = await later.until(
      whole.call('x', {
        journal: memoryJournal(entries),
        clock: later,
        idempotencyKey: 'run',
        deadline: Infinity,
        review: { review: () => new Promise<never>(() => {}) },
      }),
    )
    expect([result.ok && result.value, done]).toEqual([false, []])
  })

  test('does not begin a part that was refused, because its time was noted', async () => {
    const { done, act, flow } = world()
    const pay = act('pay')
    const part = compound({
      name: 'part',
      description: 'd',
      parts: { pay },
      run: (_input: string, { call }) => call('pay', pay, 'x', { shielded: true }),
    })
    const whole = flow({ part }, ({ call }) => call('part', part, 'x', { deadline: 1000 }))
    const noted: readonly JournalEntry[] = [{ kind: 'decision', path: 'order/part:deadline', value: { at: 0, ms: 1e15 } }]
    expect((await takeUp(whole, noted, undecided, cancelled)).end).toContain('did not start')
    expect(done).toEqual([])
  })
})
