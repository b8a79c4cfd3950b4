import { describe, expect, test } from 'vitest'
import { ToolPipeline } from '../../../combinators/pipe/tool-pipeline.ts'
import { resolve } from '../../../tool/resolve/resolve.ts'
import { tool } from '../../../tool/tool.ts'
import { jsonParser, type JsonParserInput } from './json-parser.ts'

const parser = jsonParser()
const shop = {
  product: { price: 149.99, name: 'Lamp', 'a b': { c: [1, 2, 3] }, 'it"s': { "o'k": true } },
  results: [
    { title: 'First', tags: ['x', 'y'] },
    { title: 'Second', tags: [] },
    { title: 'Third', tags: ['z'], extra: 1 },
  ],
  nothing: null,
  empty: {},
  'application/json': 'type',
  '10': 'ten',
  $ref: '#/x',
}
const SHOP = JSON.stringify(shop)

const textAt = async (jsonPath: string, json: unknown = SHOP): Promise<string> => (await parser.call({ jsonPath, json })).text

test('a model sees what it takes, and a plan that it only reads [T17]', () => {
  expect(parser.name).toBe('json_parser')
  expect(parser.specification.parameters).toMatchObject({
    required: ['jsonPath', 'json'],
    properties: { language: { enum: ['path', 'jmespath'] } },
  })
  expect([parser.effect, parser.idempotent, parser.tags]).toEqual(['read', true, ['json']])
})

test('a model may send the JSON as a text or as a value [T17]', async () => {
  const { call } = await resolve([parser])
  expect(await call('json_parser', '{"jsonPath":"a[0]","json":"{\\"a\\":[7]}"}')).toMatchObject({ ok: true, value: 7, text: '7' })
  expect(await call('json_parser', '{"jsonPath":"a[0]","json":{"a":[7]}}')).toMatchObject({ ok: true, value: 7, text: '7' })
  expect(await call('json_parser', '{"jsonPath":"","json":null}')).toMatchObject({ ok: true, value: null, text: 'null' })
  expect(await call('json_parser', '{"json":[1]}')).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
})

