import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { recordEvents } from '../../testing/record-events.ts'
import { from } from '../../tool/given/reference.ts'
import { tool } from '../../tool/tool.ts'
import { among } from './among.ts'
import { counted, within } from './bounds.ts'
import { each } from './each.ts'
import { ordered } from './ordered.ts'
import { rule, type Rule } from './rule.ts'
import { sums } from './sums.ts'
import { validate } from './validate.ts'

const secret = { sensitive: true }
const Output = z.object({
  card: z.string().meta(secret),
  pin: z.number().meta(secret),
  day: z.string().meta(secret),
  total: z.number(),
  cards: z.array(z.string().meta(secret)),
  vault: z.object({ door: z.string(), code: z.number() }).meta(secret),
  rows: z.array(z.object({ id: z.string().meta(secret), n: z.number().meta(secret) })),
})
const Input = z.object({ known: z.unknown().meta(secret), list: z.array(z.unknown()).optional() })

const value: z.output<typeof Output> = {
  card: 'CARD-one',
  pin: 918_273,
  day: '1999-12-31',
  total: 5,
  cards: ['CARD-two'],
  vault: { door: 'DOOR-three', code: 777_111 },
  rows: [{ id: 'ROW-four', n: 42 }],
}
const SECRETS = /CARD|918|1999|DOOR|777|ROW|42|KNOWN/

const gives = tool({ name: 'gives', description: 'd', effect: 'read', inputSchema: Input, outputSchema: Output, execute: () => value })
const input = { known: 'KNOWN-list', list: [{ other: 'KNOWN-item' }] }

const rules: readonly (readonly [string, Rule<never, never>, string])[] = [
  ['among', among<unknown, unknown>('card', ['a']), `'card' is ••••••, which is not in ["a"]`],
  ['among, of a list', among<unknown, unknown>('cards', ['a']), "'cards' has ••••••"],
  ['among, of a record', among<unknown, unknown>('vault.door', ['a']), "'vault.door' is ••••••"],
  ['among, whose list is none', among<unknown, unknown>('total', from.input('known')), 'which is ••••••, not a list'],
  ['among, by a field', among<unknown, unknown>('total', from.value('rows'), { by: 'no' }), 'does not have'],
  ['within', within<unknown>('pin', { max: 1 }), "'pin' is ••••••, and must be at most 1"],
  ['within, of a text', within<unknown>('card', { max: 1 }), "'card' is ••••••, which is not a number"],
  ['within, of a record', within<unknown>('vault.code', { max: 1 }), "'vault.code' is ••••••, and must be at most 1"],
  ['counted', counted<unknown>('card', { max: 1 }), "'card' is ••••••, which is not a list"],
  ['ordered', ordered<unknown>('day', 'total'), "'day' (••••••) and 'total' (5) cannot be compared"],
  ['ordered, of no time', ordered<unknown>('card', 'total'), "'card' is ••••••, which is not a time"],
  ['sums, of a secret', sums<unknown>('total', ['pin']), "'total' is 5, and 'pin' is ••••••"],
  ['sums, of a list of secrets', sums<unknown>('total', 'rows', { by: 'n' }), "'total' is 5, and the sum of 'rows' is ••••••"],
  ['sums, of a secret total', sums<unknown>('pin', ['total']), "'pin' is ••••••, and 'total' is 5"],
  ['sums, of no number', sums<unknown>('total', ['card']), '•••••• is not a number'],
  ['each', each<unknown, unknown, 'rows'>('rows', [among<unknown, unknown>('id', ['a'])]), "'rows[0].id' is ••••••"],
  ['each, of no list', each<unknown, unknown, 'card'>('card', [within<unknown>('x', { max: 1 })]), 'which is ••••••, not a list'],
  ['a text of an author', rule<typeof value, unknown>('own', ({ value: { card, pin } }) => `${card} ${pin}`), 'own: •••••• ••••••'],
  [
    'an error of an author',
    rule<typeof value, unknown>('own', ({ value: { card, pin, vault } }) => {
      throw new Error(`${card} ${pin} ${vault.door}`)
    }),
    "The rule 'own' failed: •••••• •••••• ••••••",
  ],
]

describe('a message about a secret of the output shows a mask', () => {
  test.each(rules)('%s [V1]', async (_what, given, says) => {
    const recorded = recordEvents()
    const logged: unknown[] = []
    const log = (...line: unknown[]): void => void logged.push(line)
    const result = await validate(gives, { rules: [given as never] }).call(input, {
      on: recorded,
      log: { trace: log, debug: log, info: log, warn: log, error: log },
    })
    expect(result.text).toContain(says)
    const { error, issues } = result.ok ? { error: undefined, issues: undefined } : result
    expect(JSON.stringify([result.text, error?.message, error?.hint, issues])).not.toMatch(SECRETS)
    expect(JSON.stringify(recorded.events.map((event) => ('text' in event ? [event.text, event.call.output] : [])))).not.toMatch(SECRETS)
    expect(JSON.stringify(logged)).not.toMatch(/CARD|918273|1999|DOOR|777111|ROW|KNOWN-list/)
  })

  test('also where it is a warning, and the output itself stays as it is [V1]', async () => {
    const recorded = recordEvents()
    const result = await validate(gives, { rules: [within('pin', { max: 1, severity: 'warning' })] }).call(input, { on: recorded })
    expect(result.issues?.map(({ message }) => message)).toEqual(["'pin' is ••••••, and must be at most 1"])
    expect(result.ok && result.value).toEqual(value)
    expect(JSON.stringify(recorded.events.map((event) => ('text' in event ? event.text : '')))).not.toMatch(/CARD|918273/)
  })
})
