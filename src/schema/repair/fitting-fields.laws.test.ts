import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonSchema } from '../json-schema.ts'
import { repairInput } from './repair-input.ts'

const text: JsonSchema = { type: 'string' }

/** A closed schema of these fields, of which the first ones must be there. */
function schemaOf(properties: Readonly<Record<string, JsonSchema>>, required: readonly string[]): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: false }
}

const noun = fc.constantFrom('town', 'label', 'depot', 'team', 'branch', 'folder')
const word = fc.stringMatching(/^[b-df-hj-np-tv-z][aeiou][b-df-hj-np-tv-z][aeiou][kmptz]$/).filter((each) => !['limit'].includes(each))
const POLES = [
  ['min', 'max'],
  ['from', 'to'],
  ['start', 'end'],
  ['source', 'target'],
  ['include', 'exclude'],
  ['first', 'last'],
  ['before', 'after'],
  ['old', 'new'],
] as const

describe('the field that an unknown key stands for', () => {
  test('is never the other end or side of the same thing', () => {
    fc.assert(
      fc.property(fc.constantFrom(...POLES), noun, fc.boolean(), fc.boolean(), (pair, thing, isTurned, isRequired) => {
        const [given, taken] = isTurned ? pair.toReversed() : pair
        const name = `${taken}_${thing}`
        const schema = schemaOf({ [name]: text, note: { type: 'integer' }, open: { type: 'boolean' } }, isRequired ? [name] : [])
        expect(repairInput(schema, { [`${given}_${thing}`]: 'x y' })).toMatchObject({ refused: true })
        expect(repairInput(schema, { [thing]: 'x y' })).toMatchObject({ refused: true })
      }),
    )
  })

  test('is the only one that must be there and takes the value, and none where two take it or the tool takes effect on it', () => {
    fc.assert(
      fc.property(word, fc.boolean(), (key, isOptional) => {
        const fields = { subject: text, pages: { type: 'integer' }, open: { type: 'boolean' } }
        expect(repairInput(schemaOf(fields, ['subject']), { [key]: 'two words' })).toMatchObject({ value: { subject: 'two words' } })
        const two = schemaOf({ ...fields, heading: text }, isOptional ? ['subject'] : ['subject', 'heading'])
        expect(repairInput(two, { [key]: 'two words' })).toMatchObject({ refused: true })
        const things = schemaOf({ table: text, pages: { type: 'integer' }, open: { type: 'boolean' } }, ['table'])
        expect(repairInput(things, { [key]: 'two words' }, { about: 'delete_rows: deletes rows' })).toMatchObject({ refused: true })
        const sends = { about: 'send_note: sends a note' }
        expect(repairInput(schemaOf(fields, ['subject']), { [key]: 'two words' }, sends)).toMatchObject({ refused: true })
        // Two keys for one field.
        expect(repairInput(schemaOf(fields, ['subject']), { [key]: 'two words', [`${key}o`]: 'other words' })).toMatchObject({
          refused: true,
        })
      }),
    )
  })

  test('is no number, no protected field and no text for a formed value', () => {
    fc.assert(
      fc.property(word, fc.constantFrom('size', 'amount', 'price', 'parts'), fc.integer({ min: 1, max: 50 }), (key, name, count) => {
        const schema = schemaOf({ [name]: { type: 'integer' }, open: { type: 'boolean' }, marks: { type: 'array' } }, [name])
        expect(repairInput(schema, { [key]: count })).toMatchObject({ refused: true })
      }),
    )
    fc.assert(
      fc.property(
        word,
        fc.constantFrom('recipient', 'account', 'password', 'file_path', 'email'),
        fc.constantFrom('ann', 'two words'),
        (key, name, value) => {
          const schema = schemaOf({ [name]: text, open: { type: 'boolean' }, pages: { type: 'integer' } }, [name])
          expect(repairInput(schema, { [key]: value })).toMatchObject({ refused: true })
        },
      ),
    )
    const schema = schemaOf({ subject: text, open: { type: 'boolean' }, pages: { type: 'integer' } }, ['subject'])
    for (const key of ['language', 'country', 'brand', 'host_version', 'mode'])
      expect(repairInput(schema, { [key]: 'two words' })).toMatchObject({ refused: true })
    for (const value of ['2025-01-02', 'ann@example.org', 'https://example.org/a', '12.5', 'no'])
      expect(repairInput(schema, { zubok: value })).toMatchObject({ refused: true })
  })

  test('is the same end by another word, where one pair of ends is free', () => {
    const ways = fc.constantFrom(['from', 'to'], ['start', 'end'], ['origin', 'destination'], ['source', 'target'])
    fc.assert(
      fc.property(ways, ways, ([one = '', other = ''], [first = '', second = '']) => {
        const schema = schemaOf({ [first]: text, [second]: text, pages: { type: 'integer' } }, [first, second])
        const whole = repairInput(schema, { [one]: 'A Street', [other]: 'B Street' })
        expect(whole).toMatchObject({ value: { [first]: 'A Street', [second]: 'B Street' } })
        if (one !== first) expect(repairInput(schema, { [one]: '2025-01-02', [other]: '2025-01-03' })).toMatchObject({ refused: true })
        const more = schemaOf({ [`${first}_a`]: text, [`${second}_a`]: text, [`${first}_b`]: text, [`${second}_b`]: text }, [])
        expect(repairInput(more, { [one]: 'A Street', [other]: 'B Street' })).toMatchObject({ refused: true })
      }),
    )
  })
})

