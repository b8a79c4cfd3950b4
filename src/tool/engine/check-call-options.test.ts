import { expect, test } from 'vitest'
import { fakeClock } from '../../testing/fake-clock.ts'
import { recordEvents } from '../../testing/record-events.ts'
import type { CallOptions } from '../context.ts'
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
