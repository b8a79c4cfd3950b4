import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { failure } from '../result/returned.ts'
import { ConfigurationError, isConfigurationError } from './configuration-error.ts'
import { CONFIGURATION_ERRORS, type ErrorClass, FAILURES } from './error-codes.ts'
import { ExitEarly, isExitEarly } from './exit-early.ts'
import { isToolError, ToolError } from './tool-error.ts'

const CLASSES: readonly (readonly [ErrorClass, boolean])[] = [
  ['transient', true],
  ['rate_limited', true],
  ['input_validation', false],
  ['authorization', false],
  ['semantic', false],
  ['not_found', false],
  ['server', true],
  ['rejected', false],
  ['deadline', false],
  ['cancelled', false],
]

describe('the table of codes', () => {
  test.each(Object.entries(FAILURES))('%s has a class, a rule for retries and a hint that ends in a full stop', (_code, kind) => {
    expect(CLASSES.map(([name]) => name)).toContain(kind.class)
    expect(kind.hint).toMatch(/^[A-Z].*\.$/)
    expect(typeof kind.retryable).toBe('boolean')
  })

  test('what a person, a deadline or a caller ended is never retried [H1]', () => {
    const ended = Object.values(FAILURES).filter((kind) => ['rejected', 'deadline', 'cancelled'].includes(kind.class))
    expect(ended.length).toBeGreaterThan(2)
    expect(ended.map(({ retryable }) => retryable)).toEqual(ended.map(() => false))
  })

  test('no code means two things', () => {
    const codes = [...Object.keys(FAILURES), ...CONFIGURATION_ERRORS, 'exit_early']
    expect(new Set(codes).size).toBe(codes.length)
  })
})

describe('a ToolError', () => {
  test('without options is a semantic failure [T6]', () => {
    expect(new ToolError('No.')).toMatchObject({
      name: 'ToolError',
      message: 'No.',
      code: 'tool_failed',
      class: 'semantic',
      retryable: false,
      hint: FAILURES.tool_failed.hint,
      outcome: 'failed',
      retryAfterMs: undefined,
    })
  })

  test('with a misspelt option keeps its failure, warns once with the name that is meant, and does not claim that nothing happened', () => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    onTestFinished(() => warned.mockRestore())
    for (const make of [(options: object) => new ToolError('No.', options), (options: object) => failure('No.', options).error]) {
      expect(make({ outcom: 'not_started' })).toMatchObject({ message: 'No.', outcome: 'unknown' })
      expect(make({ retryabel: true, class: 'transient' })).toMatchObject({ class: 'transient', outcome: 'unknown' })
      expect(make({ retryabel: true, outcome: 'failed' })).toMatchObject({ outcome: 'failed' })
      expect(make({ outcome: undefined, hint: 'x' })).toMatchObject({ outcome: 'failed' })
    }
    expect(warned.mock.calls.map(([text]) => text)).toEqual([
      expect.stringContaining("have no 'outcom'. Did you mean 'outcome'?"),
      expect.stringContaining("have no 'retryabel'. Did you mean 'retryable'"),
    ])
  })

  test.each(CLASSES)('of class %s that names no code is retryable: %s [H1]', (errorClass, retryable) => {
    const error = new ToolError('No.', { class: errorClass })
    expect(error).toMatchObject({ code: 'tool_failed', class: errorClass, retryable })
    expect(error.hint).not.toBe('')
  })

  test.each(Object.keys(FAILURES) as (keyof typeof FAILURES)[])('of code %s has what the table says [H1]', (code) => {
    expect(new ToolError('No.', { code })).toMatchObject({ code, ...FAILURES[code] })
  })

  test('of a code of its own has what its class says, unless it says otherwise [H1]', () => {
    expect(new ToolError('No.', { code: 'acme_busy', class: 'transient' })).toMatchObject({
      code: 'acme_busy',
      class: 'transient',
      retryable: true,
    })
    expect(new ToolError('No.', { code: 'acme_busy', class: 'transient', retryable: false, hint: 'Wait for Monday.' })).toMatchObject({
      retryable: false,
      hint: 'Wait for Monday.',
    })
  })

  test.each(['constructor', '__proto__', 'toString'])('of code %o is no surprise', (code) => {
    expect(new ToolError('No.', { code })).toMatchObject({ code, class: 'semantic', retryable: false })
  })

  test.each(['', '  ', undefined, null, 5])('with the message %o gets a default one [T6]', (message) => {
    expect(new ToolError(message as string).message).toBe('The tool failed without a message.')
  })

  test('of a class that is none still has a hint', () => {
    expect(new ToolError('No.', { class: 'odd' as ErrorClass }).hint).toBe(FAILURES.tool_failed.hint)
  })

  test('keeps its cause, and has none that nobody gave', () => {
    expect(new ToolError('No.', { cause: 5 }).cause).toBe(5)
    expect('cause' in new ToolError('No.')).toBe(false)
  })
})

describe('errors are recognised', () => {
  const errors = [new ToolError('x'), new ConfigurationError('invalid_name', 'x'), new ExitEarly('it')]

  test('each as itself, and nothing else as one of them', () => {
    expect(errors.map(isToolError)).toEqual([true, false, false])
    expect(errors.map(isConfigurationError)).toEqual([false, true, false])
    expect(errors.map(isExitEarly)).toEqual([false, false, true])
    for (const other of [undefined, null, 'x', {}, new Error('x'), () => 1]) {
      expect([isToolError(other), isConfigurationError(other), isExitEarly(other)]).toEqual([false, false, false])
    }
  })

  test('of another copy of the package too', async () => {
    const copy = (await import(`${new URL('./tool-error.ts', import.meta.url).href}?copy`)) as { readonly ToolError: typeof ToolError }
    const error = new copy.ToolError('x')
    expect(error).not.toBeInstanceOf(ToolError)
    expect(isToolError(error)).toBe(true)
  })

  test('whatever they are shown, without a throw', () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    expect(isToolError(proxy)).toBe(false)
  })
})

test('an exit names the tool, and the reason where there is one', () => {
  expect(new ExitEarly('refund')).toMatchObject({
    name: 'ExitEarly',
    code: 'exit_early',
    tool: 'refund',
    message: "A reviewer stopped the run at 'refund'.",
  })
  expect(new ExitEarly('refund', 'Wrong customer.').message).toBe("A reviewer stopped the run at 'refund': Wrong customer.")
})
