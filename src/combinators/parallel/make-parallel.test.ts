import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { fakeClock } from '../../testing/fake-clock.ts'
import { recordEvents } from '../../testing/record-events.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import type { PlanOrder } from '../../tool/plan-node.ts'
import { tool } from '../../tool/tool.ts'
import { all, best, first, type Join, type JoinKind, partial, quorum } from './join.ts'
import { parallel } from './parallel.ts'

function named(name: string, latencyMs = 10): AgentTool<string, string> {
  return tool({
    name,
    description: 'd',
    effect: 'read',
    estimates: { latencyMs, p99Ms: latencyMs * 10, costUsd: 0.01, reliability: 0.9, accuracy: latencyMs / 100 },
    execute: () => name,
  })
}

const [a, b, c] = [named('a', 10), named('b', 20), named('c', 40)]

describe('a definition', () => {
  test('has a name and a description of its own, or ones made of its parts [T1]', () => {
    expect(parallel({ a, b })).toMatchObject({ name: 'a_and_b', description: 'Parallel (all): a, b' })
    expect(parallel({ a, b }, { name: 'both', description: 'Both.', version: '1.2.0' })).toMatchObject({
      name: 'both',
      description: 'Both.',
      version: '1.2.0',
    })
    expect(parallel({ a }).name).toBe('parallel_a')
    const long = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`b${index}`, named(`branch_${index}`)]))
    const { name } = parallel(long)
    expect(name).toMatch(/^branch_0_and_branch_1_\w+$/)
    expect(name.length).toBe(64)
    expect(parallel(long).name).toBe(name)
  })

  test('takes effect, permissions and idempotency of its parts [T1]', () => {
    const pay = tool({ name: 'pay', description: 'd', effect: 'write', idempotent: 'keyed', permissions: ['pay:write'], execute: () => 1 })
    expect(parallel({ a, pay })).toMatchObject({ effect: 'write', idempotent: 'keyed', permissions: ['pay:write'] })
  })

  const made =
    (branches: unknown, options: unknown = {}) =>
    () =>
      parallel(branches as { a: typeof a }, options as Parameters<typeof parallel>[1] & object)

  test.each([
    ['no branch', made({}), 'needs at least one branch'],
    ['what is no tool', made({ a: {} }), 'is not a tool'],
    ['a label with a slash', made({ 'x/y': a }), 'must not be empty or contain'],
    ['a label with a dot before it', made({ '.ended': a }), "labels that begin with a dot or with 'undo.' are reserved"],
    ['the label of a compensation', made({ 'undo.a': a }), "A step cannot be called 'undo.a'"],
    [
      'a label that is a prototype',
      made(JSON.parse('{"__proto__":1}', (_key, value: unknown) => (value === 1 ? a : value))),
      "A branch cannot be called '__proto__': an object cannot hold a field of that name.",
    ],
    ['an input for no branch', made({ a }, { inputs: { z: () => '' } }), "There is an input for 'z', but no such branch. There are: a."],
    ['an input that is no function', made({ a }, { inputs: { a: 'x' } }), "The input of branch 'a' must be a function"],
    ['a merge that is no function', made({ a }, { merge: 1 }), 'The merge must be a function'],
    ['a join that is not called', made({ a }, { join: all }), 'A join is made by all()'],
    ['a concurrency of 0', made({ a }, { concurrency: 0 }), 'of at least 1, not 0'],
    ['half a branch at a time', made({ a }, { concurrency: 1.5 }), 'of at least 1, not 1.5'],
    ['a quorum of more than there are', made({ a }, { join: quorum({ count: 2 }) }), '2 branches must succeed, but there is only one'],
    ['a schema that is none', made({ a }, { inputSchema: 'x' }), 'must be a Standard Schema or a JSON Schema'],
  ])('with %s is refused', (_what, define, message) => {
    expect(define).toThrow(message)
  })

  test.each([
    ['a share above 1', () => quorum(2), 'quorum({ count: 2 })'],
    ['a share of 0', () => quorum(0), 'above 0'],
    ['no share', () => quorum(Number.NaN), 'above 0'],
    ['a count of 0', () => quorum({ count: 0 }), 'of at least 1'],
    ['a count of a half', () => quorum({ count: 1.5 }), 'of at least 1'],
    ['no time', () => partial({ after: 0 }), 'more than 0'],
    ['an unreadable time', () => partial({ after: 'soon' as '1s' }), 'such as'],
    ['none of a partial', () => partial({ after: '1s', atLeast: 0 }), 'of at least 1'],
    ['no score', () => best(undefined as never), 'best needs a function'],
  ])('a join with %s is refused', (_what, define, message) => {
    expect(define).toThrow(message)
  })
})

