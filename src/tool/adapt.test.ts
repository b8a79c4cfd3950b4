import { describe, expect, test } from 'vitest'
import { adapt } from './adapt.ts'
import { ConfigurationError } from './errors/configuration-error.ts'

describe('a plain function between tools', () => {
  test('gives what it gives', () => {
    expect(adapt('It', () => 7)).toBe(7)
    expect(adapt('It', () => undefined)).toBeUndefined()
  })

  test.each([
    [new Error('odd'), 'It failed: odd'],
    ['odd', 'It failed: odd'],
    [{ odd: 1 }, 'It failed: {"odd":1}'],
    [undefined, 'It failed and gave no reason.'],
    [new Error(''), 'It failed and gave no reason.'],
  ])('that throws %o fails with its name and its reason', (thrown, message) => {
    const throwing = (): never => {
      throw thrown
    }
    expect(() => adapt('It', throwing, { hint: 'Look.' })).toThrow(
      expect.objectContaining({ name: 'ToolError', code: 'adapter_failed', message, hint: 'Look.', cause: thrown }),
    )
  })

  test('that gives a promise of any kind fails; nobody hears the promise reject', async () => {
    expect(() => adapt('It', () => Promise.reject(new Error('late')))).toThrow('It returned a promise. It must be synchronous')
    const late = new (class Late extends Promise<void> {})(() => {})
    expect(() => adapt('It', () => late)).toThrow(expect.objectContaining({ code: 'adapter_failed' }))
    await new Promise((resolve) => void setImmediate(resolve))
  })

  test.each([
    ['calls what it is given', (resolve: (value: number) => void) => resolve(1)],
    [
      'throws',
      () => {
        throw new Error('no promise')
      },
    ],
  ])('that gives what looks like a promise and %s when asked fails all the same', (_what, then) => {
    // eslint-disable-next-line unicorn/no-thenable
    expect(() => adapt('It', () => ({ then }))).toThrow(expect.objectContaining({ code: 'adapter_failed' }))
  })

  test('lets pass what ends a run', () => {
    const wrong = new ConfigurationError('invalid_option', 'no')
    const throwing = (): never => {
      throw wrong
    }
    expect(() => adapt('It', throwing)).toThrow(wrong)
  })
})
