import { describe, expect, test } from 'vitest'
import { MASK } from './mask-text.ts'
import { ApplyingSchemas } from './applying-schemas.ts'
import { KnownSecrets } from './known-secrets.ts'
import { reviewView } from './review-view.ts'
import { NotShowable } from './walk.ts'

const short = { type: 'string', maxLength: 3 }
const long = { type: 'string', minLength: 3 }
const texts = { anyOf: [short, long] }

describe('the options that apply', () => {
  const options = (value: unknown, of: readonly unknown[] = texts.anyOf): readonly unknown[] =>
    new ApplyingSchemas({ anyOf: of }).options(of, [short, long], value)

  test('are those that accept the value', () => {
    expect(options('ab')).toEqual([short])
    expect(options('abcd')).toEqual([long])
    expect(options('abc')).toEqual([short, long])
  })
  test('are the likely ones where none accepts it', () => {
    expect(options(5)).toEqual([short, long])
  })
  test('are none where only an option that takes anything accepts it', () => {
    expect(options(5, [true, short, long])).toEqual([])
  })
  test('are looked for among the unlikely too', () => {
    expect(new ApplyingSchemas(texts).options(texts.anyOf, [short], 'abcd')).toEqual([long])
  })
  test('are those that nothing is known of, where none is known to accept the value', () => {
    const broken = { $ref: '#/nowhere' }
    const root = { anyOf: [broken, long] }
    expect(new ApplyingSchemas(root).options(root.anyOf, [broken, long], 'ab')).toEqual([broken])
    expect(new ApplyingSchemas(root).options(root.anyOf, [broken, long], 'abcd')).toEqual([long])
  })
})

test('an instance of a class is not decided by its fields', () => {
  expect(new ApplyingSchemas(texts).accepts(short, new Map())).toBeUndefined()
})

test('a value that takes too many steps is not shown, rather than guessed at', () => {
  const applying = new ApplyingSchemas(texts)
  const list = Array.from({ length: 1_000_000 }, () => 0)
  expect(() => Array.from({ length: 5 }, () => applying.accepts(short, list))).toThrow(NotShowable)
})

test('a secret stays masked if the only option that applies declares it, or one of several', () => {
  const option = (key: object, code: object): object => ({ type: 'object', properties: { key, code }, required: ['key', 'code'] })
  const schema = { anyOf: [option(short, { type: 'string' }), option(long, { type: 'string', sensitive: true })] }
  const view = (key: string): unknown => reviewView({ key, code: 'c-4711' }, schema, new KnownSecrets())
  expect(view('ab')).toEqual({ key: 'ab', code: 'c-4711' })
  expect(view('abcd')).toEqual({ key: 'abcd', code: MASK })
  expect(view('abc')).toEqual({ key: 'abc', code: MASK })
})
