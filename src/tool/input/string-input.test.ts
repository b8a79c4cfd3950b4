import { describe, expect, test } from 'vitest'
import { resolve } from '../resolve/resolve.ts'
import { tool } from '../tool.ts'

const received: string[] = []
const echo = tool({
  name: 'echo',
  description: 'Gives back its input.',
  execute: (input) => {
    received.push(input)
    return input
  },
})
const tools = await resolve([echo])

/** What the tool got for this argument text. */
async function given(text: string): Promise<string | undefined> {
  received.length = 0
  await tools.call('echo', text)
  return received[0]
}

test('the model sees exactly one required string parameter named input [T2]', () => {
  expect(echo.specification.parameters).toEqual({
    type: 'object',
    properties: { input: { type: 'string', description: 'The input to pass to the tool' } },
    required: ['input'],
  })
})

describe('the argument text', () => {
  test.each([
    ['the input itself', '{"input":"2 + 3"}', '2 + 3'],
    ['the input beside other fields', '{"input":"2 + 3","why":"because"}', '2 + 3'],
    ['an empty input', '{"input":""}', ''],
    ['an input with an escape', '{"input":"a\\n\\u00e9"}', 'a\né'],
  ])('that holds %s gives it [T2]', async (_what, text, input) => {
    expect(await given(text)).toBe(input)
  })

  test.each([
    ['broken JSON', '{"input": "2 + '],
    ['plain words', 'two plus three'],
    ['nothing', ''],
    ['blanks', '  \n'],
    ['an object without input', '{"expression":"2 + 3"}'],
    ['an input of null, which is missing', '{"input":null}'],
    ['a list', '["2 + 3"]'],
    ['a string', '"2 + 3"'],
    ['a number', '5'],
    ['null', 'null'],
    ['an input that is only inherited', '{"__proto__":{"input":"x"}}'],
  ])('that is %s reaches the tool as it is [T2]', async (_what, text) => {
    expect(await given(text)).toBe(text)
  })

  test.each([
    ['an object', '{"input": {"a": [1, "b", null]} }', '{"a":[1,"b",null]}'],
    ['a list', '{"input":[1, 2]}', '[1,2]'],
    ['a number', '{"input":5}', '5'],
    ['a boolean', '{"input":false}', 'false'],
  ])('whose input is %s gives its JSON text [T2]', async (_what, text, input) => {
    expect(await given(text)).toBe(input)
  })

  test('whose input is nested too deeply to be written again reaches the tool as it is [T2]', async () => {
    const text = `{"input":${'['.repeat(50_000)}${']'.repeat(50_000)}}`
    expect(await given(text)).toBe(text)
  })
})

describe('arguments that a peer has parsed', () => {
  test.each([
    ['an input', { input: 'x' }, 'x'],
    ['an input that is an object', { input: { a: 1 } }, '{"a":1}'],
    ['no input', { a: 1 }, '{"a":1}'],
    ['a text', 'x', 'x'],
    ['nothing', undefined, ''],
  ])('with %s are read by the same rules [T2]', async (_what, value, input) => {
    await expect(echo.execute(value as never)).resolves.toBe(input)
  })
})

test('a program hands over the text itself, even where it looks like arguments [T2]', async () => {
  await expect(echo.call('{"input":"x"}')).resolves.toMatchObject({ value: '{"input":"x"}' })
})

test('anything but a text from a program is given as text', async () => {
  await expect(echo.call({ a: 1n } as never)).resolves.toMatchObject({ value: '{"a":"1"}' })
  await expect(echo.call(undefined as never)).resolves.toMatchObject({ value: '' })
})
