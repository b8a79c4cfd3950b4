import { describe, expect, test } from 'vitest'
import { repairInput } from './repair-input.ts'

function repaired(given: string, listed: readonly string[], name = 'state'): unknown {
  const repair = repairInput(
    { type: 'object', properties: { [name]: { type: 'string', enum: listed } }, required: [name] },
    { [name]: given },
  )
  return repair.refused ? undefined : (repair.value as Readonly<Record<string, unknown>>)[name]
}

describe('a listed value in another form', () => {
  test.each([
    ['opened', ['open', 'closed', 'all'], 'open'],
    ['resolve', ['open', 'resolved', 'closed'], 'resolved'],
    ['complete', ['pending', 'in_progress', 'completed'], 'completed'],
    ['eq', ['=', '!=', '<', 'in'], '='],
    ['greater_than', ['>', '>=', '<'], '>'],
    ['daily', ['1m', '1h', '1d', '1wk'], '1d'],
    ['es-ES', ['de', 'es', 'pt-BR'], 'es'],
    ['created_at', ['created', 'updated'], 'created'],
    ['DHL Express', ['ups', 'dhl', 'fedex'], 'dhl'],
    ['past week', ['day', 'week', 'month'], 'week'],
  ])('%s is read', (given, listed, value) => {
    expect(repaired(given, listed)).toBe(value)
  })

  test.each([
    // Another value has the same stem, or there are only two, of which one may be asked for.
    ['opened', ['open', 'reopened', 'closed']],
    ['completed', ['complete', 'completing', 'open']],
    ['enable', ['enabled', 'disabled']],
    // Without signs of comparison, the word is no sign; a sign that is not listed has no other one.
    ['eq', ['=', 'in', 'like']],
    ['ne', ['=', '<', '>']],
    ['daily', ['1m', '5m', '1h']],
    // A listed country is another one, and so is another script.
    ['pt-PT', ['de', 'es', 'pt-BR']],
    ['zh-TW', ['de', 'zh', 'es']],
    ['created_by', ['created', 'updated']],
    ['due_date', ['created', 'updated']],
    ['DHL Express', ['dhl', 'express', 'standard']],
    ['Economy Plus', ['economy', 'business', 'first']],
    ['past weekend', ['day', 'week', 'month']],
  ])('%s is refused among %j', (given, listed) => {
    expect(repaired(given, listed)).toBeUndefined()
  })
})

describe('a value in parts, or in another notation', () => {
  const text = { type: 'string' }
  const number = { type: 'integer' }
  const closed = (properties: object, required: readonly string[] = []): object => ({
    type: 'object',
    properties,
    required,
    additionalProperties: false,
  })

  test.each([
    [
      'an owner beside its repository',
      closed({ owner: text, repo: text }, ['owner', 'repo']),
      { repo: 'acme/web' },
      { owner: 'acme', repo: 'web' },
    ],
    [
      'a size for width and height',
      closed({ src: text, width: number, height: number }),
      { src: 'a', size: '800x600' },
      { src: 'a', width: 800, height: 600 },
    ],
    [
      'a store and what is inside it',
      closed({ bucket: { ...text, pattern: '^[a-z-]{3,20}$' }, prefix: text }),
      { bucket: 's3://acme-logs/2025/' },
      { bucket: 'acme-logs', prefix: '2025/' },
    ],
    [
      'pairs as the description shows them',
      closed({ selector: { ...text, description: 'e.g. app=web,tier=front' } }),
      { selector: { app: 'api', tier: 'back' } },
      { selector: 'app=api,tier=back' },
    ],
    [
      'the case of the example',
      closed({ zone: { ...text, pattern: '^[A-Z][A-Za-z]+(/[A-Za-z_]+)+$', description: 'e.g. Europe/Berlin' } }),
      { zone: 'asia/tokyo' },
      { zone: 'Asia/Tokyo' },
    ],
  ])('is read: %s', (_about, schema, given, expected) => {
    expect(repairInput(schema as Readonly<Record<string, unknown>>, given)).toMatchObject({ value: expected })
  })

  test.each([
    ['a path of three parts', closed({ owner: text, repo: text }, ['owner', 'repo']), { repo: 'acme/web/src' }],
    ['a size beside a width', closed({ src: text, width: number, height: number }), { width: 5, size: '800x600' }],
    ['a size of three sides', closed({ src: text, width: number, height: number }), { size: '8x6x4' }],
    ['pairs that nothing shows', closed({ selector: text }), { selector: { app: 'api' } }],
    ['two cases without an example', closed({ zone: { ...text, pattern: '^[A-Z][A-Za-z]+(/[A-Za-z_]+)+$' } }), { zone: 'asia/tokyo' }],
  ])('is refused: %s', (_about, schema, given) => {
    expect(repairInput(schema as Readonly<Record<string, unknown>>, given)).toMatchObject({ refused: true })
  })
})
