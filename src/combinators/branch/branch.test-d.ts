import { describe, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { tool } from '../../tool/tool.ts'
import { gate } from '../gate/gate.ts'
import { above, below } from './threshold.ts'
import { branch } from './branch.ts'
import type { Classifier, ClassifierContext, RouteDescription } from './classifier.ts'
import { classify } from './classify.ts'
import { equals } from './equals.ts'
import { match } from './match.ts'
import { modelClassifier } from './model-classifier.ts'
import { when } from './route.ts'

const Request = z.object({ kind: z.enum(['refund', 'exchange']), amount: z.number(), orderId: z.string(), rush: z.boolean().optional() })
type Request = z.infer<typeof Request>
const whole = { name: 'desk', description: 'Handles a request.', inputSchema: Request }
const bare = { name: 'desk', description: 'Handles a request.' }

const take = <I, O>(schema: z.ZodType<I, I>, output: O): AgentTool<I, O> =>
  tool({ name: 'take', description: 'd', inputSchema: schema, execute: () => output }) as never
const refund = take(z.object({ orderId: z.string() }), { paid: 1 })
const exchange = take(z.object({ orderId: z.string(), kind: z.literal('exchange') }), { sent: 'x' })
const other = take(z.object({ size: z.number(), mood: z.enum(['calm', 'angry']) }), 7)
const text = tool({ name: 'text', description: 'd', execute: (input) => input })

describe('a branch', () => {
  test('takes what its schema takes and gives what any of its routes gives [C2]', () => {
    const desk = branch({ ...whole, otherwise: text }, [
      when((value) => {
        expectTypeOf(value).toEqualTypeOf<Request>()
        return value.amount > 5
      }, refund),
      equals('kind', 'exchange', exchange),
    ])
    expectTypeOf(desk).toEqualTypeOf<AgentTool<Request, { paid: number } | { sent: string } | string>>()
  })

  test('lets predicates see what comes of the schema, and its caller what goes in', () => {
    const Defaulted = z.object({ n: z.number().default(1), at: z.string().transform((each) => new Date(each)) })
    const late = take(z.object({ n: z.number(), at: z.date() }), 'late')
    const dated = branch({ ...bare, inputSchema: Defaulted }, [when(({ n, at }) => n > at.getTime(), late)])
    expectTypeOf(dated).toEqualTypeOf<AgentTool<{ at: string; n?: number | undefined }, string>>()
  })

  test('takes what its first route takes where no schema is declared', () => {
    const open = branch(bare, [when(({ orderId }) => orderId === '1', gate(refund)), equals('orderId', '2', refund)])
    expectTypeOf(open).toEqualTypeOf<AgentTool<{ orderId: string }, { paid: number }>>()
    expectTypeOf(branch(bare, [when((input) => input.startsWith('a'), text)])).toEqualTypeOf<AgentTool<string, string>>()
    // @ts-expect-error the second route takes something else
    branch(bare, [when(({ orderId }) => orderId === '1', refund), above('size', 1, other)])
  })

  test('refuses a tool that does not take the input', () => {
    // @ts-expect-error a route
    branch(whole, [when(() => true, other)])
    // @ts-expect-error a route by a field
    branch(whole, [equals('kind', 'refund', other)])
    // @ts-expect-error a field that is not there
    branch(whole, [equals('knd', 'refund', refund)])
    // @ts-expect-error a value that the field cannot have
    branch(whole, [equals('kind', 'repair', refund)])
    // @ts-expect-error another kind of route
    branch(whole, [above('amount', 1, other)])
    // @ts-expect-error the rest
    branch({ ...whole, otherwise: other }, [when(() => true, refund)])
  })

  test('reshapes the input into what the tool takes, literals too', () => {
    branch({ ...whole, otherwise: { tool: other, input: ({ amount }) => ({ size: amount, mood: 'calm' }) } }, [
      when(() => true, other, { input: ({ amount }) => ({ size: amount, mood: 'calm' }) }),
      above('amount', 5, other, { input: ({ amount }) => ({ size: amount, mood: 'calm' }) }),
      equals('kind', 'refund', other, {
        input: ({ kind, amount }) => {
          expectTypeOf(kind).toEqualTypeOf<'refund'>()
          return { size: amount, mood: 'angry' }
        },
      }),
    ])
    // @ts-expect-error not one of its moods
    branch(whole, [when(() => true, other, { input: ({ amount }) => ({ size: amount, mood: 'wild' }) })])
    // @ts-expect-error a field is missing
    branch({ ...whole, otherwise: { tool: other, input: ({ amount }) => ({ size: amount }) } }, [when(() => true, refund)])
  })
})

describe('a match', () => {
  test('has a tool for every literal of its field, or the branch has an otherwise [C2]', () => {
    expectTypeOf(branch(whole, [match('kind', { refund, exchange })])).toEqualTypeOf<
      AgentTool<Request, { paid: number } | { sent: string }>
    >()
    expectTypeOf(branch({ ...whole, otherwise: text }, [match('kind', { refund })])).toEqualTypeOf<
      AgentTool<Request, { paid: number } | string>
    >()
    // @ts-expect-error nothing for exchange
    branch(whole, [match('kind', { refund })])
    // @ts-expect-error nothing where the field is missing
    branch(whole, [match('rush', { true: refund, false: refund })])
    branch({ ...whole, otherwise: text }, [match('rush', { true: refund })])
  })

  test('has no tool for anything else, and no field that does not exist', () => {
    // @ts-expect-error not a literal of the field
    branch({ ...whole, otherwise: text }, [match('kind', { refund, steal: refund })])
    // @ts-expect-error not a field
    branch({ ...whole, otherwise: text }, [match('sort', { refund })])
  })

  test('gives each tool what is then known of the input', () => {
    const Either = z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('refund'), amount: z.number() }),
      z.object({ kind: z.literal('exchange'), size: z.number() }),
    ])
    const pay = take(z.object({ amount: z.number() }), 1)
    const send = take(z.object({ size: z.number() }), 2)
    const either = { ...bare, inputSchema: Either }
    branch(either, [match('kind', { refund: pay, exchange: send })])
    branch(either, [equals('kind', 'refund', pay)])
    // @ts-expect-error the other way round
    branch(either, [match('kind', { refund: send, exchange: pay })])
    // @ts-expect-error a refund has no size
    branch(either, [equals('kind', 'refund', send)])
  })
})

