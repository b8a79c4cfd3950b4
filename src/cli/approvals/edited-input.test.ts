import { expect, test } from 'vitest'
import fc from 'fast-check'
import { editableInput, withProblem } from './edited-input.ts'

test('a text that is left as it is changes nothing, whatever the input is', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (input) => {
      const { text, changeIn } = editableInput(input)
      expect(changeIn(text)).toBeUndefined()
      expect(changeIn(withProblem(withProblem(text, 'It is wrong.\nReally.'), 'Once more.'))).toBeUndefined()
    }),
  )
})

test('the value that a person writes is the input, whatever it is', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
      const written = JSON.stringify(value, undefined, 2)
      expect(editableInput({ before: true }).changeIn(`// a comment\n${written}\n`)).toEqual({ input: JSON.parse(written) as unknown })
    }),
  )
})

test('an input that JSON cannot hold is changed by a patch, so that its other fields stay as they are', () => {
  const { text, changeIn } = editableInput({ at: new Date(0), amount: 1 })
  expect(text).toContain('"amount": 1')
  expect(changeIn(text)).toBeUndefined()
  expect(changeIn('{"amount": 2}')).toEqual({ patch: { amount: 2 } })
})

test('an empty text changes nothing, and a text that is no JSON says why', () => {
  const { changeIn } = editableInput({ a: 1 })
  expect(changeIn('')).toBeUndefined()
  expect(changeIn('// only a comment')).toBeUndefined()
  expect(() => changeIn('{"a": }')).toThrow('This is not valid JSON.')
})

test('characters that a terminal obeys are escaped in the text', () => {
  const { text } = editableInput({ to: 'a\u202Eb\u001B[2J' })
  expect([text.includes('\u202E'), text.includes('\u001B')]).toEqual([false, false])
})

test('the reason of an earlier time is not kept', () => {
  expect(withProblem(withProblem('{}', 'one'), 'two')).toBe('//! two\n{}')
})