describe('a key in short', () => {
  test('is the beginning or the consonants of one name, and refused where two begin so', () => {
    const names = fc.constantFrom(['tz', 'timezone'], ['ns', 'namespace'], ['w', 'width'], ['k', 'top_k'], ['len', 'length'])
    fc.assert(
      fc.property(names, ([short = '', name = '']) => {
        const schema = schemaOf({ [name]: text, open: { type: 'boolean' } }, [])
        expect(repairInput(schema, { [short]: 'x y' })).toMatchObject({ value: { [name]: 'x y' } })
        const two = schemaOf({ [name]: text, [`${short}qopsz`]: text }, [])
        if (short.length === 1 && name.startsWith(short)) expect(repairInput(two, { [short]: 'x y' })).toMatchObject({ refused: true })
      }),
    )
  })
})

describe('an unknown field', () => {
  const DELETE = { about: 'delete_rows: deletes rows for ever' }
  const schema = schemaOf({ table: text, ids: { type: 'array', items: { type: 'integer' } } }, ['table', 'ids'])
  const flags = fc.constantFrom(
    'confirm',
    'Confirmed',
    'is_confirmed',
    'userApproved',
    'EXECUTE',
    'dry_run',
    'dryRun',
    'force',
    'really',
    'sure',
  )

  test('that holds a tool back is never dropped, however it is written', () => {
    fc.assert(
      fc.property(flags, fc.constantFrom<unknown>(false, 'false', 'no', 0, true, 'true', 'yes'), (key, value) => {
        expect(repairInput(schema, { table: 'a', ids: [1], [key]: value }, DELETE)).toMatchObject({ refused: true })
        expect(repairInput(schema, { table: 'a', ids: ['1'], [key]: value }, DELETE)).toMatchObject({ refused: true })
      }),
    )
  })

  test('with a text is not dropped where a field for a text is free', () => {
    const issue = schemaOf({ title: text, body: text, labels: { type: 'array', items: text } }, ['title'])
    for (const key of ['description', 'details', 'content', 'comment', 'note', 'summary']) {
      const repair = repairInput(issue, { title: 'A', [key]: 'Steps' })
      if (!repair.refused) expect(repair.value).toEqual({ title: 'A', body: 'Steps' })
    }
    expect(repairInput(issue, { title: 'A', _comment: 'as agreed' })).toMatchObject({ value: { title: 'A' } })
    expect(repairInput(issue, { title: 'A', thought: 'I make an issue.' })).toMatchObject({ value: { title: 'A' } })
  })

  test('with both ends of a range is split into the one pair that is free', () => {
    const range = schemaOf({ min_price: { type: 'number' }, max_price: { type: 'number' }, brand: text }, [])
    fc.assert(
      fc.property(fc.nat(500), fc.integer({ min: 500, max: 900 }), fc.constantFrom('-', ' - ', ' to ', '..'), (low, high, sign) => {
        const both = { price_range: `${low}${sign}${high}` }
        expect(repairInput(range, both)).toMatchObject({ value: { min_price: low, max_price: high } })
        expect(repairInput(range, { ...both, min_price: 3 })).toMatchObject({ refused: true })
        expect(repairInput(range, { weight_range: `${low}${sign}${high}` })).toMatchObject({ refused: true })
        if (low < high) expect(repairInput(range, { price_range: `${high}${sign}${low}` })).toMatchObject({ refused: true })
      }),
    )
  })

  test('is looked for in a bounded number of steps', () => {
    const names = Array.from({ length: 500 }, (_each, index) => `field_${index}_of_many`)
    const large = schemaOf(Object.fromEntries(names.map((name) => [name, text])), [])
    const given = Object.fromEntries(names.map((_name, index) => [`key${index}from`, 'x']))
    const started = performance.now()
    expect(repairInput(large, given)).toMatchObject({ refused: true })
    expect(performance.now() - started).toBeLessThan(1000)
  })
})
