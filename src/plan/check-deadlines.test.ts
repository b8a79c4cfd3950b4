import { describe, expect, test } from 'vitest'
import { gate } from '../combinators/gate/gate.ts'
import { makePipeline } from '../combinators/pipe/make-pipeline.ts'
import { pipe } from '../combinators/pipe/pipe.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import { combinator } from '../tool/combinator.ts'
import { compound } from '../tool/compound.ts'
import type { Duration } from '../tool/duration.ts'
import { inTurn, repeated, sideBySide } from '../tool/figures.ts'
import { stringInput } from '../tool/input/string-input.ts'
import type { Metadata } from '../tool/metadata.ts'
import { check } from './check.ts'
import type { FindingCode } from './finding.ts'
import { found, made, step, takes } from '../../test/fixtures/plan/planned-tools.ts'

describe('a deadline', () => {
  const CODES: readonly FindingCode[] = ['deadline_infeasible']
  const slow = (name: string, latencyMs: number, p99Ms?: number): AgentTool<string, string> =>
    step(name, { estimates: { latencyMs, p99Ms } })

  test('below the sum of a sequence is an error, with both figures and the slowest steps [C5]', () => {
    const whole = pipe(slow('a', 200), pipe(slow('b', 3000), slow('c', 100)), slow('d', 1500))
    const [finding] = check(whole, { deadline: '4s' })
    expect(finding).toMatchObject({
      severity: 'error',
      code: 'deadline_infeasible',
      path: 'a_then_b_then_c_then_d',
      message:
        "'a_then_b_then_c_then_d' takes 4.8 s by its estimates, and the deadline is 4 s. The slowest: 'a_then_b_then_c_then_d/b_then_c/b' 3 s, 'a_then_b_then_c_then_d/d' 1.5 s, 'a_then_b_then_c_then_d/a' 200 ms.",
    })
    expect(found(whole, CODES, { deadline: '5s' })).toEqual([])
    expect(found(whole, CODES)).toEqual([])
  })

  test('goes by the critical path: the slowest branch, the first of a fallback, every round of a loop [C5]', () => {
    const side = made('side', { parts: takes('input', slow('short', 100), slow('long', 900)) })
    const turn = made('turn', { parts: takes('input', slow('first', 50), slow('second', 5000)), figures: inTurn })
    const loop = made('loop', { parts: takes('input', gate(slow('round', 100))), figures: ([once = {}]) => repeated(once, 5) })
    const whole = pipe(side, turn, loop)
    expect(found(whole, CODES, { deadline: 1450 })).toEqual([])
    const [finding] = check(whole, { deadline: 1449 })
    expect(finding?.message).toContain(
      "takes 1.45 s by its estimates, and the deadline is 1.45 s. The slowest: 'side_then_turn_then_loop/side/long' 900 ms, 'side_then_turn_then_loop/loop/round' 500 ms, 'side_then_turn_then_loop/turn/first' 50 ms.",
    )
  })

  test('names only steps that the time of the whole depends on', () => {
    const side = made('side', { parts: takes('input', slow('short', 100), slow('long', 900)) })
    expect(check(side, { deadline: 500 })[0]?.message).toMatch(/The slowest: 'side\/long' 900 ms\.$/)
  })

  test('that only the p99 exceeds is a warning [C5]', () => {
    const whole = pipe(slow('a', 100, 700), slow('b', 100, 400))
    expect(found(whole, CODES, { deadline: '1s' })).toEqual(['warning deadline_infeasible a_then_b'])
    expect(check(whole, { deadline: '1s' })[0]?.message).toContain('1.1 s')
    expect(found(whole, CODES, { deadline: 1100 })).toEqual([])
  })

  test('of a tool itself holds for it wherever it stands [C5]', () => {
    const hurried = step('hurried', { deadline: '50ms', estimates: { latencyMs: 80 } })
    expect(found(pipe(step('a'), gate(hurried)), CODES)).toEqual(['error deadline_infeasible a_then_hurried/hurried/gated'])
    expect(found(hurried, CODES, { deadline: '1s' })).toEqual(['error deadline_infeasible hurried'])
  })

  test('says that a sum is a lower bound, and how long a tool takes that declares it', () => {
    const said = compound({ name: 'said', description: 'd', parts: { a: step('a') }, estimates: { latencyMs: 500 }, run: (input) => input })
    const [finding] = check(pipe(said, step('unknown')), { deadline: 400 })
    expect(finding?.message).toBe(
      "'said_then_unknown' takes at least 500 ms by its estimates, and the deadline is 400 ms. The slowest: 'said_then_unknown/said' 500 ms.",
    )
  })

  test('that cannot be read is a configuration error', () => {
    expect(() => check(step('a'), { deadline: 'soon' as never })).toThrow(expect.objectContaining({ code: 'invalid_option' }))
  })
})

