import jmespath from 'jmespath'
import { describe, expect, test } from 'vitest'
import { jsonParser } from './json-parser.ts'

const parser = jsonParser()
const document = {
  people: [
    { name: 'Ada', age: 36, tags: ['math', 'code'], city: { name: 'London' } },
    { name: 'Ben', age: 9, tags: [], city: { name: 'Rome' } },
    { name: 'Cem', age: 41, tags: ['art'] },
    { name: 'Dee', age: 10, tags: ['code'], city: null },
  ],
  machines: { a: { state: 'on', load: 0.5 }, b: { state: 'off', load: 0 }, c: { state: 'on', load: 2 } },
  nested: [[1, 2], [3, [4]], 5],
  numbers: [10, 9, 1, 100],
  words: ['pear', 'Apple', 'fig'],
  text: 'abca',
  empty: [],
  nothing: null,
  'odd key': 1,
}

const search = (jsonPath: string, json: unknown = document) => parser.call({ jsonPath, json, language: 'jmespath' })

describe('expressions give what the package gives [T17]', () => {
  test.each([
    'people[0].name',
    'people[-1].name',
    'people[*].name',
    'people[].tags[]',
    'people[*].city.name',
    'people[:2].name',
    'people[::-1].name',
    'people[1:3].age',
    'numbers[9::-1]',
    'people[:-9:-2].name',
    'people[?age > `30`].name',
    'people[?age >= `36` && age < `41`].name',
    "people[?name == 'Ada' || name == 'Ben'].age",
    'people[?!city].name',
    "people[?contains(tags, 'code')].name",
    'people[?tags].name | [0]',
    'people[].{n: name, a: age}',
    'people[].[name, age]',
    'people[?age<`20`].{n: name, first: tags[0]}',
    'machines.*.state',
    "machines.* | [?state=='on'].load",
    'nested[]',
    'nested[][]',
    '"odd key"',
    '@',
    'nope',
    'nope.deeper[0]',
    'people.name',
    'people[99]',
    '[people[0].name, nope, text]',
    '{a: text, b: nope}',
    "'raw text'",
    '`{"a": [1, 2]}`',
    'length(people)',
    'length(text)',
    'length(machines)',
    'keys(machines)',
    'values(machines)[0].state',
    'sum(numbers)',
    'avg(numbers)',
    'max(numbers)',
    'min(numbers)',
    'max_by(people, &age).name',
    'min_by(people, &age).name',
    'sort_by(people, &age)[].name',
    'sort_by(people, &name)[].age',
    'map(&city.name, people)',
    "join(', ', words)",
    'reverse(words)',
    'reverse(text)',
    "contains(text, 'bc')",
    "starts_with(text, 'ab')",
    "ends_with(text, 'ca')",
    'to_string(machines)',
    'to_string(text)',
    "to_number('12.5')",
    "to_number('x')",
    'to_array(text)',
    'type(people)',
    'type(nothing)',
    "merge(machines.a, {state: 'new'})",
    'not_null(nope, nothing, text)',
    'abs(`-5`)',
    'ceil(`1.2`)',
    'floor(`-1.2`)',
    'nothing == null',
    'empty || text',
    'people && text',
    '!empty',
    'machines.a == machines.b',
    'machines.a != machines.b',
    '`{"a":1}` == `{"a":1,"b":2}`',
    '`{"a":1,"b":[2]}` == `{"b":[2],"a":1}`',
    '(people[0].age)',
  ])('%s', async (expression) => {
    const expected: unknown = jmespath.search(document, expression)
    for (const json of [document, JSON.stringify(document)]) {
      const result = await search(expression, json)
      expect(result).toMatchObject({ ok: true })
      expect(result.ok && JSON.stringify(result.value)).toBe(JSON.stringify(expected))
    }
  })
})

describe('where the package is wrong, this is not [T17]', () => {
  test.each([
    ['sort(numbers)', [1, 9, 10, 100]],
    ["starts_with(text, 'a')", true],
    ['max_by(people, &name).name', 'Dee'],
    ['min_by(people, &name).name', 'Ada'],
    ['toString', null],
    ['avg(empty)', null],
    ['max(empty)', null],
    ['contains(nested, `[1, 2]`)', true],
    ["to_number('')", null],
    ['text > `1`', null],
  ])('%s', async (expression, value) => expect(await search(expression)).toMatchObject({ ok: true, value }))
})

describe('big numbers are compared and ordered by all their digits [T17]', () => {
  const ids = '[{"id":12345678901234567891,"n":"b"},{"id":12345678901234567890,"n":"a"},{"id":-1e400,"n":"z"},{"id":7,"n":"s"}]'

  test.each([
    ['sort_by(@, &id)[].n', ['z', 's', 'a', 'b']],
    ['max_by(@, &id).n', 'b'],
    ['[?id > `100`].n', ['b', 'a']],
    ['[0].id == [1].id', false],
    ['[0].id == [0].id', true],
    ["[?to_string(id) == '12345678901234567890'].n | [0]", 'a'],
    ["to_number('12345678901234567890') == [1].id", true],
    ['abs([2].id)', '1e400'],
    ['ceil([0].id)', '12345678901234567891'],
    ['type([0].id)', 'number'],
  ])('%s', async (expression, value) => expect(await search(expression, ids)).toMatchObject({ ok: true, value }))

  test('a literal that would be rounded is refused', async () => {
    expect((await search('[?id == `12345678901234567890`]', ids)).text).toBe(
      "Error: This number has more digits than JMESPath keeps; compare texts: to_string(id) == '12345678901234567890'. At character 9 of jsonPath: [?id == >>>`12345678901234567890`]",
    )
  })

  test('a sum of rounded numbers says so', async () => {
    expect(await search('sum([].id)', '[{"id":12345678901234567891}]')).toMatchObject({
      ok: true,
      issues: [{ severity: 'warning', message: 'sum() has rounded the big numbers that it added.' }],
    })
    expect((await search('sum(@)', '[-0, 2]')).issues).toBeUndefined()
  })
})

