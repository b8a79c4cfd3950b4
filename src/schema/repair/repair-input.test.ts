import { describe, expect, test } from 'vitest'
import { TooCostly } from '../meter.ts'
import { repairInput } from './repair-input.ts'

function object(properties: Readonly<Record<string, object>>, more: object = {}): Record<string, unknown> {
  return { type: 'object', properties, required: Object.keys(properties), ...more }
}

describe('repairInput', () => {
  test('returns a valid input as it is, the same object [H3]', () => {
    const schema = object({ body: { type: 'string' } })
    const given = { body: ' &amp; 100%25 ' }
    const repair = repairInput(schema, given)
    expect(repair).toEqual({ value: given, changes: [], cost: 0 })
    expect(repair.refused === undefined && repair.value === given).toBe(true)
  })

  test('tells each change with its path, rule and cost', () => {
    const schema = object({ items: { type: 'array', items: object({ page_size: { type: 'integer' } }) } })
    expect(repairInput(schema, { items: [{ pageSize: '5' }] })).toEqual({
      value: { items: [{ page_size: 5 }] },
      cost: 2,
      changes: [
        { path: 'items[0].page_size', from: 'pageSize', to: 'page_size', rule: 'key case', cost: 1 },
        { path: 'items[0].page_size', from: '5', to: 5, rule: 'number', cost: 1 },
      ],
    })
  })

  test.each(['null', 'None', ' n/a', 'undefined'])(
    'takes the word %s for no value, in whatever letters the schema wants its texts',
    (word) => {
      const schema = object({ code: { type: 'string', pattern: '^[A-Z/]{2,9}$' } })
      expect(repairInput(schema, { code: word })).toMatchObject({ refused: true })
      expect(repairInput(schema, { code: 'nulls' })).toMatchObject({ value: { code: 'NULLS' } })
    },
  )

  test('names both readings of a tie', () => {
    const schema = object({ date: { type: 'string', format: 'date' } })
    expect(repairInput(schema, { date: '03/04/2024' })).toMatchObject({
      refused: true,
      because: `'date': it could be "2024-04-03" or "2024-03-04"`,
    })
  })

  test.each([
    [
      'an amount out of its bounds',
      { amount: { type: 'number', maximum: 100 } },
      { amount: 500 },
      { path: 'amount', from: 500, to: 100, rule: 'clamp' },
    ],
    [
      'a recipient with a slip',
      { to: { enum: ['schmidt', 'miller'] } },
      { to: 'schmitd' },
      { path: 'to', to: 'schmidt', rule: 'enum slip' },
    ],
    [
      'an id with letters of another script',
      { user_id: { type: 'string', pattern: '^[a-z]+$' } },
      { user_id: 'аnn' },
      { path: 'user_id', to: 'ann' },
    ],
    ['a declared kind', { betrag: { type: 'integer', maximum: 5, 'x-kind': 'money' } }, { betrag: 9 }, { path: 'betrag', to: 5 }],
  ])('proposes a change of %s to a person instead of making it', (_what, properties, given, proposal) => {
    expect(repairInput(object(properties as never), given)).toMatchObject({ refused: true, proposals: [proposal] })
  })

  test('believes the descriptions of the hints', () => {
    const schema = object({ radius: { type: 'number' } })
    expect(repairInput(schema, { radius: '5 km' })).toMatchObject({ refused: true })
    expect(repairInput(schema, { radius: '5 km' }, { descriptions: { radius: 'In kilometres' } })).toMatchObject({ value: { radius: 5 } })
  })

  test('drops no unknown field of a tool that takes effect, except notes', () => {
    const schema = object({ id: { type: 'integer' } })
    const about = 'delete_rows: deletes rows'
    expect(repairInput(schema, { id: '5', color: 'red' })).toMatchObject({ value: { id: 5 } })
    expect(repairInput(schema, { id: '5', color: 'red' }, { about })).toMatchObject({ refused: true })
    expect(repairInput(schema, { id: '5', reasoning: 'They asked for it.' }, { about })).toMatchObject({ value: { id: 5 } })
  })

  test('lets the validation of the tool judge the whole', () => {
    const schema = object({ n: { type: 'integer' } })
    const isEven = (value: unknown): boolean =>
      typeof value === 'object' && Number((value as { n: unknown }).n) % 2 === 0 && typeof (value as { n: unknown }).n === 'number'
    expect(repairInput(schema, { n: '4' }, { isValid: isEven })).toMatchObject({ value: { n: 4 } })
    expect(repairInput(schema, { n: '5' }, { isValid: isEven })).toMatchObject({
      refused: true,
      because: 'the repaired input is not valid',
    })
  })

  test('keeps fields named like parts of objects', () => {
    const given: unknown = JSON.parse('{"n": "1", "__proto__": {"polluted": true}, "constructor": 5}')
    const repair = repairInput(object({ n: { type: 'integer' } }), given)
    expect(repair).toMatchObject({ value: { n: 1 } })
    expect(Object.hasOwn(repair.refused === undefined ? (repair.value as object) : {}, '__proto__')).toBe(false)
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })
})