describe('a step of a pipeline', () => {
  const CODES: readonly FindingCode[] = ['deadline_infeasible']
  const slow = (name: string, p99Ms: number, more: Metadata = {}): AgentTool<string, string> =>
    step(name, { ...more, estimates: { p99Ms } })

  test('whose p99 is above the whole deadline is an error: it is never begun [C5]', async () => {
    const whole = pipe(step('a'), slow('b', 2000))
    expect(found(whole, CODES, { deadline: '1s' })).toEqual(['error deadline_infeasible a_then_b/b'])
    expect(check(whole, { deadline: '1s' })[0]?.message).toBe(
      "'a_then_b/b' is never begun: it may take 2 s (its p99), and the deadline is 1 s.",
    )
    expect(await whole.call('x', { deadline: '1s' })).toMatchObject({ ok: false, error: { code: 'deadline_exceeded' } })
    expect(found(whole, CODES, { deadline: '2s' })).toEqual([])
  })

  test('counts by the shortest deadline around it, and by the default where there is none [C5]', () => {
    const hurried = made('hurried', { parts: takes('input', pipe(step('a'), slow('b', 2000))) })
    const limited = combinator({
      name: 'limited',
      description: 'd',
      deadline: '1s',
      input: stringInput,
      plan: {
        kind: 'made',
        order: 'together',
        labels: 'name',
        closedBy: undefined,
        layer: false,
        figures: sideBySide,
        parts: takes('input', pipe(step('a'), slow('b', 2000))),
      },
      run: () => 1,
    })
    expect(found(hurried, CODES)).toEqual([])
    expect(found(limited, CODES)).toContain('error deadline_infeasible limited/a_then_b/b')
    expect(found(pipe(step('a'), slow('b', 61_000)), CODES)).toEqual(['warning deadline_infeasible a_then_b/b'])
  })

  test('is fine outside of a pipeline: nobody else refuses it [C5]', () => {
    const side = made('side', { parts: takes('input', slow('b', 2000)) })
    expect(found(side, CODES, { deadline: '1s' })).toEqual(['warning deadline_infeasible side'])
  })
})

describe('a plan without a deadline', () => {
  const slow = (name: string): AgentTool<string, string> => step(name, { estimates: { latencyMs: 30_000 } })

  test('is a warning where it takes longer than calls have by default [C5]', () => {
    const whole = pipe(slow('a'), slow('b'), slow('c'))
    const hurried = (deadline: Duration): AgentTool =>
      makePipeline(
        ['a', 'b', 'c'].map((name) => ({ tool: slow(name) })),
        { deadline },
      )
    expect(check(whole)).toContainEqual(
      expect.objectContaining({
        severity: 'warning',
        code: 'deadline_infeasible',
        path: 'a_then_b_then_c',
        message: expect.stringContaining('takes 1 m 30 s by its estimates, and a call without a deadline has 1 m 00 s, the default.'),
      }),
    )
    expect(found(pipe(slow('a'), slow('b')), ['deadline_infeasible'])).toEqual([])
    expect(found(whole, ['deadline_infeasible'], { deadline: '2m' })).toEqual([])
    expect(found(hurried('2m'), ['deadline_infeasible'])).toEqual([])
    expect(found(hurried('80s'), ['deadline_infeasible'])).toEqual(['error deadline_infeasible a_then_b_then_c'])
  })
})
