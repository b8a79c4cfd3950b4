import { expect, test } from 'vitest'
import { fakeClock } from '../../testing/fake-clock.ts'
import { recordEvents } from '../../testing/record-events.ts'
import type { CallOptions } from '../context.ts'
import { isConfigurationError } from '../errors/configuration-error.ts'
import { memoryJournal } from '../journal/journal.ts'
import { tool } from '../tool.ts'

const echo = tool({ name: 'echo', description: 'd', effect: 'read', execute: (input) => input })

test.each([
  [{ clock: {} }, "'clock'"],
  [{ clock: null }, "'clock'"],
  [{ journal: null }, "'journal'"],
  [{ journal: { read: () => undefined } }, "'journal'"],
  [{ overrides: null }, "'overrides'"],
  [{ on: null }, "'on'"],
  [{ on: [() => {}, 5] }, "'on'"],
])('options %j are refused by name before the tool runs', async (options, named) => {
  await expect(echo.call('x', options as unknown as CallOptions)).rejects.toMatchObject({
    code: 'invalid_option',
    message: expect.stringContaining(named),
  })
})

test('options that are right pass, one by one and together', async () => {
  const recorder = recordEvents()
  const options: CallOptions = { clock: fakeClock(), journal: memoryJournal(), overrides: {}, on: [recorder, () => {}] }
  expect((await echo.call('x', options)).text).toBe('x')
  expect((await echo.call('x', { on: recorder })).text).toBe('x')
  expect((await echo.call('x', {})).text).toBe('x')
})

test.each([null, {}, 5, 'x', () => 1, new AbortController()])(
  'a signal that is none is refused before anything runs: %o',
  async (signal) => {
    let runs = 0
    const counted = tool({ name: 'counted', description: 'd', effect: 'read', execute: () => ++runs })
    const error: unknown = await counted.call('x', { signal: signal as never }).catch((thrown: unknown) => thrown)
    expect(isConfigurationError(error) && error.code).toBe('invalid_option')
    expect(error).toMatchObject({ message: expect.stringContaining('The signal of a call must be an AbortSignal, not ') })
    expect(runs).toBe(0)
  },
)
