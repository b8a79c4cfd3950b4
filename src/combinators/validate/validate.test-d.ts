import { expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { from } from '../../tool/given/reference.ts'
import { tool } from '../../tool/tool.ts'
import { among } from './among.ts'
import { counted, within } from './bounds.ts'
import { each } from './each.ts'
import { ordered } from './ordered.ts'
import { rule } from './rule.ts'
import { sums } from './sums.ts'
import { validate } from './validate.ts'

const Booking = z.object({
  start: z.string(),
  end: z.string(),
  price: z.number(),
  room: z.string().optional(),
  rooms: z.array(z.string()),
  tax: z.number().nullable(),
  stay: z.object({ nights: z.number(), from: z.string() }),
  guests: z.array(z.object({ name: z.string(), age: z.number() })),
})

const book = tool({
  name: 'book',
  description: 'd',
  inputSchema: z.object({ rooms: z.array(z.string()), guests: z.number().default(1) }),
  outputSchema: Booking,
  effect: 'read',
  execute: () => Booking.parse({}),
})

test('a validated tool is of the type of the tool [V1]', () => {
  const checked = validate(book, {
    rules: [
      ordered('start', 'end', { strictly: true }),
      within('price', { min: 0, severity: 'warning' }),
      within('stay.nights', { max: 30 }),
      within('tax', { min: 0 }),
      among('room', from.input('rooms')),
      among('room', from.value('rooms')),
      among('start', ['a', 'b']),
      counted('rooms', { min: 1 }),
      sums('price', ['stay.nights', 'tax'], { tolerance: 0.01 }),
      sums('price', 'guests', { by: 'age' }),
      each('guests', [within('age', { min: 0 }), rule('named', ({ value }) => value.name !== '' || 'a guest has no name')]),
      rule('room', ({ value, input }) => {
        expectTypeOf(value).toEqualTypeOf<z.output<typeof Booking>>()
        expectTypeOf(input).toEqualTypeOf<{ rooms: string[]; guests?: number | undefined }>()
        return value.room !== undefined || 'there is no room'
      }),
    ],
    retryable: true,
  })
  expectTypeOf(checked).toEqualTypeOf<AgentTool<{ rooms: string[]; guests?: number | undefined }, z.output<typeof Booking>, 'book'>>()
})

test('a tool whose output is not known takes any name', () => {
  const foreign = book as AgentTool<{ rooms: string[] }>
  validate(foreign, { rules: [within('price', { min: 0 }), ordered('a.b', 'c')] })
})

test('fields that the output does not have are errors of the compiler [V1]', () => {
  // @ts-expect-error misspelt
  validate(book, { rules: [ordered('strat', 'end')] })
  // @ts-expect-error not a number
  validate(book, { rules: [within('start', { min: 0 })] })
  // @ts-expect-error misspelt inside
  validate(book, { rules: [within('stay.night', { min: 0 })] })
  // @ts-expect-error not a list
  validate(book, { rules: [counted('price', { min: 0 })] })
  // @ts-expect-error the input has no such list
  validate(book, { rules: [among('room', from.input('room'))] })
  // @ts-expect-error the input has no such list
  validate(book, { rules: [among('room', from.input('guests'))] })
  // @ts-expect-error the output has no such list
  validate(book, { rules: [among('room', from.value('price'))] })
  // @ts-expect-error not a number
  validate(book, { rules: [sums('price', ['start'])] })
  // @ts-expect-error misspelt in an item
  validate(book, { rules: [each('guests', [within('aeg', { min: 0 })])] })
  // @ts-expect-error the output has no such field
  validate(book, { rules: [rule('room', ({ value }) => value.rom === 'a' || 'no room')] })
})

test('only fields of one kind have an order [V1]', () => {
  const Kinds = z.object({
    at: z.string(),
    until: z.date(),
    price: z.number(),
    most: z.number().nullable(),
    either: z.union([z.string(), z.number()]),
    stay: z.object({ from: z.string(), nights: z.number() }).optional(),
  })
  const kinds = tool({ name: 'kinds', description: 'd', effect: 'read', outputSchema: Kinds, execute: () => Kinds.parse({}) })
  validate(kinds, {
    rules: [
      ordered('at', 'until'),
      ordered('price', 'most'),
      ordered('at', 'stay.from'),
      ordered('stay.nights', 'price'),
      ordered('either', 'price'),
      ordered('either', 'at'),
    ],
  })
  // @ts-expect-error a text and a number
  validate(kinds, { rules: [ordered('at', 'price')] })
  // @ts-expect-error a number and a text
  validate(kinds, { rules: [ordered('price', 'at')] })
  // @ts-expect-error a date and a number
  validate(kinds, { rules: [ordered('until', 'most')] })
  // @ts-expect-error a number and a text inside
  validate(kinds, { rules: [ordered('price', 'stay.from')] })
})

test('options are checked', () => {
  // @ts-expect-error a rule is synchronous
  validate(book, { rules: [rule('late', async () => true)] })
  // @ts-expect-error false says nothing
  validate(book, { rules: [rule('mute', ({ value }) => value.price > 0)] })
  // @ts-expect-error no such severity
  validate(book, { rules: [within('price', { min: 0, severity: 'error' })] })
  // @ts-expect-error no such option
  validate(book, { rules: [], strict: true })
  // @ts-expect-error rules are needed
  validate(book, {})
})
