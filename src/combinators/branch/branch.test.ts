import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { check } from '../../plan/check.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import { recordEvents } from '../../testing/record-events.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { memoryJournal } from '../../tool/journal/journal.ts'
import { tool } from '../../tool/tool.ts'
import { above, below } from './threshold.ts'
import { branch } from './branch.ts'
import { equals } from './equals.ts'
import { match } from './match.ts'
import { when } from './route.ts'

const Request = z.object({ kind: z.enum(['refund', 'exchange', 'other']), amount: z.number(), note: z.string().optional() })
const named = (name: string) =>
  tool({ name, description: `Says ${name}.`, inputSchema: Request, effect: 'read', execute: ({ amount }) => `${name} ${amount}` })
const refund = named('refund')
const exchange = named('exchange')
const clerk = named('clerk')
const whole = { name: 'desk', description: 'Handles a request.', inputSchema: Request }

describe('a branch', () => {
  const desk = branch(whole, [
    above('amount', 100, clerk, { name: 'large' }),
    equals('kind', 'exchange', exchange),
    when(({ note }) => note === 'vip', clerk),
    match('kind', { refund, exchange, other: clerk }),
  ])

  test.each([
    [{ kind: 'refund', amount: 101 }, 'large', 'clerk 101'],
    [{ kind: 'exchange', amount: 100 }, 'exchange', 'exchange 100'],
    [{ kind: 'other', amount: 1, note: 'vip' }, 'clerk', 'clerk 1'],
    [{ kind: 'refund', amount: 1 }, 'refund', 'refund 1'],
    [{ kind: 'other', amount: 1 }, 'other', 'clerk 1'],
  ] as const)('hands %j to the first route whose condition holds, %s [C2]', async (input, label, text) => {
    const result = await desk.call(input)
    expect(result).toMatchObject({ ok: true, text, provenance: { tool: 'desk@0.0.0' } })
    expect(result.steps?.map(({ path }) => path)).toEqual([`desk/${label}`])
  })

  test('says what it is made of: its routes with their conditions, and the worst figures of them', () => {
    const figured = (name: string, latencyMs: number, reliability: number): AgentTool<string, string> =>
      tool({ name, description: 'd', effect: 'read', estimates: { latencyMs, reliability }, execute: (text) => text })
    const either = branch({ name: 'either', description: 'd', otherwise: figured('b', 9, 0.9) }, [
      when((text) => text === 'a', figured('a', 1, 0.5)),
      when(
        function isLong(text) {
          return text.length > 9
        },
        figured('c', 2, 1),
      ),
    ])
    expect(either.plan()).toMatchObject({
      kind: 'branch',
      layer: false,
      parts: [
        { label: 'a', takes: 'input', when: 'its predicate holds' },
        { label: 'c', takes: 'input', when: "'isLong' holds" },
        { label: 'otherwise', takes: 'input', when: 'no other route' },
      ],
    })
    expect(desk.plan().parts.map((part) => part.when)).toEqual([
      'amount above 100',
      'kind is "exchange"',
      'its predicate holds',
      'kind is "refund"',
      'kind is "exchange"',
      'kind is "other"',
    ])
    expect(desk.plan().parts.map((part) => part.label)).toEqual(['large', 'exchange', 'clerk', 'refund', 'exchange#2', 'other'])
    expect(either.estimates).toEqual({ latencyMs: 9, reliability: 0.5 })
  })

  test('derives effect, permissions and tags from all routes', () => {
    const pay = tool({ name: 'pay', description: 'd', effect: 'write', permissions: ['pay'], tags: ['money'], execute: () => 'paid' })
    const look = tool({ name: 'look', description: 'd', effect: 'read', execute: () => 'seen' })
    const either = branch({ name: 'either', description: 'd', otherwise: pay }, [when((text) => text === 'a', look)])
    expect(either).toMatchObject({ effect: 'write', permissions: ['pay'], tags: ['money'] })
  })

  test('without a declared schema takes what its first route takes, and the model sees that [C2]', async () => {
    const open = branch({ name: 'open', description: 'd' }, [when(({ amount }) => amount > 10, clerk), when(() => true, refund)])
    expect(open.specification.parameters).toEqual(clerk.specification.parameters)
    expect(await open.call({ kind: 'refund', amount: 11 })).toMatchObject({ text: 'clerk 11' })
    expect(await open.call({ kind: 'refund', amount: 1 })).toMatchObject({ text: 'refund 1' })
  })

  test('validates before it chooses: a predicate never sees what does not fit', async () => {
    let seen = 0
    const look = (): boolean => ++seen > 0
    const declared = branch(whole, [when(look, refund)])
    const open = branch({ name: 'open', description: 'd' }, [when(look, refund)])
    for (const either of [declared, open]) {
      const result = await either.execute({ kind: 'refund', amount: 'much' } as never).catch((error: Error) => error.message)
      expect(result).toMatch(/Invalid input for tool '(desk|open)': 'amount'/)
    }
    expect(seen).toBe(0)
  })

  test('hands a declared input on as its schema made it, and an undeclared one as it came, so that no transform runs twice', async () => {
    const Doubled = z.object({ n: z.number().transform((n) => n * 2) })
    const plain = tool({ name: 'plain', description: 'd', inputSchema: z.object({ n: z.number() }), effect: 'read', execute: ({ n }) => n })
    const doubling = tool({ name: 'doubling', description: 'd', inputSchema: Doubled, effect: 'read', execute: ({ n }) => n })
    expect(
      await branch({ name: 'a', description: 'd', inputSchema: Doubled }, [when(({ n }) => n === 4, plain)]).call({ n: 2 }),
    ).toMatchObject({ value: 4 })
    expect(await branch({ name: 'b', description: 'd' }, [when(() => true, doubling)]).call({ n: 2 })).toMatchObject({ value: 4 })
  })

  test('gives a string tool the text of its input', async () => {
    const echo = tool({ name: 'echo', description: 'd', effect: 'read', execute: (text) => text })
    const result = await branch({ ...whole, otherwise: echo }, [when(() => false, refund)]).call({ kind: 'refund', amount: 1 })
    expect(result.text).toBe('{"kind":"refund","amount":1}')
  })

  test('reshapes the input for a route, and for the rest', async () => {
    const echo = tool({ name: 'echo', description: 'd', effect: 'read', execute: (text) => text })
    const shaped = branch({ ...whole, otherwise: { tool: echo, input: ({ amount }) => `only ${amount}` } }, [
      equals('kind', 'refund', echo, { input: ({ kind, amount }) => `${kind} of ${amount}` }),
      above('amount', 5, echo, { name: 'large', input: ({ amount }) => `large ${amount}` }),
    ])
    expect((await shaped.call({ kind: 'refund', amount: 1 })).text).toBe('refund of 1')
    expect((await shaped.call({ kind: 'other', amount: 6 })).text).toBe('large 6')
    expect((await shaped.call({ kind: 'other', amount: 2 })).text).toBe('only 2')
    expect(shaped.plan().parts.map((part) => part.adapter?.name)).toEqual(["into 'echo'", "into 'large'", "into 'otherwise'"])
  })

  test('an input that no route takes is a failure that lists the routes, and nothing runs [C2]', async () => {
    const recorder = recordEvents()
    const result = await branch(whole, [above('amount', 100, clerk), equals('kind', 'refund', refund)]).call(
      { kind: 'other', amount: 1 },
      { on: recorder },
    )
    expect(result).toMatchObject({
      ok: false,
      error: {
        code: 'no_route',
        outcome: 'not_started',
        message: `No route of 'desk' takes this input: clerk (amount above 100), refund (kind is "refund").`,
      },
    })
    expect(recorder.summary()).toEqual(['call.started desk', 'call.finished desk'])
    expect(recorder.events.at(-1)).toMatchObject({ outcome: 'failure', code: 'no_route' })
  })

  test('of many routes the failure lists the first ten and counts the rest', async () => {
    const many = Array.from({ length: 1000 }, (_, index) => above('amount', 1000 + index, clerk, { name: `r${index}` }))
    const { text } = await branch(whole, many).call({ kind: 'other', amount: 1 })
    expect(text).toMatch(/r8 \(amount above 1008\), r9 \(amount above 1009\) and 990 more\.$/)
  })

  test('hands on the failure of its route', async () => {
    const fails = tool({ name: 'fails', description: 'd', effect: 'read', execute: () => Promise.reject(new Error('no luck')) })
    const result = await branch({ name: 'x', description: 'd', otherwise: fails }, [when(() => true, fails)]).call('x')
    expect(result).toMatchObject({ ok: false, error: { message: 'no luck' }, steps: [{ label: 'fails' }] })
  })

  test.each([
    [
      'throws',
      () => {
        throw new Error('no such field')
      },
      "The predicate of route 'refund' failed: no such field",
    ],
    ['gives a promise', () => Promise.reject(new Error('late')) as never, "The predicate of route 'refund' returned a promise"],
  ])('a predicate that %s is a failure that names the route, and nothing runs', async (_what, predicate: () => boolean, message) => {
    const result = await branch(whole, [when(predicate, refund)]).call({ kind: 'refund', amount: 1 })
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'adapter_failed', message: expect.stringContaining(message) },
    })
    expect(result.steps).toBeUndefined()
  })

  test('a reshaping that throws is a failure that names the route', async () => {
    const input = (): never => {
      throw new Error('no order')
    }
    const result = await branch(whole, [when(() => true, refund, { input })]).call({ kind: 'refund', amount: 1 })
    expect(result).toMatchObject({ error: { code: 'adapter_failed', message: "The input of route 'refund' failed: no order" } })
  })

  test('records which route it took, and a replay takes it even where the predicate has changed', async () => {
    let bound = 10
    const moving = branch({ ...whole, otherwise: exchange }, [when(({ amount }) => amount > bound, clerk)])
    const journal = memoryJournal()
    await moving.call({ kind: 'refund', amount: 11 }, { journal })
    expect(journal.entries[0]).toEqual({ kind: 'decision', path: 'desk/branch.route', value: 'clerk' })
    bound = 100
    expect(await moving.call({ kind: 'refund', amount: 11 }, { journal: memoryJournal(journal.entries.slice(0, 1)) })).toMatchObject({
      text: 'clerk 11',
    })
    expect(await moving.call({ kind: 'refund', amount: 11 })).toMatchObject({ text: 'exchange 11' })
  })

  test('a record of a route that is no more is refused', async () => {
    const journal = memoryJournal([{ kind: 'decision', path: 'desk/branch.route', value: 'gone' }])
    await expect(desk.call({ kind: 'refund', amount: 1 }, { journal })).rejects.toMatchObject({ code: 'replay_diverged' })
  })

  test('ends with its caller: the route is cancelled and cannot touch the result', async () => {
    const clock = fakeClock()
    const waits = tool({ name: 'waits', description: 'd', effect: 'read', execute: (_text, { sleep }) => sleep('1h') })
    const controller = new AbortController()
    const running = branch({ name: 'x', description: 'd' }, [when(() => true, waits)]).call('x', { clock, signal: controller.signal })
    controller.abort()
    expect(await running).toMatchObject({ ok: false, error: { code: 'cancelled' } })
  })

  test('describes its output where all routes describe theirs', () => {
    const give = (name: string, type: string) =>
      tool({ name, description: 'd', effect: 'read', outputSchema: { type }, execute: () => 1 as never })
    const specification = (...tools: readonly AgentTool<string>[]) =>
      branch({ name: 'x', description: 'd' }, tools.map((each) => when<string, unknown>(() => true, each)) as never).specification
        .outputSchema
    expect(specification(give('a', 'number'), give('b', 'string'))).toEqual({ anyOf: [{ type: 'number' }, { type: 'string' }] })
    expect(specification(give('a', 'number'), give('b', 'number'))).toEqual({ type: 'number' })
    expect(specification(give('a', 'number'), clerk as never)).toBeUndefined()
  })
})