describe('the plan', () => {
  test('names the parts, the join and what is made for a branch alone [C5]', () => {
    const whole = parallel({ one: a, two: b }, { join: quorum(0.5), inputs: { two: (input) => input }, concurrency: 1 })
    expect(whole.plan()).toMatchObject({
      kind: 'parallel',
      layer: false,
      order: 'race',
      labels: 'name',
      closedBy: '.ended',
      detail: 'quorum of 1, at most 1 at a time',
      parts: [
        { label: 'one', tool: a, takes: 'input' },
        { label: 'two', tool: b, takes: 'input', adapter: { name: "into 'two'" } },
      ],
    })
  })

  const joins: readonly [Join<JoinKind, unknown>, order: PlanOrder, closedBy: string | undefined, detail: string][] = [
    [all(), 'together', undefined, 'all'],
    [best(() => 1), 'together', '.best', 'best'],
    [first(), 'race', '.ended', 'first'],
    [quorum({ count: 2 }), 'race', '.ended', 'quorum of 2'],
    [partial({ after: '2s', atLeast: 2 }), 'race', '.ended', 'the results after 2000 ms, at least 2'],
  ]

  test.each(joins)('$kind is raced exactly where it leaves branches behind [C5]', (join, order, closedBy, detail) => {
    expect(parallel({ a, b, c }, { join }).plan()).toMatchObject({ order, closedBy, detail })
  })
})

describe('the figures', () => {
  const of = (join: Join<JoinKind, unknown>, concurrency?: number) => parallel({ a, b, c }, { join, concurrency }).estimates

  test('of all: as slow as the slowest, and all must succeed [C6]', () => {
    expect(of(all())).toMatchObject({ latencyMs: 40, p99Ms: 400, costUsd: 0.03, reliability: expect.closeTo(0.9 ** 3, 10) })
  })

  test('of best: as slow as the slowest, and one must succeed [C6]', () => {
    expect(of(best(() => 1))).toMatchObject({ latencyMs: 40, reliability: expect.closeTo(0.999, 10), accuracy: 0.1 })
  })

  test('of first: as fast as the fastest, and one must succeed [C6]', () => {
    expect(of(first())).toMatchObject({ latencyMs: 10, p99Ms: 100, costUsd: 0.03, reliability: expect.closeTo(0.999, 10), accuracy: 0.1 })
  })

  test('of a quorum: so many must succeed [C6]', () => {
    expect(of(quorum({ count: 2 })).reliability).toBeCloseTo(3 * 0.81 * 0.1 + 0.729, 10)
  })

  test('of a partial: no longer than its time [C6]', () => {
    expect(of(partial({ after: 25 }))).toMatchObject({ latencyMs: 25, p99Ms: 25 })
  })

  test('with a limit, branches wait for a place [C6]', () => {
    expect(of(all(), 1)).toMatchObject({ latencyMs: 70 })
    expect(of(all(), 2)).toMatchObject({ latencyMs: 50 })
    expect(parallel({ c, b, a }, { join: first(), concurrency: 2 }).estimates).toMatchObject({ latencyMs: 20 })
  })

  test('say nothing where nothing is known', () => {
    const unknown = tool({ name: 'unknown', description: 'd', execute: () => 1 })
    expect(parallel({ unknown }, { join: first() }).estimates).toEqual({})
  })
})

describe('what is said of the output', () => {
  const count = tool({ name: 'count', description: 'd', outputSchema: z.number(), effect: 'read', execute: () => 1 })
  const list = tool({ name: 'list', description: 'd', outputSchema: z.array(z.string()), effect: 'read', execute: () => ['x'] })
  const properties = { count: { type: 'number' }, list: { type: 'array', items: { type: 'string' } }, a: {} }

  test('an object with the outputs of the branches; all are there only with all [C5]', () => {
    expect(parallel({ count, list, a }).specification.outputSchema).toEqual({
      type: 'object',
      properties,
      required: ['count', 'list', 'a'],
    })
    expect(parallel({ count, list, a }, { join: quorum(0.5) }).specification.outputSchema).toEqual({ type: 'object', properties })
  })

  test('the output of one of them, where one answers', () => {
    expect(parallel({ count, list }, { join: first() }).specification.outputSchema).toEqual({ anyOf: [properties.count, properties.list] })
    expect(parallel({ count, again: count }, { join: best(() => 1) }).specification.outputSchema).toEqual({ type: 'number' })
  })

  test('nothing where branches say nothing, or something merges', () => {
    expect(parallel({ a, b }).specification).not.toHaveProperty('outputSchema')
    expect(parallel({ count, list }, { merge: () => 1 }).specification).not.toHaveProperty('outputSchema')
  })
})

describe('a call', () => {
  test('passes deadline, reviewer and all else on, and has a deadline of its own where it says so [P6]', async () => {
    const clock = fakeClock()
    const slow = tool({ name: 'slow', description: 'd', effect: 'read', execute: (_input, { sleep }) => sleep('1h') })
    const result = await clock.until(parallel({ slow }, { deadline: '2s' }).call('x', { clock, deadline: undefined }))
    expect(result).toMatchObject({ ok: false, error: { code: 'deadline_exceeded' } })
    expect(clock.now() - fakeClock().now()).toBe(2000)
  })

  test('announces one call of the whole and one of each branch [P8] [T12]', async () => {
    const recorder = recordEvents()
    await parallel({ a, b }, { name: 'both' }).call('x', { on: recorder })
    expect(recorder.summary().toSorted()).toEqual([
      'call.finished both',
      'call.finished both/a',
      'call.finished both/b',
      'call.started both',
      'call.started both/a',
      'call.started both/b',
    ])
  })

  test('leaves can be swapped by name', async () => {
    expect(await parallel({ a, b }).call('x', { overrides: { b: () => 'fake' } })).toMatchObject({ value: { a: 'a', b: 'fake' } })
  })
})
