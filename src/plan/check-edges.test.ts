import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { branch } from '../combinators/branch/branch.ts'
import { when } from '../combinators/branch/route.ts'
import { corroborate } from '../combinators/corroborate/corroborate.ts'
import { source } from '../combinators/corroborate/source.ts'
import { fallback } from '../combinators/fallback/fallback.ts'
import { level } from '../combinators/fallback/level.ts'
import { gate } from '../combinators/gate/gate.ts'
import { into } from '../combinators/pipe/into.ts'
import { pipe } from '../combinators/pipe/pipe.ts'
import { ToolPipeline } from '../combinators/pipe/tool-pipeline.ts'
import type { AnySchema } from '../schema/schema-types.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import { combinator } from '../tool/combinator.ts'
import { compound } from '../tool/compound.ts'
import { contractOf } from '../tool/contract.ts'
import { sideBySide } from '../tool/figures.ts'
import type { InputPort } from '../tool/input/input-port.ts'
import { TypedInput } from '../tool/input/typed-input.ts'
import type { PlanPart } from '../tool/plan-node.ts'
import { tool } from '../tool/tool.ts'
import { check } from './check.ts'
import { type FindingCode, isSound } from './finding.ts'
import { found, made, step, takes, typed } from '../../test/fixtures/plan/planned-tools.ts'

const sequence = ToolPipeline.of as unknown as (...steps: readonly AgentTool<never, never>[]) => AgentTool<never, never>