describe('conditions', () => {
  const Optional = z.object({ n: z.number().optional(), flag: z.boolean(), code: z.union([z.literal(1), z.literal(2)]) })
  const say = (name: string) => tool({ name, description: 'd', inputSchema: Optional, effect: 'read', execute: () => name })
  const of = { name: 'x', description: 'd', inputSchema: Optional, otherwise: say('none') }

  test('above and below leave out the bound, and what is missing is neither', async () => {
    const sized = branch(of, [above('n', 5, say('above')), below('n', 5, say('below'))])
    const texts = []
    for (const n of [6, 5, 4, undefined]) texts.push((await sized.call({ n, flag: true, code: 1 })).text)
    expect(texts).toEqual(['above', 'none', 'below', 'none'])
  })

  test('match takes flags and numbers by their text', async () => {
    const flagged = branch(of, [match('flag', { true: say('yes'), false: say('no') })])
    const coded = branch(of, [match('code', { 2: say('two') })])
    expect((await flagged.call({ flag: false, code: 1 })).text).toBe('no')
    expect((await coded.call({ flag: false, code: 2 })).text).toBe('two')
    expect((await coded.call({ flag: false, code: 1 })).text).toBe('none')
  })

  test('equals tells values apart as Object.is does', async () => {
    const nan = branch(of, [equals('n', Number.NaN, say('nan'))])
    expect((await nan.call({ n: 1, flag: true, code: 1 })).text).toBe('none')
  })
})

