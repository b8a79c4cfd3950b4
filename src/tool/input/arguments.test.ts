import { describe, expect, test } from 'vitest'
import { ToolError } from '../errors/tool-error.ts'
import { parseArguments } from './arguments.ts'

const messageOf = (text: string): string => {
  try {
    parseArguments(text, 'find')
  } catch (error) {
    if (error instanceof ToolError) return error.message
  }
  return ''
}

describe('broken JSON', () => {
  test.each([
    ["{'a': 1}", "Expected property name or '}', at character 2 of 8"],
    ['{"a": 1', "Expected ',' or '}' after property value, at character 8 of 7"],
    ['{"a": }', "Unexpected token '}', in a string of 7 characters"],
    ['nonsense', "Unexpected token 'o', in a string of 8 characters"],
    ['{"a":1}{"a":1}', 'Unexpected non-whitespace character after JSON, at character 8 of 14'],
  ])('%s gets a message of its own [T4]', (text, message) => {
    expect(messageOf(text)).toBe(`The arguments of tool 'find' are not valid JSON: ${message}.`)
  })

  test('is told by its place, and never repeated [T4]', () => {
    const text = `{"text": "${'a'.repeat(5000)}", "b": 1 "c": 2, "d": "${'e'.repeat(5000)}"}`
    const message = messageOf(text)
    expect(message).toContain(`at character ${text.indexOf('"c"') + 1} of ${text.length}`)
    expect(message).not.toContain('aa')
  })

  test('is an input_validation failure that never started, with the reason as its cause [T4]', () => {
    expect(() => parseArguments('{', 'find')).toThrow(
      expect.objectContaining({
        code: 'invalid_arguments',
        class: 'input_validation',
        outcome: 'not_started',
        cause: expect.any(SyntaxError),
      }),
    )
  })

  test('holds no half characters in its message [T4]', () => {
    expect(messageOf(`{"a": \uD800${'x'.repeat(100)}`).isWellFormed()).toBe(true)
  })
})

test.each(['', ' ', '\n\t', '\uFEFF'])('%o stands for no arguments [T4]', (text) => {
  expect(parseArguments(text, 'find')).toEqual({})
})

test('a byte order mark is passed over', () => {
  expect(parseArguments('\uFEFF{"a":1}', 'find')).toEqual({ a: 1 })
})

test.each([
  '{"a":{"__proto__":{"polluted":true}},"b":1}',
  '{"a":{"\\u005f_proto__":{"polluted":true}},"b":1}',
  '{"a":{"__pr\\u006fto\\u005F_":{"polluted":true}},"b":1}',
])('a __proto__ key is dropped, however it is written: %s [T4]', (text) => {
  const parsed = parseArguments(text, 'find') as { readonly a: object }
  expect(parsed).toEqual({ a: {}, b: 1 })
  expect(Object.keys(parsed.a)).toEqual([])
  expect({}).not.toHaveProperty('polluted')
})

test('the last of two equal keys counts, as in JSON everywhere', () => {
  expect(parseArguments('{"a":1,"a":2}', 'find')).toEqual({ a: 2 })
})

test('what is nested too deeply to be looked through is refused, not a crash [T4]', () => {
  expect(messageOf(`{"__proto__":1,"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`)).toContain('it is nested too deeply')
})