describe('an edge', () => {
  const EDGES: readonly FindingCode[] = ['edge_does_not_fit', 'edge_unknown']
  const Order = z.object({ id: z.string(), total: z.number() })
  const orders = typed('orders', { gives: Order })
  const total = typed('total', { takes: z.object({ total: z.number() }) })

  test('that fits is not mentioned [C5]', () => {
    expect(found(sequence(orders, total), EDGES)).toEqual([])
  })

  test('that does not fit is an error at the step and the field [C5]', () => {
    const wrong = typed('wrong', { takes: z.object({ id: z.string(), total: z.string() }) })
    const findings = check(sequence(orders, wrong))
    expect(findings[0]).toMatchObject({
      severity: 'error',
      code: 'edge_does_not_fit',
      path: 'orders_then_wrong/wrong',
      field: 'total',
      message: expect.stringContaining("'wrong' does not take what 'orders' gives: "),
      hint: expect.stringContaining('adapter'),
    })
    expect(isSound(findings)).toBe(false)
  })

  test('is found however deep it lies, and behind layers [C5]', () => {
    const wrong = typed('wrong', { takes: z.object({ id: z.number() }) })
    const inner = sequence(gate(orders), gate(gate(wrong)))
    expect(found(sequence(gate(inner)), EDGES)).toEqual(['error edge_does_not_fit only_orders_then_wrong/orders_then_wrong/gated/wrong id'])
  })

  test('out of a compound goes by the output of its last step, behind layers too [C5]', () => {
    const inner = gate(sequence(step('first') as never, orders))
    expect(found(sequence(inner, total), EDGES)).toEqual([])
    expect(found(sequence(inner, typed('wrong', { takes: z.object({ total: z.string() }) })), EDGES)).toEqual([
      'error edge_does_not_fit first_then_orders_then_wrong/wrong total',
    ])
  })

  test('into a step that takes any text always fits [C5]', () => {
    expect(found(sequence(orders, step('text') as never), EDGES)).toEqual([])
    expect(found(sequence(orders, typed('text', { takes: z.string().describe('Any text.') })), EDGES)).toEqual([])
    expect(
      found(
        pipe(
          step('a'),
          into((result) => result.text, step('b')),
        ),
        EDGES,
      ),
    ).toEqual([])
  })

  test('into a step that takes only some texts is unknown, unless the texts are those [C5]', () => {
    const colour = typed('colour', { takes: z.enum(['red', 'green']) })
    const unknown = 'note edge_unknown whole/colour'
    const whole = (before: AgentTool<never, never>): AgentTool =>
      ToolPipeline.builder().name('whole').description('d').step(before).step(colour).build()
    expect(found(whole(typed('red', { gives: z.literal('red') })), EDGES)).toEqual([])
    expect(found(whole(typed('any', { gives: z.string() })), EDGES)).toEqual([unknown])
    expect(found(whole(orders), EDGES)).toEqual([unknown])
  })

  test('from a text into a typed step is unknown: it is read as JSON when it runs [C5]', () => {
    expect(found(sequence(typed('text', { gives: z.string() }), typed('n', { takes: z.number() })), EDGES)).toEqual([
      'note edge_unknown text_then_n/n',
    ])
    expect(check(sequence(typed('text', { gives: z.string() }), total))).toContainEqual(
      expect.objectContaining({ severity: 'note', code: 'edge_unknown', message: expect.stringContaining('read as JSON') }),
    )
  })

  test('from a step without an output schema is unknown, and says so [C5]', () => {
    const findings = check(sequence(step('free') as never, total))
    expect(isSound(findings)).toBe(true)
    expect(findings).toContainEqual({
      severity: 'note',
      code: 'edge_unknown',
      path: 'free_then_total/total',
      message: "Nobody can tell whether 'total' takes what it is given: 'free' has no output schema.",
      hint: "Give 'free' an outputSchema.",
    })
  })

  test('through an adapter goes by the schema of the adapter; without one it is unknown [C5]', () => {
    const number = typed('number', { takes: z.object({ n: z.number() }) }) as unknown as AgentTool<{ n: number }, unknown>
    const adapted = (outputSchema?: AnySchema): AgentTool =>
      pipe(
        step('text'),
        into(() => ({ n: 1 }), number, { name: "'to n'", outputSchema }),
      )
    expect(found(adapted(z.object({ n: z.number() })), EDGES)).toEqual([])
    expect(found(adapted(z.object({ n: z.string() })), EDGES)).toEqual(['error edge_does_not_fit text_then_number/number n'])
    expect(check(adapted())).toContainEqual(
      expect.objectContaining({
        code: 'edge_unknown',
        severity: 'note',
        message: "Nobody can tell whether 'number' takes what it is given: the adapter 'to n' is a function without a schema.",
      }),
    )
  })

  test('through a function that cannot have a schema names a way that works [C5]', () => {
    const number = typed('number', { takes: z.object({ n: z.number() }) }) as unknown as AgentTool<{ n: number }, { n: number }>
    const whole = { name: 'whole', description: 'd' } as const
    const input = (text: string) => ({ n: text.length })
    const Answer = z.object({ n: z.number() })
    const unable: readonly AgentTool[] = [
      fallback({ ...whole, inputSchema: z.string(), outputSchema: Answer }, [level(number, { input })]),
      corroborate({ a: source(number, { input }), b: source(number, { input }) }, { ...whole, inputSchema: z.string(), fields: { n: {} } }),
    ]
    for (const each of unable) {
      const hints = check(each).flatMap(({ code, hint }) => (code === 'edge_unknown' ? [hint] : []))
      expect(hints[0]).toMatch(/^This function cannot have a schema: .+ pipe\(prepare, tool\), is checked before\.$/)
    }
    const prepared = (outputSchema: AnySchema): AgentTool =>
      pipe(tool({ name: 'prepare', description: 'd', effect: 'read', outputSchema, execute: input as never }), number as never)
    const fits = fallback(whole, [prepared(Answer) as AgentTool<string>])
    expect(found(fits, EDGES)).toEqual([])
    const doesNot = fallback(whole, [prepared(z.object({ n: z.string() })) as AgentTool<string>])
    expect(found(doesNot, EDGES)).toEqual([expect.stringContaining('error edge_does_not_fit')])
  })

  test('into a strict step fits with more fields than it takes, and with null for one that may be missing: the door drops them [C5]', () => {
    const strict = typed('strict', { takes: z.strictObject({ id: z.string(), note: z.string().optional() }) })
    const more = typed('more', { gives: z.object({ id: z.string(), note: z.string().nullable(), other: z.number() }) })
    expect(found(sequence(more, strict), EDGES)).toEqual([])
    const other = typed('strict', { takes: z.strictObject({ id: z.number() }) })
    expect(found(sequence(more, other), EDGES)).toEqual(['error edge_does_not_fit more_then_strict/strict id'])
    const needed = typed('strict', { takes: z.strictObject({ id: z.string(), note: z.string() }) })
    expect(found(sequence(more, needed), EDGES)).toEqual(['error edge_does_not_fit more_then_strict/strict note'])
  })

  test('from a schema that says nothing is unknown, and into one everything fits [C5]', () => {
    const any = typed('any', { takes: z.unknown() })
    expect(found(sequence(step('free') as never, any), EDGES)).toEqual([])
    const vague = typed('vague', { gives: z.unknown() })
    expect(found(sequence(vague, total), EDGES)).toEqual(['note edge_unknown vague_then_total/total'])
    expect(found(sequence(orders, any), EDGES)).toEqual([])
  })

  test('from a field with a default fits: it is there after validation [C5]', () => {
    const gives = { type: 'object', properties: { total: { type: 'number', default: 0 } }, additionalProperties: false }
    expect(found(sequence(typed('raw', { gives }), total), EDGES)).toEqual([])
    const without = { ...gives, properties: { total: { type: 'number' } } }
    expect(found(sequence(typed('raw', { gives: without }), total), EDGES)).toEqual(['error edge_does_not_fit raw_then_total/total total'])
  })

  describe('from the input of the whole', () => {
    const inputOf = (schema: AnySchema): InputPort => new TypedInput(contractOf(schema, 'The inputSchema'))
    const branches = (how: PlanPart['takes'], schema: AnySchema, ...tools: readonly AgentTool[]): AgentTool =>
      made('branches', { parts: takes(how, ...tools) }, inputOf(schema))

    test('is compared with what each part takes [C5]', () => {
      const number = typed('number', { takes: z.object({ total: z.number() }) })
      const text = typed('text', { takes: z.object({ total: z.string() }) })
      expect(found(branches('input', Order, number, text, step('any')), EDGES)).toEqual(['error edge_does_not_fit branches/text total'])
    })

    test('has the fields that are filled in by default [C5]', () => {
      const filled = z.object({ total: z.number().default(0) })
      expect(found(branches('input', filled, total), EDGES)).toEqual([])
      expect(found(branches('input', z.object({ total: z.number().optional() }), total), EDGES)).toEqual([
        'error edge_does_not_fit branches/total total',
      ])
    })

    test('is what comes of it: a transform, a coercion or a default stands before the part [C5]', () => {
      const text = typed('text', { takes: z.object({ total: z.string() }) })
      const toNumber = z.object({ total: z.string().transform(Number).pipe(z.number()) })
      expect(found(branches('input', toNumber, total), EDGES)).toEqual([])
      expect(found(branches('input', toNumber, text), EDGES)).toEqual(['error edge_does_not_fit branches/text total'])
      const coerced = z.object({ total: z.preprocess((given) => given, z.coerce.number()) })
      expect(found(branches('input', coerced, total), EDGES)).toEqual([])
      expect(found(branches('item', z.array(toNumber), total, text), EDGES)).toEqual(['error edge_does_not_fit branches/text total'])
    })

    test('is unknown after a transform of which the library cannot say what it gives [C5]', () => {
      const changed = z.object({ total: z.number().transform(String) })
      expect(found(branches('input', changed, total), EDGES)).toEqual(['note edge_unknown branches/total total'])
    })

    test('does not fit the schema of the whole once more where that changes what it is given [C5]', async () => {
      const Total = z.object({ total: z.string().transform(Number).pipe(z.number()) })
      const pay = tool({ name: 'pay', description: 'd', effect: 'read', inputSchema: Total, execute: ({ total: sum }) => sum })
      const desk = branch({ name: 'desk', description: 'd', inputSchema: Total }, [when(() => true, pay as never)])
      expect(found(desk, EDGES)).toEqual(['error edge_does_not_fit desk/pay total'])
      expect(await desk.call({ total: '5' })).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
    })

    test('has no other fields: the door has dropped them [C5]', () => {
      const more = typed('more', { takes: z.object({ total: z.number(), id: z.string().optional() }) })
      expect(found(branches('input', z.object({ total: z.number() }), more), EDGES)).toEqual([])
      expect(found(branches('input', z.looseObject({ total: z.number() }), more), EDGES)).toEqual(['note edge_unknown branches/more id'])
    })

    test('is as it came where the parts validate it: nothing is filled in or dropped [C5]', () => {
      const raw = (schema: AnySchema): AgentTool =>
        combinator({
          ...{ name: 'raw', description: 'd', input: inputOf(schema), forwardsInput: true, run: () => 1 },
          plan: {
            kind: 'made',
            order: 'together',
            labels: 'name',
            closedBy: undefined,
            layer: false,
            parts: takes('input', total),
            figures: sideBySide,
          },
        })
      expect(found(raw(z.object({ total: z.number().default(0) })), EDGES)).toEqual(['note edge_unknown raw/total total'])
      expect(found(raw(z.object({ total: z.number() })), EDGES)).toEqual([])
    })

    test('is not closed or filled in where a schema holds only sometimes [C5]', () => {
      const number = { type: 'number' }
      const both = {
        allOf: [{ properties: { id: number }, required: ['id'] }, { properties: { total: { type: 'string' } } }],
        type: 'object',
      }
      expect(found(branches('input', both, total), EDGES)).toEqual(['error edge_does_not_fit branches/total total'])
      const either = {
        type: 'object',
        anyOf: [{ properties: { total: { ...number, default: 0 } } }, { properties: { total: number }, required: ['total'] }],
      }
      expect(found(branches('input', either, total), EDGES)).toEqual(['note edge_unknown branches/total total'])
    })

    test('goes item by item where it is a list [C5]', () => {
      expect(found(branches('item', z.array(Order), total), EDGES)).toEqual([])
      expect(found(branches('item', z.array(z.object({ total: z.string() })), total), EDGES)).toEqual([
        'error edge_does_not_fit branches/total total',
      ])
      expect(found(branches('item', z.unknown(), total), EDGES)).toEqual(['note edge_unknown branches/total'])
    })

    test('follows references to definitions, for items too [C5]', () => {
      const $defs = { order: { type: 'object', properties: { total: { type: 'string' } }, required: ['total'] } }
      expect(found(branches('item', { type: 'array', items: { $ref: '#/$defs/order' }, $defs }, total), EDGES)).toEqual([
        'error edge_does_not_fit branches/total total',
      ])
    })

    test('may be a reference as a whole [C5]', () => {
      const list = { type: 'array', items: { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] } }
      expect(found(branches('item', { $ref: '#/$defs/list', $defs: { list } }, total), EDGES)).toEqual([])
    })

    test('is not guessed where only the run knows what a part is given [C5]', () => {
      const inside = compound({ name: 'inside', description: 'd', parts: { total }, run: (input) => input })
      expect(found(inside, EDGES)).toEqual([])
    })
  })
})