describe('the plan of a branch', () => {
  const problems = (made: AgentTool): readonly string[] =>
    check(made).flatMap(({ severity, path, field }) => (severity === 'error' ? [`${path} ${field ?? ''}`] : []))

  test('knows what a condition says about the input, so that a check believes a tool for that case alone [C5]', () => {
    const only = (kind: 'refund' | 'exchange') =>
      tool({ name: kind, description: 'd', inputSchema: z.object({ kind: z.literal(kind) }), effect: 'read', execute: () => kind })
    const Kind = z.object({ kind: z.enum(['refund', 'exchange']) })
    const of = { name: 'x', description: 'd', inputSchema: Kind }
    expect(problems(branch(of, [match('kind', { refund: only('refund'), exchange: only('exchange') })]))).toEqual([])
    expect(problems(branch(of, [equals('kind', 'refund', only('refund'))]))).toEqual([])
    expect(problems(branch(of, [match('kind', { refund: only('exchange'), exchange: only('refund') } as never)]))).toEqual([
      'x/refund kind',
      'x/exchange kind',
    ])
    expect(problems(branch(of, [when(() => true, only('refund') as never)]))).toEqual(['x/refund kind'])
  })

  test('knows the member of a union that a field tells apart, by text, number or flag', () => {
    const Either = z.discriminatedUnion('size', [
      z.object({ size: z.literal(1), small: z.string() }),
      z.object({ size: z.literal(2), large: z.string() }),
    ])
    const small = tool({ name: 'small', description: 'd', inputSchema: z.object({ small: z.string() }), effect: 'read', execute: () => 1 })
    const large = tool({ name: 'large', description: 'd', inputSchema: z.object({ large: z.string() }), effect: 'read', execute: () => 1 })
    const of = { name: 'x', description: 'd', inputSchema: Either }
    expect(problems(branch(of, [match('size', { 1: small, 2: large })]))).toEqual([])
    expect(problems(branch(of, [match('size', { 1: large, 2: small } as never)]))).toEqual(['x/1 large', 'x/2 small'])
  })
})

describe('a branch refuses', () => {
  const expected = (code: string) => expect.objectContaining({ code })

  test('to have no routes, even with an otherwise', () => {
    expect(() => branch({ ...whole, otherwise: clerk }, [])).toThrow(expected('invalid_definition'))
    expect(() => match('kind' as never, {} as never)).toThrow(expected('invalid_definition'))
  })

  test('a first route that reshapes an input of which nothing is known', () => {
    expect(() =>
      branch({ name: 'x', description: 'd' }, [when((n: number) => n > 1, clerk, { input: (amount) => ({ kind: 'refund', amount }) })]),
    ).toThrow(expected('invalid_definition'))
  })

  test.each(['', 'a/b', 'a#2', 'a.b', 7 as never])('the name %j of a route', (name) => {
    expect(() => branch(whole, [when(() => true, clerk, { name })])).toThrow(expected('invalid_label'))
  })

  test('a bound that is no number, and a case that is no tool', () => {
    expect(() => above('amount' as never, Number.NaN, clerk)).toThrow(expected('invalid_option'))
    expect(() => match('kind' as never, { refund: () => 1 } as never)).toThrow(expected('not_a_tool'))
  })
})