describe('paths [T17]', () => {
  test.each([
    ['product.price', 149.99],
    ['$.product.price', 149.99],
    ['.product.price', 149.99],
    ['  product.price ', 149.99],
    ["$['product']['price']", 149.99],
    ['product["a b"].c[-1]', 3],
    ["product['a b'].c[0]", 1],
    ["product['a b']['c'][-3]", 1],
    ["$['product']['it\"s']['o\\'k']", true],
    ['product["it\\"s"]["o\'k"]', true],
    ['product["\\u0061 b"].c[0]', 1],
    ["product['a b']['\\c'][0]", 1],
    ['["application\\/json"]', 'type'],
    ['results[1].title', 'Second'],
    ['results[ 1 ].title', 'Second'],
    ['results.1.title', 'Second'],
    ['application/json', 'type'],
    ['10', 'ten'],
    ['$ref', '#/x'],
    ['nothing', null],
    ['results[*].title', ['First', 'Second', 'Third']],
    ['results[*].tags[*]', ['x', 'y', 'z']],
    ['results[*].tags[0]', ['x', 'z']],
    ['product["a b"].*', [[1, 2, 3]]],
    ['empty.*', []],
    ['results[0:2].title', ['First', 'Second']],
    ['results[-2:].title', ['Second', 'Third']],
    ['results[::-1].title', ['Third', 'Second', 'First']],
    ['results[::2].title', ['First', 'Third']],
    ['results[5:9]', []],
    ['results[-99:99:3].title', ['First']],
    ['product["a b"].c[9::-1]', [3, 2, 1]],
    ['results[1::-1].title', ['Second', 'First']],
    ['results[:0:-1].title', ['Third', 'Second']],
    ['', shop],
    ['$', shop],
  ])('%s', async (jsonPath, value) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    expect(await parser.call({ jsonPath, json: SHOP })).toMatchObject({ ok: true, value, text })
    expect(await parser.call({ jsonPath, json: shop })).toMatchObject({ ok: true, value })
  })

  test.each([
    ['results[*', "']' is missing at the end. At character 10 of jsonPath: results[*>>>"],
    ['results[0', "']' is missing at the end. At character 10 of jsonPath: results[0>>>"],
    [
      'results[abc]',
      "A bracket takes an index, a quoted key, '*' or a slice: [0], [-1], ['a b'], [*], [1:3]. At character 9 of jsonPath: results[>>>abc]",
    ],
    [
      'results[]',
      "A bracket takes an index, a quoted key, '*' or a slice: [0], [-1], ['a b'], [*], [1:3]. At character 9 of jsonPath: results[>>>]",
    ],
    [
      'results[0 1]',
      "']' is expected here. A bracket takes an index, a quoted key, '*' or a slice: [0], [-1], ['a b'], [*], [1:3]. At character 11 of jsonPath: results[0 >>>1]",
    ],
    ['a["b\\u12"]', 'This escape does not exist. At character 5 of jsonPath: a["b>>>\\u12"]'],
    ["a['b", "This quote is never closed. At character 3 of jsonPath: a[>>>'b"],
    ['a[0:1:0]', 'The step of a slice must not be 0. At character 8 of jsonPath: a[0:1:0>>>]'],
    ['a.', 'A key is missing at the end. At character 3 of jsonPath: a.>>>'],
    ['a.[0]', "A key is expected here, not '['. At character 3 of jsonPath: a.>>>[0]"],
    [
      'a b',
      "'.' or '[' is expected here; a key with other signs than letters and digits stands as ['a b']. At character 2 of jsonPath: a>>> b",
    ],
    ['$..title', "'..' does not search at every depth here; write the path in full. At character 3 of jsonPath: $.>>>.title"],
    ['results[?(@.a)]', "A path has no filters. Use language 'jmespath' for that. At character 9 of jsonPath: results[>>>?(@.a)]"],
    [
      '/results/0',
      "This looks like a JSON Pointer; write a.b[0], or quote a key that begins with '/'. At character 1 of jsonPath: >>>/results/0",
    ],
    ['a'.repeat(2001), 'jsonPath is too long: it has 2001 characters, at most 2000 are read.'],
  ])('%s is refused', async (jsonPath, message) => {
    expect(await parser.call({ jsonPath, json: SHOP })).toMatchObject({ ok: false, error: { code: 'invalid_request', message } })
  })
})

describe('what is not there names the nearest key and where the walk stopped [T17]', () => {
  test.each([
    ['product.pricé', "There is no key 'pricé' at $.product. Did you mean 'price'? Its keys: price, name, a b, it\"s."],
    ['results[0].titel', "There is no key 'titel' at $.results[0]. Did you mean 'title'? Its keys: title, tags."],
    ['empty.x', "There is no key 'x' at $.empty. The object is empty."],
    ['results[7].title', 'There is no item 7 at $.results: it is a list of 3 items.'],
    ['results[-4]', 'There is no item -4 at $.results: it is a list of 3 items.'],
    [
      'results.title',
      "There is no key 'title' at $.results: it is a list of 3 items. Write $.results[0].title for the first, $.results[*].title for all.",
    ],
    [
      "product['a b'].c.d",
      'There is no key \'d\' at $.product["a b"].c: it is a list of 3 items. Write $.product["a b"].c[0].d for the first, $.product["a b"].c[*].d for all.',
    ],
    ['product.name.x', "There is no key 'x' at $.product.name: it is a text."],
    ['nothing.x', "There is no key 'x' at $.nothing: it is null."],
    ['product[0]', 'an index does not apply at $.product: it is an object.'],
    ['product.name[*]', "'*' does not apply at $.product.name: it is a text."],
    ['product[0:1]', 'a slice does not apply at $.product: it is an object.'],
    ['results[*].nope', "There is no key 'nope' at $.results[0]. Its keys: title, tags. So it is at 3 places, of which this is the first."],
    ['toString', "There is no key 'toString' at $."],
    ['constructor.name', "There is no key 'constructor' at $."],
    ['__proto__', "There is no key '__proto__' at $."],
    ["results['0']", "There is no key '0' at $.results: it is a list of 3 items."],
  ])('%s', async (jsonPath, message) => {
    for (const json of [SHOP, shop]) {
      const result = await parser.call({ jsonPath, json })
      expect(result).toMatchObject({ ok: false, error: { code: 'not_found', class: 'not_found' } })
      expect(result.text).toContain(message)
    }
  })

  test('JSON inside a text is named as such', async () => {
    expect(await textAt('a.b', { a: '{"b":1}' })).toContain('The text looks like JSON: take it out first, then parse it in a second call.')
  })

  test('places that lack what others have are left out, and counted', async () => {
    const result = await parser.call({ jsonPath: 'results[*].extra', json: SHOP })
    expect(result).toMatchObject({
      value: [1],
      issues: [{ severity: 'warning', message: "2 of 3 places have no 'extra' and are left out." }],
    })
  })
})