describe('conditions on a field', () => {
  test('know the fields and what they hold [C2]', () => {
    branch(whole, [above('amount', 1, refund), below('amount', 1, refund), equals('kind', 'refund', refund)])
    // @ts-expect-error not a number
    branch(whole, [above('kind', 1, refund)])
    // @ts-expect-error not a field
    branch(whole, [below('size', 1, refund)])
    // @ts-expect-error not one of its literals
    branch(whole, [equals('kind', 'steal', refund)])
    // @ts-expect-error not a bound
    branch(whole, [above('amount', '1', refund)])
    // @ts-expect-error not a predicate
    branch(whole, [when(({ amount }) => amount, refund)])
  })
})

describe('a classified branch', () => {
  const routes = { refund: { tool: refund, description: 'd' }, text: { tool: text, description: 'd' } }

  test('gives what any of its routes gives, and its classifier sees the input [C2]', () => {
    const desk = classify(
      (input, described, context) => {
        expectTypeOf(input).toEqualTypeOf<Request>()
        expectTypeOf(described).toEqualTypeOf<readonly RouteDescription[]>()
        expectTypeOf(context).toEqualTypeOf<ClassifierContext>()
        return [{ route: input.kind, confidence: 1 }]
      },
      { ...whole, routes, otherwise: { tool: other, input: ({ amount }) => ({ size: amount, mood: 'calm' }) } },
    )
    expectTypeOf(desk).toEqualTypeOf<AgentTool<Request, { paid: number } | string | number>>()
    expectTypeOf(classify(modelClassifier(), { ...bare, routes: { a: routes.refund } })).toEqualTypeOf<
      AgentTool<{ orderId: string }, { paid: number }>
    >()
  })

  test('takes what all its routes take where no schema is declared', () => {
    const both = classify(modelClassifier(), {
      ...bare,
      routes: { a: { tool: refund, description: 'd' }, b: { tool: exchange, description: 'd' } },
    })
    expectTypeOf<Parameters<typeof both.call>[0]>().toEqualTypeOf<{ orderId: string } & { orderId: string; kind: 'exchange' }>()
  })

  test('refuses routes that do not take the input, and classifiers of something else', () => {
    // @ts-expect-error a route
    classify(modelClassifier(), { ...whole, routes: { other: { tool: other, description: 'd' } } })
    // @ts-expect-error the rest
    classify(modelClassifier(), { ...whole, routes, otherwise: other })
    // @ts-expect-error without a description nobody can choose it
    classify(modelClassifier(), { ...whole, routes: { refund: { tool: refund } } })
    const ofNumbers: Classifier<number> = () => []
    // @ts-expect-error it sorts numbers
    classify(ofNumbers, { ...whole, routes })
    // @ts-expect-error a confidence is a number
    classify(() => [{ route: 'refund', confidence: 'high' }], { ...whole, routes })
  })
})
