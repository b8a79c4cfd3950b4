import { describe, expect, test } from 'vitest'
import { ToolError } from '../errors/tool-error.ts'
import { memoryJournal } from '../journal/journal.ts'
import { tool } from '../tool.ts'
import { failure } from './returned.ts'
import type { ToolFailure } from './result.ts'

const DEFAULT = 'The tool failed without a message.'

/** Throws whenever it is looked at. */
const unreadable = new Proxy(new Error('hidden'), {
  get: () => {
    throw new Error('Do not read me.')
  },
  getPrototypeOf: () => {
    throw new Error('Do not read me.')
  },
})

const throwingMessage = Object.defineProperty(new Error('x'), 'message', {
  get: () => {
    throw new Error('Do not read me.')
  },
})

function cyclic(): Error {
  const error = new Error('round')
  error.cause = new Error('and round', { cause: error })
  return error
}

/** What `failure` gives to the caller of a tool that returns it, or throws the reason. */
async function failed(execute: () => unknown): Promise<ToolFailure> {
  const result = await tool({ name: 'fails', description: 'd', effect: 'read', execute }).call('', { journal: memoryJournal() })
  if (result.ok) throw new Error('It did not fail.')
  return result
}

const REASONS: readonly (readonly [name: string, reason: unknown, message: string])[] = [
  ['a message', 'The card was declined.', 'The card was declined.'],
  ['nothing', undefined, DEFAULT],
  ['null', null, DEFAULT],
  ['an empty text', '', DEFAULT],
  ['blanks', ' \n\t', DEFAULT],
  ['a number', 42, '42'],
  ['not a number', Number.NaN, 'NaN'],
  ['a big integer', 7n, '7'],
  ['a boolean', false, 'false'],
  ['a symbol', Symbol('why'), 'Symbol(why)'],
  ['a symbol without a name', Symbol(), 'Symbol()'],
  ['a function', () => 'no', DEFAULT],
  ['an error', new Error('x'), 'x'],
  ['an error without a message', new Error(), DEFAULT],
  ['an error of a class', new RangeError('too far'), 'too far'],
  ['an error with a cause', new Error('fetch failed', { cause: new Error('no route') }), 'fetch failed: no route'],
  ['a cycle of causes', cyclic(), 'round'],
  ['an aggregate', new AggregateError([new Error('a'), new Error('b')], 'both'), 'both'],
  ['an object with a message', { message: 'said' }, 'said'],
  ['an object with a code', { code: 'E_ODD' }, 'E_ODD'],
  ['an object without a message', { status: 'odd' }, DEFAULT],
  ['an object whose message is none', { message: { nested: true } }, DEFAULT],
  ['an object without a prototype', Object.create(null), DEFAULT],
  ['a list', ['a', 'b'], DEFAULT],
  ['a getter that throws', throwingMessage, DEFAULT],
  ['an object that cannot be read', unreadable, DEFAULT],
  ['an error of a tool', new ToolError('Not today.', { code: 'closed' }), 'Not today.'],
]

describe('failure of', () => {
  test.each(REASONS)('%s has a message that can be read [T6]', async (_name, reason, message) => {
    const result = await failed(() => failure(reason))
    expect(result.text).toBe(`Error: ${message}`)
    expect(result.error.message).toBe(message)
    expect(JSON.parse(JSON.stringify(result))).toMatchObject({ ok: false, text: `Error: ${message}` })
  })

  test.each(REASONS)('%s says the same as when it is thrown [T6]', async (_name, reason, message) => {
    const result = await failed(() => {
      throw reason
    })
    expect(result.text).toBe(`Error: ${message}`)
  })

  test('an error is classified as if it had been thrown, and is its cause [H1]', async () => {
    const busy = Object.assign(new Error('Slow down.'), { status: 429 })
    expect((await failed(() => failure(busy))).error).toMatchObject({
      code: 'rate_limited',
      class: 'rate_limited',
      retryable: true,
      cause: busy,
    })
    const own = new ToolError('Closed.', { code: 'closed', hint: 'Come tomorrow.', class: 'transient' })
    expect((await failed(() => failure(own))).error).toMatchObject({ code: 'closed', class: 'transient', hint: 'Come tomorrow.' })
  })

  test('an error goes by the code or the class of the options, where they name one [H1]', async () => {
    const busy = Object.assign(new Error('Slow down.'), { status: 429 })
    expect((await failed(() => failure(busy, { class: 'not_found' }))).error).toMatchObject({ class: 'not_found', retryable: false })
    expect((await failed(() => failure(busy, { code: 'odd' }))).error).toMatchObject({ code: 'odd', message: 'Slow down.' })
    expect((await failed(() => failure(busy, { code: undefined, hint: 'Wait.' }))).error).toMatchObject({
      code: 'rate_limited',
      hint: 'Wait.',
    })
  })

  test('a text has no cause but the given one', async () => {
    expect((await failed(() => failure('No.'))).error.cause).toBeUndefined()
    expect((await failed(() => failure('No.', { cause: 7 }))).error.cause).toBe(7)
  })

  test('options that are none are left out [T6]', async () => {
    const odd = { code: 7n, class: 'odd', retryable: 'yes', hint: {}, outcome: 3, retryAfterMs: Number.NaN, cause: unreadable }
    const result = await failed(() => failure('No.', odd as never))
    expect(JSON.parse(JSON.stringify(result))).toMatchObject({ error: { code: 'tool_failed', class: 'semantic', outcome: 'unknown' } })
    expect(result.error).toMatchObject({ message: 'No.', retryable: false, retryAfterMs: undefined })
  })
})
