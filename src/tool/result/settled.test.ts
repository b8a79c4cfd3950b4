import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { pipe } from '../../combinators/pipe/pipe.ts'
import { failure, success } from './returned.ts'
import { tool } from '../tool.ts'

const give = tool({
  name: 'give',
  description: 'd',
  effect: 'read',
  execute: (text) => success({ text }, { text: 'It gave.', confidence: 0.5 }),
})
const fail = tool({
  name: 'fail',
  description: 'd',
  effect: 'read',
  execute: () => failure('No such order.', { cause: new Error('the reason') }),
})

/** As `console.log` shows it, on one line. */
const shown = (value: unknown): string => inspect(value, { depth: 9 }).replaceAll(/\s+/g, ' ')

test('a success shows its text, its value, its steps and where it came from when it is printed [T6]', async () => {
  const printed = shown(await pipe(give, give).call('x'))
  expect(printed).toMatch(
    /^\{ ok: true, text: 'It gave\.', value: \{ text: 'It gave\.' \}, confidence: 0\.5, steps: \[ \w* ?\{ label: 'give'/,
  )
  expect(printed).toContain("tool: 'give_then_give@0.0.0'")
  expect(printed).not.toContain('undefined')
})

test('a failure shows its text, its error and its cause when it is printed [T6]', async () => {
  const printed = shown(await fail.call('x'))
  expect(printed).toContain("{ ok: false, text: 'Error: No such order.', error: { code: 'tool_failed'")
  expect(printed).toContain('cause: Error: the reason')
  expect(printed).toContain("provenance: { tool: 'fail@0.0.0'")
})

test('what is kept or sent as JSON has no cause [T6]', async () => {
  expect(JSON.stringify(await fail.call('x'))).not.toContain('the reason')
})
