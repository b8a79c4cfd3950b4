import { expect, test } from 'vitest'
import { saga } from '../../combinators/saga/saga.ts'
import { fakeClock, settled } from '../../testing/fake-clock.ts'
import { compound } from '../compound.ts'
import { ConfigurationError } from '../errors/configuration-error.ts'
import { memoryJournal } from '../journal/journal.ts'
import { tool } from '../tool.ts'

function world() {
  const done: string[] = []
  const effect = (name: string, ms = 0) =>
    tool({
      name,
      description: 'd',
      effect: 'write',
      idempotent: 'keyed',
      execute: async (_input, { sleep }) => {
        done.push(name)
        await sleep(ms)
        return name
      },
    })
  const booking = saga({ name: 'booking', description: 'd' })
    .step('book', effect('book'), { compensate: { with: effect('unbook'), class: 'reversible', input: () => 'x' } })
    .step('pay', effect('pay', 5000), { compensate: { with: effect('pay_back'), class: 'reversible', input: () => 'x' } })
    .build({ output: () => 'x' })
  return { done, booking, quick: effect('quick', 10) }
}

const ends: Readonly<Record<string, (value: unknown) => unknown>> = {
  returns: () => 'done',
  throws: () => {
    throw new Error('gives up')
  },
}

test.each(
  Object.keys(ends).flatMap((how) => [
    [how, false],
    [how, true],
  ]),
)(
  'a compound that %s while a saga of it still runs ends when the saga has undone what it did (recorded: %s) [G1]',
  async (how, isRecorded) => {
    const { done, booking, quick } = world()
    const clock = fakeClock()
    const hasty = compound({
      name: 'hasty',
      description: 'd',
      parts: { booking, quick },
      run: async (_input, context) => {
        void context.call('booking', booking, 'x')
        await context.call('quick', quick, 'x')
        return ends[how as string]?.('x')
      },
    })
    const around = compound({
      name: 'around',
      description: 'd',
      parts: { hasty },
      run: (_input, context) => context.call('hasty', hasty, 'x'),
    })
    const result = await clock.until(around.call('x', { clock, ...(isRecorded === true ? { journal: memoryJournal() } : {}) }))
    expect(result.ok).toBe(how === 'returns')
    expect(done.filter((name) => name !== 'quick')).toEqual(['book', 'pay', 'pay_back', 'unbook'])
    expect(clock.now() - 1_700_000_000_000).toBe(10)
  },
)

test('what goes on beside such a compound is not cancelled with its parts [T9]', async () => {
  const { booking, quick } = world()
  const clock = fakeClock()
  const hasty = compound({
    name: 'hasty',
    description: 'd',
    parts: { booking },
    run: async (_input, context) => {
      void context.call('booking', booking, 'x')
      return 'done'
    },
  })
  const around = compound({
    name: 'around',
    description: 'd',
    parts: { hasty, quick },
    run: async (_input, context) => {
      const [one, two] = await Promise.all([context.call('hasty', hasty, 'x'), context.call('quick', quick, 'x')])
      return `${one.text} ${two.text}`
    },
  })
  expect(await clock.until(around.call('x', { clock }))).toMatchObject({ ok: true, value: 'done quick' })
})

test.each([
  ['in the time of its caller', undefined],
  ['with a time of its own', 1000],
])('a part that nobody awaits and that is wrong at once fails its caller, and not the process: %s [T9]', async (_name, deadline) => {
  const unhandled: unknown[] = []
  const note = (error: unknown): void => void unhandled.push(error)
  process.on('unhandledRejection', note)
  try {
    const wrong = tool({
      name: 'wrong',
      description: 'd',
      effect: 'read',
      execute: (): string => {
        throw new ConfigurationError('invalid_option', 'wrong')
      },
    })
    const whole = compound({
      name: 'whole',
      description: 'd',
      parts: { wrong },
      run: async (_input, context) => {
        void context.call('wrong', wrong, 'x', { deadline })
        await context.sleep(1)
        return 'done'
      },
    })
    await expect(whole.call('x')).rejects.toThrow('wrong')
    await settled()
    expect(unhandled).toEqual([])
  } finally {
    process.off('unhandledRejection', note)
  }
})
