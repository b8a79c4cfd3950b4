import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonSchema } from '../json-schema.ts'
import { protectedChanges } from './protected-changes.ts'
import { repairInput } from './repair-input.ts'

const RECIPIENTS = ['martin', 'sandra', 'kristine']

/** `pages` is always broken, so that every input is repaired or refused as a whole. */
const PAYMENT: JsonSchema = {
  type: 'object',
  properties: {
    amount: { type: 'number', minimum: 1, maximum: 1000 },
    recipient: { type: 'string', enum: RECIPIENTS },
    file_path: { type: 'string', pattern: '^(?:/[a-z]+)+$' },
    order_id: { type: 'integer', minimum: 100 },
    pages: { type: 'integer' },
  },
  required: ['amount', 'recipient', 'file_path', 'order_id', 'pages'],
  additionalProperties: false,
}

/** A word with one letter left out, doubled, replaced or swapped with the next one. */
function slipped(word: string, at: number, kind: number): string {
  const index = at % (word.length - 1)
  const [before, letter, next, behind] = [word.slice(0, index), word.charAt(index), word.charAt(index + 1), word.slice(index + 2)]
  return [
    `${before}${next}${behind}`,
    `${before}${letter}${letter}${next}${behind}`,
    `${before}x${next}${behind}`,
    `${before}${next}${letter}${behind}`,
  ][kind % 4]!
}

const amount = fc.tuple(fc.integer({ min: -50, max: 200_000 }), fc.nat(7)).map(([cents, form]) => {
  const value = cents / 100
  return [value, String(value), ` ${value} `, `"${value}"`, `$${value}`, String(value).replace('.', ','), `${value}k`, -value][form]!
})

const recipient = fc.tuple(fc.constantFrom(...RECIPIENTS), fc.nat(20), fc.nat(3), fc.nat(4)).map(([name, at, kind, form]) => {
  return [name, name.toUpperCase(), `'${name}'`, slipped(name, at, kind), [name]][form]!
})

const filePath = fc
  .tuple(fc.constantFrom('/home/ann', '/tmp/a', '/Home/Ann', 'home/ann', '\\tmp\\a', '/tmp/../etc', '%2ftmp', '/tmp/a/'), fc.nat(2))
  .map(([path, form]) => [path, ` ${path} `, `"${path}"`][form]!)

const orderId = fc.tuple(fc.nat(5000), fc.nat(4)).map(([id, form]) => [id, String(id), `0${id}`, `${id}e1`, `${id}.5`][form]!)

const GOOD = { amount: 20, recipient: 'martin', file_path: '/tmp/a', order_id: 100, pages: '3' }

/** Some fields of a payment are written in another way or spoilt. */
const payment = fc
  .record({ amount, recipient, file_path: filePath, order_id: orderId }, { requiredKeys: [] })
  .map((spoilt) => ({ ...GOOD, ...spoilt }))

const digits = (value: unknown): string => String(value).replace(/[^\d.-]/g, '')
const letters = (value: unknown): string =>
  String(value)
    .toLowerCase()
    .replace(/[^a-z]/g, '')

describe('a repair of a payment', () => {
  test('never changes an amount, a recipient, a path or an id: only their notation [H3]', () => {
    let repaired = 0
    fc.assert(
      fc.property(payment, (given) => {
        const repair = repairInput(PAYMENT, given)
        if (repair.refused) return
        repaired++
        const value = repair.value as Record<keyof typeof given, unknown>
        expect(digits(value.amount)).toBe(digits(String(given.amount).replace(/(?<=\d),(?=\d)/, '.')))
        expect(letters(value.recipient)).toBe(letters(given.recipient))
        expect(value.file_path).toBe(given.file_path.replaceAll('"', '').trim())
        expect(String(value.order_id)).toBe(String(given.order_id))
        expect(protectedChanges(PAYMENT, { before: { ...given, amount: String(given.amount).replace(',', '.') }, after: value })).toEqual(
          [],
        )
      }),
      { numRuns: 1500 },
    )
    // The law says nothing if everything is refused.
    expect(repaired).toBeGreaterThan(30)
  })

  test('names every other amount, recipient, path and id as a change that widens the effect [H3]', () => {
    const before = { amount: 5, recipient: 'martin', file_path: '/tmp/a', order_id: 100, pages: 3 }
    fc.assert(
      fc.property(fc.constantFrom('amount', 'recipient', 'file_path', 'order_id'), fc.integer({ min: 200, max: 900 }), (field, other) => {
        const changed = typeof before[field as keyof typeof before] === 'number' ? other : `/other/${other}`
        expect(protectedChanges(PAYMENT, { before, after: { ...before, [field]: changed } })).toEqual([field])
        expect(protectedChanges(PAYMENT, { before, after: { ...before, pages: other } })).toEqual([])
      }),
    )
  })
})