describe('numbers keep every digit [T17]', () => {
  test.each([
    '12345678901234567890',
    '-9007199254740993',
    '0.12345678901234567890123',
    '1e400',
    '1E-400',
    '123456789012345678901234567890.5e-3',
  ])('%s', async (source) => {
    const issues = [
      { severity: 'info', message: '1 number is too long for JavaScript: in the value as a text, in the text with all digits.' },
    ]
    expect(await parser.call({ jsonPath: 'id', json: `{"id":${source}}` })).toMatchObject({ ok: true, value: source, text: source, issues })
    expect(await parser.call({ jsonPath: '', json: `[${source}]` })).toMatchObject({ value: [source], text: `[${source}]` })
    expect(await parser.call({ jsonPath: '[0].id', json: `[{"id":${source}}]`, language: 'jmespath' })).toMatchObject({
      value: source,
      text: source,
    })
  })

  test('a zero keeps its sign [T17]', async () => {
    for (const language of ['path', 'jmespath'] as const) {
      const result = await parser.call({ jsonPath: '', json: '[-0, -0.0, 0]', language })
      expect(result).toMatchObject({ value: [-0, -0, 0], text: '[-0,-0.0,0]' })
      expect(result.issues).toBeUndefined()
    }
    expect(await textAt('a', '{"a":-0}')).toBe('-0')
  })

  test.each([
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992],
    ['100000000000000000000000', 1e23],
    ['1.10', 1.1],
    ['1e2', 100],
    ['0.1', 0.1],
    ['-0.0', -0],
    ['0e99999', 0],
    ['1234567890123456e-18', 0.001234567890123456],
    ['0.001234567890123456', 0.001234567890123456],
  ])('%s is a plain number', async (source, value) => {
    const result = await parser.call({ jsonPath: '', json: source })
    expect(result).toMatchObject({ ok: true, value })
    expect(result.issues).toBeUndefined()
  })
})