describe('the work of repairInput is bounded', () => {
  /** Words that differ in most letters. */
  function word(index: number): string {
    return Array.from('abcdefghij', (_letter, place) => 'bcdfghjklmnpqrstvwxz'[(index * (place + 7) + place * place) % 20]).join('') + index
  }

  function cpuMs(work: () => void): number {
    const times = Array.from({ length: 7 }, () => {
      const before = process.cpuUsage()
      work()
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1000
    })
    return Math.min(...times)
  }

  test.each([true, false])(
    '500 unknown keys beside 500 fields take milliseconds, whether they are dropped (%s) or refused',
    (areDropped) => {
      const texts = Object.fromEntries(Array.from({ length: 500 }, (_each, index) => [`field_${word(index)}`, { type: 'string' }]))
      const schema = { type: 'object', properties: { ...texts, count: { type: 'integer' } }, additionalProperties: areDropped }
      const unknown = Object.fromEntries(Array.from({ length: 500 }, (_each, index) => [`other_${word(index + 1000)}`, 'x']))
      const given = { ...unknown, count: '5' }
      expect(repairInput(schema, given)).toMatchObject(areDropped ? { value: { count: 5 } } : { refused: true })
      expect(cpuMs(() => void repairInput(schema, given))).toBeLessThan(20)
    },
  )

  test.each([' ', 'a', '1', '{', '[', '&', '%', '\u200b', '1,', '\n', '<', '"'])(
    'a hundred thousand characters of %j are refused soon',
    (character) => {
      const text = character.repeat(100_000 / character.length)
      const properties = {
        number: { type: 'integer' },
        date: { type: 'string', format: 'date' },
        enum: { enum: ['alpha', 'beta'] },
        pattern: { type: 'string', pattern: '^[a-z]{3}-[0-9]+$' },
        uri: { type: 'string', format: 'uri' },
        email: { type: 'string', format: 'email' },
        list: { type: 'array', items: { type: 'integer' } },
      }
      for (const [key, field] of Object.entries(properties)) {
        const schema = object({ [key]: field })
        expect(cpuMs(() => void repairInput(schema, { [key]: text }))).toBeLessThan(150)
        expect(repairInput(schema, { [key]: text })).toMatchObject({ refused: true })
      }
    },
  )

  test('a union inside itself is repaired at depth 25 and refused beyond the bound', () => {
    const node = { anyOf: [object({ a: { $ref: '#/$defs/n' } }), object({ b: { $ref: '#/$defs/n' } }), object({ v: { type: 'integer' } })] }
    const schema = { $defs: { n: node }, $ref: '#/$defs/n' }
    const nested = (depth: number): unknown => (depth === 0 ? { v: '5' } : { [depth % 2 === 0 ? 'a' : 'b']: nested(depth - 1) })
    expect(repairInput(schema, nested(25))).toMatchObject({ changes: [{ from: '5', to: 5 }] })
    expect(repairInput(schema, nested(100))).toMatchObject({ refused: true })
    expect(repairInput(schema, nested(3000))).toMatchObject({ refused: true })
  })

  test('an input that contains itself is refused', () => {
    const given: Record<string, unknown> = {}
    given['self'] = given
    expect(repairInput(object({ n: { type: 'integer' } }), given)).toMatchObject({ refused: true })
  })

  test.each([
    { $ref: '#' },
    { anyOf: [{ $ref: '#' }, { type: 'integer' }] },
    { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' },
    object({ n: { not: { $ref: '#/properties/n' } } }),
  ])('a schema that leads to itself without end is told as such: %j', (schema) => {
    expect(repairInput(schema, { n: 'x' })).toMatchObject({ refused: true, because: 'its schema leads to itself without end' })
  })

  test.each([
    new RangeError('Invalid time value'),
    new RangeError('Maximum call stack size exceeded'),
    new TypeError('no such method'),
    new TooCostly(),
  ])('a mistake in the validation of a tool is thrown as it is: %s', (mistake) => {
    const isValid = (): boolean => {
      throw mistake
    }
    expect(() => repairInput(object({ n: { type: 'integer' } }), { n: '5' }, { isValid })).toThrow(mistake)
  })

  test('a program that has used up its stack is not told that its schema is endless', () => {
    const tree = { type: 'object', properties: { child: { $ref: '#' }, n: { type: 'integer' } } }
    const given = { child: { child: { child: { child: { n: '5' } } } } }
    const reasons = new Set<string>()
    const repair = (): string => {
      try {
        const repaired = repairInput(tree, given)
        return repaired.refused ? repaired.because : 'repaired'
      } catch (error) {
        return String(error)
      }
    }
    let unwound = 0
    const descend = (): void => {
      try {
        descend()
      } catch {
        // The stack is full here.
      }
      if (unwound++ < 5000 && unwound % 10 === 0) reasons.add(repair())
    }
    descend()
    reasons.delete('RangeError: Maximum call stack size exceeded')
    expect([...reasons].toSorted()).toEqual(['it is nested too deeply to be repaired where so many calls are open', 'repaired'])
  })
})
