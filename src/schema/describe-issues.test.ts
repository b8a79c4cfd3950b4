import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { contractOf } from '../tool/contract.ts'
import { describeIssues } from './describe-issues.ts'
import type { AnySchema } from './schema-types.ts'

async function described(schema: AnySchema, value: unknown): Promise<string> {
  const { issues } = await contractOf(schema, 'It').validate(value)
  return issues === undefined ? '' : describeIssues(issues, value)
}

test('all problems stand in one line, each with its field [T4]', () => {
  const issues = [
    { message: 'expected a number', path: ['amount'] },
    { message: 'is required', path: ['email'] },
    { message: 'too short', path: ['items', 0, { key: 'name' }] },
    { message: 'the whole is odd' },
  ]
  expect(describeIssues(issues, { amount: 'x', items: [{ name: '' }] })).toBe(
    "'amount': expected a number; 'email' is missing; 'items.0.name': too short; the whole is odd",
  )
})

test('what a missing field should have been is said where the library says it [T4]', () => {
  expect(describeIssues([{ message: 'Give a phone number or an address', path: ['phone'] }], {})).toBe(
    "'phone' is missing (Give a phone number or an address)",
  )
})

test('the same problem is said once', () => {
  expect(describeIssues([{ message: 'odd' }, { message: 'odd' }], {})).toBe('odd')
})

test('a problem of the whole names no field [T4]', async () => {
  expect(await described(type({ a: 'string' }), 5)).toBe('must be an object (was a number)')
  expect(await described(z.object({ a: z.string() }), 5)).toBe('expected object, received number')
})

test('thirty missing fields are all listed [T4]', async () => {
  const names = Array.from({ length: 30 }, (_, index) => `field_${index}`)
  const text = await described({ type: 'object', properties: Object.fromEntries(names.map((name) => [name, {}])), required: names }, {})
  for (const name of names) expect(text).toContain(`'${name}' is missing`)
})

test('a flood of problems is cut, and counted [T4]', async () => {
  const text = await described(
    { type: 'array', items: { type: 'string' } },
    Array.from({ length: 5000 }, () => 1),
  )
  expect(text.length).toBeLessThan(3500)
  expect(text).toMatch(/; and 4\d\d\d more$/)
})

test('neither a long name nor a long message is repeated in full, and half a character is none [T4]', () => {
  const text = describeIssues([{ message: 'm'.repeat(10_000), path: ['n'.repeat(10_000)] }, { message: '\uD800' }], {})
  expect(text.length).toBeLessThan(500)
  expect(text.isWellFormed()).toBe(true)
})

describe('a union of which no option fits', () => {
  const options: readonly (readonly [string, AnySchema])[] = [
    [
      'zod',
      z.object({
        to: z.union([
          z.object({ kind: z.literal('mail'), address: z.string() }),
          z.object({ kind: z.literal('chat'), channel: z.string(), urgent: z.boolean() }),
        ]),
      }),
    ],
    [
      'JSON Schema',
      {
        type: 'object',
        properties: {
          to: {
            anyOf: [
              { type: 'object', properties: { kind: { const: 'mail' }, address: { type: 'string' } }, required: ['kind', 'address'] },
              {
                type: 'object',
                properties: { kind: { const: 'chat' }, channel: { type: 'string' }, urgent: { type: 'boolean' } },
                required: ['kind', 'channel', 'urgent'],
              },
            ],
          },
        },
        required: ['to'],
      },
    ],
  ]

  test.each(options)('is judged by the option that the tag names, in %s [T4]', async (_library, schema) => {
    const text = await described(schema, { to: { kind: 'chat', channel: 5 } })
    expect(text).toMatch(/'to\.channel': .*string/)
    expect(text).toContain("'to.urgent' is missing")
    expect(text).not.toContain('address')
  })

  test.each(options)('names the tags where none of them fits, in %s [T4]', async (_library, schema) => {
    const text = await described(schema, { to: { kind: 'fax' } })
    expect(text).toMatch(/^'to\.kind': .*"mail", or 'to\.kind': .*"chat"$/)
  })

  test.each(options)('names the types where the type is wrong, in %s [T4]', async (_library, schema) => {
    expect(await described(schema, { to: 5 })).toMatch(/^'to': .*object[^;]*$/)
  })

  test.each(options)('is missing where it is missing, in %s [T4]', async (_library, schema) => {
    expect(await described(schema, {})).toBe("'to' is missing")
  })

  test('that two options fit is said too', async () => {
    const text = await described({ type: 'object', properties: { a: { oneOf: [{ type: 'number' }, { minimum: 0 }] } } }, { a: 1 })
    expect(text).toBe("'a': must match exactly one schema in oneOf")
  })

  test('of valibot shows what its options say [T4]', async () => {
    const text = await described(v.object({ a: v.union([v.string(), v.number()]) }), { a: true })
    expect(text).toBe("'a': Expected string but received true, or 'a': Expected number but received true")
  })

  test('of arktype shows what it says itself [T4]', async () => {
    const text = await described(type({ 'a?': "'x' | 'y' | number", list: 'string[]' }), { a: true, list: [1] })
    expect(text).toBe("'list.0': must be a string (was a number); 'a': must be a number or a string (was boolean)")
  })
})
