import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { tool } from '../tool/tool.ts'
import { pairsToArguments } from './pairs-to-arguments.ts'

const Node = z.object({
  label: z.string(),
  get next() {
    return Node.optional()
  },
})

const typed = tool({
  name: 'typed',
  description: 'd',
  inputSchema: z.object({
    text: z.string().optional(),
    count: z.int().optional(),
    ratio: z.number().nullable().optional(),
    flag: z.boolean().optional(),
    kind: z.enum(['a', 'b']).optional(),
    level: z.union([z.literal(1), z.literal(2)]).optional(),
    either: z.union([z.string(), z.number()]).optional(),
    tags: z.array(z.string()).optional(),
    sizes: z.array(z.number()).optional(),
    items: z.array(z.object({ id: z.number(), name: z.string().optional() })).optional(),
    deep: z.object({ a: z.object({ b: z.number() }), c: z.string().optional() }).optional(),
    more: z.record(z.string(), z.number()).optional(),
    any: z.unknown().optional(),
    node: Node.optional(),
    'dotted.name': z.number().optional(),
    loose: z.looseObject({ known: z.number().optional() }).optional(),
    mixed: z.union([z.object({ a: z.number() }), z.unknown()]).optional(),
    empty: z.object({}).optional(),
  }),
  execute: () => '',
})
const argumentsOf = (...words: string[]): unknown => JSON.parse(JSON.stringify(pairsToArguments(words, typed.specification)))

test.each([
  [['text=5'], { text: '5' }],
  [['text='], { text: '' }],
  [['text=a=b'], { text: 'a=b' }],
  [['text={"a":1}'], { text: '{"a":1}' }],
  [['count=5'], { count: 5 }],
  [['count=-2e3'], { count: -2000 }],
  [['count='], { count: '' }],
  [['count=many'], { count: 'many' }],
  [['count=0x10'], { count: '0x10' }],
  [['ratio=null'], { ratio: null }],
  [['ratio=1.5'], { ratio: 1.5 }],
  [['flag=true'], { flag: true }],
  [['flag=yes'], { flag: 'yes' }],
  [['kind=a'], { kind: 'a' }],
  [['level=2'], { level: 2 }],
  [['either=5'], { either: '5' }],
  [['tags=a'], { tags: ['a'] }],
  [['tags=a', 'tags=b'], { tags: ['a', 'b'] }],
  [['tags=["a","b"]'], { tags: ['a', 'b'] }],
  [['tags=["a"'], { tags: ['["a"'] }],
  [['sizes=1', 'sizes=2.5'], { sizes: [1, 2.5] }],
  [['items.0.id=1', 'items.0.name=2', 'items.1.id=3'], { items: [{ id: 1, name: '2' }, { id: 3 }] }],
  [['deep.a.b=1', 'deep.c=2'], { deep: { a: { b: 1 }, c: '2' } }],
  [['deep={"a":{"b":1}}', 'deep.c=2'], { deep: { a: { b: 1 }, c: '2' } }],
  [['deep={"a"'], { deep: '{"a"' }],
  [['more.x=1', 'more.y=2'], { more: { x: 1, y: 2 } }],
  [['any=5'], { any: 5 }],
  [['any=five'], { any: 'five' }],
  [['any=null'], { any: null }],
  [['node.label=1', 'node.next.label=2', 'node.next.next.label=3'], { node: { label: '1', next: { label: '2', next: { label: '3' } } } }],
  [['dotted.name=3'], { 'dotted.name': 3 }],
  [['loose.known=1', 'loose.other=2'], { loose: { known: 1, other: 2 } }],
  [['mixed.b=1'], { mixed: { b: 1 } }],
  [['any.a.b=1'], { any: { a: { b: 1 } } }],
  [['any={"a":1}', 'any.__proto__.polluted=1'], { any: JSON.parse('{"a":1,"__proto__":{"polluted":1}}') as unknown }],
  [['any={"a":1}', 'any.constructor=1'], { any: { a: 1, constructor: 1 } }],
  [['more.__proto__=1'], { more: JSON.parse('{"__proto__":1}') as unknown }],
])('%j stands for %j [T3]', (words, meant) => {
  expect(argumentsOf(...words)).toEqual(meant)
  expect({}).not.toHaveProperty('polluted')
})

