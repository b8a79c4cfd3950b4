import { describe, expect, test } from 'vitest'
import type { JsonSchema } from '../json-schema.ts'
import { repairInput } from './repair-input.ts'

/** Fields with texts that stand for one of their values. */
const FIELDS: readonly (readonly [name: string, schema: JsonSchema, texts: readonly string[]])[] = [
  ['guests', { type: 'integer', minimum: 1 }, ['four', '4 guests']],
  ['amount_usd', { type: 'number', minimum: 0 }, ['$49.90', '49.90 USD']],
  ['weight_kg', { type: 'number' }, ['70 kg', '500 g']],
  ['timeout_seconds', { type: 'integer' }, ['30s', '2 minutes', 'half an hour']],
  ['discount_percent', { type: 'number' }, ['15%']],
  ['start_date', { type: 'string', format: 'date' }, ['March 5, 2024', '2024/03/05', '25/12/2024']],
  ['starts_at', { type: 'string', format: 'date-time' }, ['2024-03-05 14:30 UTC']],
  ['length', { type: 'string', format: 'duration' }, ['1 hour']],
  ['opening_time', { type: 'string', pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' }, ['9am', '2:30 PM']],
  ['month', { type: 'string', pattern: '^\\d{4}-\\d{2}$' }, ['March 2024']],
  ['status', { type: 'string', enum: ['open', 'in_progress', 'closed'] }, ['Open', 'in progress']],
  ['rating', { type: 'integer', enum: [1, 2, 3, 4, 5] }, ['3 stars', '3/5']],
  ['is_active', { type: 'boolean' }, ['yes', 'off']],
  ['order_id', { type: 'string', format: 'uuid' }, ['{550e8400-e29b-41d4-a716-446655440000}']],
  ['phone', { type: 'string', pattern: '^\\+[1-9]\\d{6,14}$' }, ['+47 22 33 44 55']],
  ['sku', { type: 'string', pattern: '^[A-Z]{3}-\\d{4}$' }, ['abc 1234', 'SKU ABC-1234']],
  ['version', { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+$' }, ['v1.2.3']],
  ['century', { type: 'integer' }, ['17th', '17th century']],
  ['size_bytes', { type: 'integer' }, ['10 MiB']],
  ['category', { type: 'string', enum: ['meals', 'travel', 'lodging'] }, ['Meal']],
  ['level', { type: 'string', enum: ['debug', 'info', 'warning', 'error'] }, ['WARN', 'err']],
  ['format', { type: 'string', enum: ['jpeg', 'png', 'webp'] }, ['JPG', 'image/png']],
  ['sort', { type: 'string', enum: ['price_asc', 'price_desc', 'newest'] }, ['Price (asc)', 'price low to high', 'newest first']],
  ['activity', { type: 'string', enum: ['running', 'cycling'] }, ['run']],
  ['type', { type: 'string', enum: ['bar', 'line', 'pie'] }, ['bar chart']],
  ['interval', { type: 'string', enum: ['1m', '5m', '1h'] }, ['5 minutes', '60 min']],
  ['resolution', { type: 'string', enum: ['720p', '1080p'] }, ['1080']],
  ['frequency', { type: 'string', enum: ['daily', 'weekly'] }, ['every day', 'once a week']],
  ['direction', { type: 'string', enum: ['north', 'south'] }, ['N']],
  ['day', { type: 'string', enum: ['monday', 'friday'] }, ['lunes', 'Freitag']],
  ['size', { type: 'string', enum: ['S', 'M', 'L'] }, ['medium']],
  ['origin', { type: 'string', pattern: '^[A-Z]{3}$' }, ['Paris (CDG)', 'CDG - Paris', 'Paris CDG']],
  ['repo', { type: 'string', pattern: '^[\\w.-]+/[\\w.-]+$' }, ['https://github.com/octo/hello']],
  ['ticket', { type: 'string', pattern: '^[A-Z]+-\\d+$' }, ['AB12', 'https://t.example/AB-12']],
  ['doi', { type: 'string', pattern: '^10\\.\\d{4}/\\d+$' }, ['doi:10.1000/182', 'https://doi.org/10.1000/182']],
  ['color', { type: 'string', pattern: '^#[0-9a-f]{6}$' }, ['ff8800', 'rgb(255, 136, 0)']],
  ['host', { type: 'string', format: 'hostname' }, ['https://example.org/']],
  ['country', { type: 'string', pattern: '^[A-Z]{2}$' }, ['Germany']],
  ['currency', { type: 'string', pattern: '^[A-Z]{3}$' }, ['€', 'Swiss francs']],
  ['price_max', { type: 'number' }, ['60k', '€350,000', '1.2M']],
  ['flow_l_min', { type: 'number' }, ['12 l/min']],
  ['break_minutes', { type: 'integer' }, ['an hour and a half', 'a quarter of an hour', '2 Stunden']],
  ['pickup_time', { type: 'string', pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' }, ['14 Uhr', 'half past two pm', '1930h']],
  ['hours_open', { type: 'string', pattern: '^\\d\\d:\\d\\d-\\d\\d:\\d\\d$' }, ['9am - 5pm']],
  ['season', { type: 'integer' }, ['S02', 'second']],
  ['speed', { type: 'number' }, ['1.5x']],
  ['eggs', { type: 'integer' }, ['a dozen', 'zwei']],
  ['newsletter', { type: 'boolean' }, ['sí', 'ja']],
  ['lat', { type: 'number', minimum: -90, maximum: 90 }, ["48°30' N"]],
]

/** What makes another thing of a value, or none: `%` is the text of the value. */
const MARKS: readonly string[] = [
  ...['not %', 'no %', '!%', '%?', '% (?)', 'maybe %', 'probably %', '% or so', '% (tbc)', '% (TBD)', '% (estimated)', '% (old)', 'was %'],
  ...['>%', '> %', '>=%', '<%', '≤ %', 'at least %', 'at most %', 'up to %', 'more than %', 'less than %', '%+', 'min. %', 'max %'],
  ...[
    '~%',
    '≈%',
    'about %',
    'approx. %',
    'circa %',
    '± %',
    '% ± 1',
    '% - %',
    'half of %',
    '% per day',
    '%/day',
    '% each',
    '2 x %',
    '% x 2',
  ],
  ...['before %', 'after %', 'until %', 'since %', '% and later', '% onwards', 'next %', 'last %', 'except %', 'without %', 'other than %'],
  ...['% or %', '% and %', '% vs %', '%, %', '%; %', '%|%', '% & %', '%, not %', '% instead of %'],
  ...['%...', '%..', '%…', '*%', '%*', '{{%}}', '${%}', '=%', '9 -> %', '% + 1', '~~%~~', 'same as %', 'e.g. %', '% if possible'],
]

/** Each schema is compiled once: there are many marks. */
const inputs = new Map<JsonSchema, JsonSchema>()

function repaired(name: string, schema: JsonSchema, text: string): unknown {
  let input = inputs.get(schema)
  if (input === undefined)
    inputs.set(schema, (input = { type: 'object', properties: { [name]: schema }, required: [name], additionalProperties: false }))
  const repair = repairInput(input, { [name]: text })
  return repair.refused ? undefined : repair.value
}

describe('a text that stands for a value', () => {
  test.each(FIELDS.flatMap(([name, schema, texts]) => texts.map((text) => [name, text, schema] as const)))(
    'of %s, %j, is repaired, and refused with any mark of doubt, of a bound, of a range or of something left out',
    (name, text, schema) => {
      expect(repaired(name, schema, text)).toBeDefined()
      const marked = MARKS.map((mark) => mark.replaceAll('%', () => text))
      expect(marked.filter((each) => repaired(name, schema, each) !== undefined)).toEqual([])
    },
  )
})
