import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { gate } from '../combinators/gate/gate.ts'
import { loop } from '../combinators/loop/loop.ts'
import { map } from '../combinators/map/map.ts'
import { parallel } from '../combinators/parallel/parallel.ts'
import { quorum } from '../combinators/parallel/join.ts'
import { into } from '../combinators/pipe/into.ts'
import { pipe } from '../combinators/pipe/pipe.ts'
import type { AnySchema } from '../schema/schema-types.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import type { Metadata } from '../tool/metadata.ts'
import { tool } from '../tool/tool.ts'
import { check } from './check.ts'

function found(given: AgentTool<never, unknown>): readonly string[] {
  return check(given)
    .filter(({ code }) => code !== 'unknown_estimates')
    .map(({ severity, code, path }) => `${severity} ${code} ${path}`)
}

function step(name: string, metadata: Metadata): AgentTool<string, string> {
  return tool({ ...metadata, name, description: 'd', execute: (input) => input })
}

const SURE = { reliability: 1 }
const pay = step('pay', { effect: 'irreversible' })
const surePay = step('sure_pay', { effect: 'irreversible', estimates: SURE })
const write = step('write', { effect: 'write' })
const read = step('read', { effect: 'read' })
const turns = { until: () => true, maxTurns: 3 }

describe('a step that cannot be undone and can fail', () => {
  test('is an error in a loop: a later turn may fail when the first has done its work [C5]', () => {
    expect(found(loop(pay, turns))).toEqual(['error irreversible_before_fallible loop_pay/turn'])
    expect(check(loop(pay, turns))[0]?.message).toBe(
      "'loop_pay/turn' cannot be undone, and it runs again after that, and then it can fail.",
    )
    expect(found(loop(pipe(read, surePay), turns))).toEqual(['error irreversible_before_fallible loop_read_then_sure_pay/turn/sure_pay'])
  })

  test('is an error in map, unless failures are collected [C5]', () => {
    expect(found(map(pay))).toEqual(['error irreversible_before_fallible map_pay/item'])
    expect(found(map(pay, { onFailure: 'collect' }))).toEqual([])
    expect(found(map(pay, { maxItems: 1 }))).toEqual([])
  })

  test('is told once, and not where it runs once, is gated, or cannot fail [C5]', () => {
    expect(found(pipe(loop(pay, turns), read))).toEqual(['error irreversible_before_fallible loop_pay_then_read/loop_pay/turn'])
    expect(found(loop(pay, { ...turns, maxTurns: 1 }))).toEqual([])
    expect(found(loop(gate(pay), turns))).toEqual([])
    expect(found(gate(loop(pay, turns)))).toEqual([])
    expect(found(loop(surePay, turns))).toEqual([])
    expect(found(loop(read, turns))).toEqual([])
  })
})

test('an adapter after a step that cannot be undone is a warning: it may throw [C5]', () => {
  const last = step('last', { effect: 'read', estimates: SURE })
  const whole = pipe(
    surePay,
    into(({ text }) => text, last, { name: "'its text'" }),
  )
  expect(check(whole).filter(({ code }) => code === 'irreversible_before_fallible')).toEqual([
    expect.objectContaining({
      severity: 'warning',
      path: 'sure_pay_then_last/sure_pay',
      message: "'sure_pay_then_last/sure_pay' cannot be undone, and the adapter 'its text' after it is a function that may throw.",
    }),
  ])
  expect(found(pipe(surePay, last))).toEqual([])
})

test('items that write are cancelled half-way when another fails: a warning, unless none can be [C5]', () => {
  expect(found(map(write))).toEqual(['warning raced_effect map_write/item'])
  expect(found(map(write, { onFailure: 'collect' }))).toEqual([])
  expect(found(map(write, { concurrency: 1 }))).toEqual([])
  expect(found(map(step('sure', { effect: 'write', estimates: SURE })))).toEqual([])
})

describe('a list for map', () => {
  const list = (schema: AnySchema): AgentTool<string, string[]> =>
    tool({ name: 'list', description: 'd', outputSchema: schema, effect: 'read', execute: () => [] }) as never

  test('that may be longer than map takes is a note [C5]', () => {
    const whole = pipe(list(z.array(z.string())), map(read))
    expect(check(whole)).toContainEqual(
      expect.objectContaining({
        severity: 'note',
        code: 'edge_unknown',
        path: 'list_then_map_read/map_read',
        message: expect.stringContaining('the list may have more than 1000 items, and then it is refused'),
      }),
    )
    expect(found(pipe(list(z.array(z.string()).max(1000)), map(read)))).toEqual([])
    expect(found(pipe(list(z.array(z.string()).max(20)), gate(map(read, { maxItems: 10 }))))).toHaveLength(1)
  })
})

describe('branches that share an input', () => {
  const wants = (name: string, field: z.ZodType): AgentTool<never, unknown> =>
    tool({ name, description: 'd', inputSchema: z.object({ q: field }), effect: 'read', execute: () => 1 }) as never
  const both = (one: z.ZodType, other: z.ZodType, count = 2): AgentTool<never, unknown> =>
    parallel({ a: wants('one', one), b: wants('other', other) } as never, { name: 'both', join: quorum({ count }) }) as never

  test('and contradict each other are an error: no input ever passes [C5]', () => {
    expect(found(both(z.string(), z.number()))).toContain('error unsatisfiable_input both')
    expect(check(both(z.string(), z.number())).find(({ code }) => code === 'unsatisfiable_input')?.message).toBe(
      "No input satisfies all parts of 'both' ('a', 'b'): what they ask for contradicts each other.",
    )
    expect(found(both(z.number().min(5), z.number().max(4)))).toContain('error unsatisfiable_input both')
    expect(found(both(z.number().min(5), z.number().max(5)))).toEqual([])
    expect(found(both(z.int().min(5), z.int().max(4)))).toContain('error unsatisfiable_input both')
  })

  test('are a warning where some are enough, and nothing where they agree [C5]', () => {
    expect(found(both(z.string(), z.number(), 1))).toContain('warning unsatisfiable_input both')
    expect(found(both(z.string(), z.string().min(2)))).toEqual([])
  })
})