test.each([
  [['count=1', 'count=2'], "'count' is given twice."],
  [['text=a', 'text.b=1'], "'text' is given as a value and as something with fields."],
  [['deep.a.b=1', 'deep=5'], "'deep' is given twice."],
  [['items.5.id=1'], "'items.5' leaves a gap"],
  [['items.0.id=1', 'items.9999999999.id=1'], "'items.9999999999' leaves a gap"],
  [['nothing=1'], "'typed' has no field 'nothing'."],
  [['__proto__.polluted=1'], "'typed' has no field '__proto__'."],
  [['deep.a.b=1', 'deep.zz=5'], "'typed' has no field 'deep.zz'."],
  [['deep.a.bb=1'], "'typed' has no field 'deep.a.bb'."],
  [['deep.__proto__.x=5'], "'typed' has no field 'deep.__proto__'."],
  [['deep={"c":"1"}', 'deep.__proto__.x=5'], "'typed' has no field 'deep.__proto__'."],
  [['items.0.idd=1'], "'typed' has no field 'items.0.idd'."],
  [['items.0.id=1', 'items.length=5'], "'items.length' is no item"],
  [['node.next.lable=1'], "'typed' has no field 'node.next.lable'."],
  [['empty.a=1'], "'typed' has no field 'empty.a'."],
  [['constructor=1'], "'typed' has no field 'constructor'."],
  [['a word'], "'a word' names no field of 'typed'."],
])('%j is refused', (words, said) => {
  expect(() => argumentsOf(...words)).toThrow(said)
})

describe('words without a key', () => {
  const text = tool({ name: 'text', description: 'd', execute: () => '' })
  const path = tool({
    name: 'path',
    description: 'd',
    inputSchema: z.object({ path: z.string(), most: z.number().optional() }),
    execute: () => '',
  })

  test('are the whole text of a tool that takes one [T2]', () => {
    expect(pairsToArguments(['2', '+', 'x=3'], text.specification)).toEqual({ input: '2 + x=3' })
    expect(pairsToArguments(['input=2 + 3'], text.specification)).toEqual({ input: '2 + 3' })
  })

  test('are meant for the one field that must be there [T3]', () => {
    expect(pairsToArguments(['most=3', 'a file.txt'], path.specification)).toEqual({ path: 'a file.txt', most: 3 })
    expect(() => pairsToArguments(['path=a', 'b'], path.specification)).toThrow("'path' is given twice.")
  })

  test.each([
    { words: ['my', 'file.txt'], said: "'path' is one text, and 2 words are given.", hint: "Put it in quotation marks: 'my file.txt'" },
    { words: ['most=1', 'a', "b's", '--yes'], said: "'path' is one text, and 3 words are given.", hint: `'a b'\\''s --yes'` },
    { words: ['{"path":"a"}'], said: 'An object of JSON is not taken as a word.', hint: `Write: --input '{"path":"a"}'\nOr, if` },
    { words: ['{"path":"a"}'], said: 'An object', hint: `is the text of 'path': 'path={"path":"a"}'` },
  ])('$words: the way that works is told, ready to paste [T3]', ({ words, said, hint }) => {
    let thrown: unknown
    try {
      pairsToArguments(words, path.specification)
    } catch (error) {
      thrown = error
    }
    expect(thrown).toMatchObject({ message: expect.stringContaining(said) as string, hint: expect.stringContaining(hint) as string })
  })

  test('JSON that is no input of the tool is the text of its field, as it is', () => {
    expect(pairsToArguments(['{"a":1}'], path.specification)).toEqual({ path: '{"a":1}' })
    expect(pairsToArguments(['{}'], path.specification)).toEqual({ path: '{}' })
    expect(pairsToArguments(['path={"path":1}'], path.specification)).toEqual({ path: '{"path":1}' })
  })

  test('an object of JSON for a tool without a sole field is told the same', () => {
    expect(() => argumentsOf('{"count":1,"flag":true}')).toThrow('An object of JSON is not taken as a word.')
  })

  test('can be the items of a list at the root [T3]', () => {
    const list = tool({ name: 'list', description: 'd', inputSchema: z.array(z.number()), execute: () => '' })
    expect(pairsToArguments(['1', '2'], list.specification)).toEqual({ input: [1, 2] })
  })
})