describe('JSON that is not valid is an error with line, column and excerpt [T17]', () => {
  test.each([
    ['{"a":1,}', 'a value is expected here; is there a comma too many? At line 1, column 8: {"a":1,>>>}'],
    ['[1,]', 'a value is expected here; is there a comma too many? At line 1, column 4: [1,>>>]'],
    ['{a:1}', 'a key in double quotes is expected here. At line 1, column 2: {>>>a:1}'],
    ['{"a" 1}', '\':\' is expected after a key. At line 1, column 6: {"a" >>>1}'],
    ['{"a":1 "b":2}', '\',\' or \'}\' is expected here. At line 1, column 8: {"a":1 >>>"b":2}'],
    ['[1 2]', "',' or ']' is expected here. At line 1, column 4: [1 >>>2]"],
    ["['a']", "keys and texts stand in double quotes. At line 1, column 2: [>>>'a']"],
    [
      '{\n  "a": 1,\n  "b": oops\n}',
      '\'oops\' is not a JSON value; a text stands in double quotes. At line 3, column 8: {\\n  "a": 1,\\n  "b": >>>oops\\n}',
    ],
    ['NaN', "'NaN' is not a JSON value; a text stands in double quotes. At line 1, column 1: >>>NaN"],
    ['', 'it ends here, where a value is expected. At line 1, column 1: >>>'],
    ['[1', "',' or ']' is expected here. At line 1, column 3: [1>>>"],
    ['{"a":"x', 'this text is never closed. At line 1, column 6: {"a":>>>"x'],
    ['"a\nb"', 'a line break or another control character must be written as an escape, such as \\n. At line 1, column 3: "a>>>\\nb"'],
    ['"\\x"', 'this escape does not exist. At line 1, column 2: ">>>\\x"'],
    ['01', 'a number is not written like this. At line 1, column 2: 0>>>1'],
    ['1.', 'a number is not written like this. At line 1, column 2: 1>>>.'],
    ['+1', "a value is expected here, not '+'. At line 1, column 1: >>>+1"],
    ['[1] x', 'something follows after the end of the value. At line 1, column 5: [1] >>>x'],
    ['```json\n{}\n```', 'send the JSON alone, without a fence of backticks. At line 1, column 1: >>>```json\\n{}\\n```'],
    ['{} // no', 'something follows after the end of the value. At line 1, column 4: {} >>>// no'],
    ['[/* no */]', 'JSON has no comments. At line 1, column 2: [>>>/* no */]'],
    ['['.repeat(501), 'it is nested more than 500 levels deep. At line 1, column 501: '],
  ])('%j', async (json, message) => {
    const result = await parser.call({ jsonPath: 'a', json })
    expect(result).toMatchObject({ ok: false, error: { code: 'invalid_request', class: 'input_validation' } })
    expect(result.text).toContain(`Error: The json is not valid: ${message}`)
  })

  test('a hundred thousand brackets and a text over the limit end at once', async () => {
    expect(await textAt('a', '[{"a":'.repeat(50_000))).toContain('nested more than 500 levels deep')
    expect(await textAt('a', ' '.repeat(10_000_001))).toBe(
      'Error: The json is too long: it has 10000001 characters, at most 10000000 are read.',
    )
  })

  test('escapes, spaces and a byte order mark are read', async () => {
    expect(await textAt('k\u00e4se', '\uFEFF {"k\\u00e4se" : "a\\n\\"\\\\\\/\\t\\ud83d\\ude00"}\r\n')).toBe('a\n"\\/\t\u{1F600}')
  })

  test('a value that contains itself is refused', async () => {
    const circle: Record<string, unknown> = {}
    circle['self'] = circle
    expect(await textAt('self', circle)).toMatch(/^Error: Invalid input for tool 'json_parser': it is nested too deeply/)
  })
})

describe('keys are data [T17]', () => {
  test('of a key that stands twice the last one counts, and the result says so', async () => {
    const message = "The key 'a' stands twice in one object, again at line 2, column 2; the last one counts."
    expect(await parser.call({ jsonPath: 'a', json: '{"a":1,\n "a":2}' })).toMatchObject({
      value: 2,
      issues: [{ severity: 'warning', message }],
    })
  })

  test('__proto__ is a key like any other and changes no prototype', async () => {
    const json = '{"__proto__":{"polluted":1},"constructor":2}'
    expect(await textAt('__proto__.polluted', json)).toBe('1')
    expect(await textAt('constructor', json)).toBe('2')
    for (const language of ['path', 'jmespath'] as const) {
      const result = await parser.call({ jsonPath: language === 'path' ? '$' : '@', json, language })
      expect(result.text).toBe(json)
      if (!result.ok) continue
      expect(Object.getPrototypeOf(result.value)).toBe(Object.prototype)
      expect(Object.hasOwn(Object(result.value), '__proto__')).toBe(true)
    }
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })
})

test('in a pipeline the found value goes on to a typed step, the text to a string step [T17]', async () => {
  const double = tool({ name: 'double', description: 'Doubles.', effect: 'read', execute: (text) => `${text}${text}` })
  expect(await ToolPipeline.of(jsonParser(), double).call({ jsonPath: 'id', json: '{"id":12345678901234567890}' })).toMatchObject({
    text: '1234567890123456789012345678901234567890',
  })
  const input: JsonParserInput = { jsonPath: 'product.name', json: shop }
  expect(await parser.call(input)).toMatchObject({ value: 'Lamp' })
})