describe('an expression that is not valid is marked [T17]', () => {
  test.each([
    ['people[', 'The JMESPath expression is not valid: it ends too early. At character 8 of jsonPath: people[>>>'],
    ['people]', 'At character 7 of jsonPath: people>>>]'],
    ['&& people', "The JMESPath expression is not valid: '&&' cannot stand here. At character 1 of jsonPath: >>>&& people"],
    ['*undefined', "'undefined' cannot stand here. At character 2 of jsonPath: *>>>undefined"],
    ['people, name', "',' cannot stand here. At character 7 of jsonPath: people>>>, name"],
    ['people[?]', "']' cannot stand here. At character 9 of jsonPath: people[?>>>]"],
    ['{a}', "':' is expected here, not '}'. At character 3 of jsonPath: {a>>>}"],
    ['{a: b,}', "a key is expected here, not '}'. At character 7 of jsonPath: {a: b,>>>}"],
    ['people[name]', "an index, a slice, '*' or '?' is expected behind '[', not 'name'. At character 8 of jsonPath: people[>>>name]"],
    ['"length"(people)', 'the name of a function stands without quotes. At character 9 of jsonPath: "length">>>(people)'],
    ['people[0] name', "An operator, '.' or ',' is missing here. At character 11 of jsonPath: people[0] >>>name"],
    ['people.', "After '.' comes a key, '*', '[' or '{'. At character 8 of jsonPath: people.>>>"],
    ['people[?age = `1`]', "Write '==' to compare. At character 13 of jsonPath: people[?age >>>= `1`]"],
    ['a # b', 'this sign is not understood. At character 3 of jsonPath: a >>># b'],
    ['"abc', 'a quote is never closed, or what it holds cannot be read. At character 5 of jsonPath: "abc>>>'],
    ['people[-]', 'This is not a number. At character 8 of jsonPath: people[>>>-]'],
    ['()', 'There is nothing between the parentheses. At character 1 of jsonPath: >>>()'],
    ['lenght(people)', "There is no function 'lenght'. Did you mean 'length'? At character 1 of jsonPath: >>>lenght(people)"],
    ['length(nothing)', 'argument 1 of length() must be a text or a list or an object, not null.'],
    ['length()', 'length() takes 1 argument, not 0.'],
    ['not_null()', 'not_null() takes at least 1 argument, not 0.'],
    ['map(people, people)', 'argument 1 of map() must be an expression such as &name, not a list of 4 items.'],
    ['keys(&a)', 'argument 1 of keys() must be an object, not an expression.'],
    ['sort_by(people, &city.name)', 'what is ordered by must be numbers only or texts only; filter out what has none, such as [?name].'],
    ['max_by(people, &city.name)', 'what is ordered by must be numbers only or texts only; filter out what has none, such as [?name].'],
    ['people[::0]', 'the step of a slice must not be 0.'],
    ['&people', "'&' stands only before an argument of a function."],
    ['a'.repeat(2001), 'jsonPath is too long: it has 2001 characters, at most 2000 are read.'],
  ])('%s', async (expression, message) => {
    const result = await search(expression)
    expect(result).toMatchObject({ ok: false, error: { code: 'invalid_request', class: 'input_validation' } })
    expect(result.text).toContain(message)
  })

  test('null comes with a warning, since a wrong key gives it too', async () => {
    expect(await search('peple')).toMatchObject({
      value: null,
      text: 'null',
      issues: [{ severity: 'warning', message: 'The expression came to null: what it names may not be there.' }],
    })
  })
})

test.each([
  ['@', '|[@,@]'],
  ['`1`', '|[@,@]'],
  ['[@,@]', '|[@[],@[]][]'],
  ["'abcdefgh'", "|join('',[@,@])"],
  ['@', '|to_string([@,@])'],
  ['[@,@]', '|map(&[@,@],@)'],
  ['`[1,2]`', '|[@,@][]|sort(@)'],
])('what doubles with every sign ends: %s%s... [T17]', async (start, part) => {
  const result = await search(start + part.repeat(Math.floor(1900 / part.length)))
  expect(result.text).toBe('Error: The answer takes too long to make: more than 1000000 steps.')
})

test('a function that looks at the same long list again and again ends [T17]', async () => {
  const numbers = Array.from({ length: 20_000 }, (_, index) => index)
  const result = await search(`[@]${'|[@,@][]'.repeat(16)}|[*].max(@)`, numbers)
  expect(result.text).toBe('Error: The answer takes too long to make: more than 1000000 steps.')
})
