import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { gate } from '../combinators/gate/gate.ts'
import { pipe } from '../combinators/pipe/pipe.ts'
import { ToolPipeline } from '../combinators/pipe/tool-pipeline.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import { compound } from '../tool/compound.ts'
import { inSequence } from '../tool/figures.ts'
import { layer } from '../tool/layer.ts'
import type { Effect } from '../tool/metadata.ts'
import { check } from './check.ts'
import { type FindingCode, isSound } from './finding.ts'
import { found, made, step, takes, typed } from '../../test/fixtures/plan/planned-tools.ts'

const sequence = ToolPipeline.of as unknown as (...steps: readonly AgentTool<never, never>[]) => AgentTool<never, never>

describe('a cycle', () => {
  test('is an error where it closes, and the rest is checked all the same [C5]', () => {
    const parts = takes('input', step('risky', { effect: 'write' }))
    const plain = made('around', { parts, order: 'race' })
    const around: AgentTool = {
      ...plain,
      plan: () => ({ ...plain.plan(), parts: [...parts, { label: 'again', tool: again, takes: 'unknown' }] }),
    }
    const again = gate(around)
    const findings = check(around, { deadline: '1s', principal: { id: 'ada', permissions: [] } })
    expect(findings).toContainEqual({
      severity: 'error',
      code: 'cycle',
      path: 'around/again/gated',
      message: "'around' is a part of itself.",
      hint: expect.any(String),
    })
    expect(findings.map(({ code }) => code)).toContain('raced_effect')
  })

  test('is not a tool that stands in several places [C5]', () => {
    const plain = step('plain')
    expect(found(pipe(plain, pipe(plain, gate(plain))), ['cycle'])).toEqual([])
  })
})

describe('a race', () => {
  const raced = (effect: Effect): AgentTool =>
    made('race', { parts: takes('input', gate(step('one', { effect })), step('two')), order: 'race' })

  test('of parts that change something is an error at each of them [C5]', () => {
    expect(found(raced('write'), ['raced_effect'])).toEqual(['error raced_effect race/one'])
    expect(found(pipe(step('a'), raced('irreversible')), ['raced_effect'])).toEqual(['error raced_effect a_then_race/race/one'])
  })

  test('of readers is fine, and so are effects side by side [C5]', () => {
    expect(found(raced('read'), ['raced_effect'])).toEqual([])
    expect(found(made('all', { parts: takes('input', step('one', { effect: 'write' })) }), ['raced_effect'])).toEqual([])
  })
})

describe('a permission', () => {
  const CODES: readonly FindingCode[] = ['missing_permission']
  const read = step('read', { permissions: ['orders:read'] })
  const pay = step('pay', { permissions: ['orders:refund', 'bank:pay'] })
  const whole = pipe(read, gate(pay))

  test('that the principal lacks is an error at the step that needs it [C5]', () => {
    const findings = check(whole, { principal: { id: 'clerk', permissions: ['orders:*'] } }).filter(({ code }) => CODES.includes(code))
    expect(findings).toEqual([
      {
        severity: 'error',
        code: 'missing_permission',
        path: 'read_then_pay/pay/gated',
        message: "'clerk' lacks the permission bank:pay, which 'pay' needs.",
        hint: expect.any(String),
      },
    ])
  })

  test('that the principal holds is not mentioned, and without a principal none is checked [C5]', () => {
    expect(found(whole, CODES, { principal: { id: 'boss', permissions: ['orders:*', 'bank:pay'] } })).toEqual([])
    expect(found(whole, CODES)).toEqual([])
  })

  test('of a compound beyond those of its parts is its own [C5]', () => {
    const guarded = compound({ name: 'guarded', description: 'd', permissions: ['desk:open'], parts: { read }, run: (input) => input })
    expect(found(guarded, CODES, { principal: { id: 'x', permissions: [] } })).toEqual([
      'error missing_permission guarded',
      'error missing_permission guarded/read',
    ])
  })
})

describe('a pipeline that continues on failure', () => {
  const CODES: readonly FindingCode[] = ['continue_into_typed']
  const number = typed('number', { takes: z.object({ n: z.number() }) }) as unknown as AgentTool<{ n: number }, string>
  const first = typed('first', { gives: z.object({ n: z.number() }) }) as unknown as AgentTool<string, { n: number }>
  const build = (last: AgentTool<{ n: number }, string>, strategy: 'FAIL_FAST' | 'CONTINUE_ON_FAILURE', before = first): AgentTool =>
    ToolPipeline.builder().name('whole').description('d').step(before).step(last).errorStrategy(strategy).build()

  test('into a typed step is a warning there, behind layers too [C5]', () => {
    expect(found(build(number, 'CONTINUE_ON_FAILURE'), CODES)).toEqual(['warning continue_into_typed whole/number'])
    expect(found(build(gate(number), 'CONTINUE_ON_FAILURE'), CODES)).toEqual(['warning continue_into_typed whole/number'])
  })

  test('into a string step is fine, and so is one that stops, or whose step cannot fail [C5]', () => {
    expect(found(build(step('text') as never, 'CONTINUE_ON_FAILURE'), CODES)).toEqual([])
    expect(found(build(number, 'FAIL_FAST'), CODES)).toEqual([])
    const certain = typed('first', { gives: z.object({ n: z.number() }) }, { estimates: { reliability: 1 } })
    expect(found(build(number, 'CONTINUE_ON_FAILURE', certain as never), CODES)).toEqual([])
  })
})

describe('an identity', () => {
  const CODES: readonly FindingCode[] = ['duplicate_identity']

  test('of two different tools is an error at the second [C5]', () => {
    const whole = pipe(step('twin'), pipe(step('other'), step('twin')))
    expect(found(whole, CODES)).toEqual(['error duplicate_identity twin_then_other_then_twin/other_then_twin/twin'])
    expect(check(whole)[0]?.message).toBe(
      "'twin_then_other_then_twin/other_then_twin/twin' and 'twin_then_other_then_twin/twin' are two different tools, and both are twin@0.0.0.",
    )
  })

  test('of one tool in several places, behind layers, or in two versions is fine [C5]', () => {
    const twin = step('twin')
    expect(found(pipe(twin, gate(twin), twin), CODES)).toEqual([])
    expect(found(pipe(twin, step('twin', { version: '2.0.0' })), CODES)).toEqual([])
  })
})

describe('estimates', () => {
  const CODES: readonly FindingCode[] = ['unknown_estimates']
  const known = { latencyMs: 10, reliability: 0.9 }

  test('that are unknown are noted once, with the steps [C5]', () => {
    const whole = pipe(step('a', { estimates: known }), gate(step('b')), step('c', { estimates: { latencyMs: 1 } }))
    expect(found(whole, CODES)).toEqual(['note unknown_estimates a_then_b_then_c'])
    expect(check(whole).find(({ code }) => code === 'unknown_estimates')?.message).toBe(
      "Latency or reliability is not known of 'a_then_b_then_c/b/gated', 'a_then_b_then_c/c': sums leave them out.",
    )
  })

  test('that are known, or declared by the whole, are not mentioned [C5]', () => {
    expect(found(pipe(step('a', { estimates: known }), step('b', { estimates: known })), CODES)).toEqual([])
    const said = compound({ name: 'said', description: 'd', estimates: known, parts: { b: step('b') }, run: (input) => input })
    expect(found(said, CODES)).toEqual([])
  })

  test('of a compound whose code alone knows them are asked of the compound [C5]', () => {
    const silent = compound({ name: 'silent', description: 'd', parts: { a: step('a', { estimates: known }) }, run: (input) => input })
    expect(check(pipe(silent)).find(({ code }) => code === 'unknown_estimates')?.message).toContain("not known of 'only_silent/silent':")
  })

  test('of many steps are counted', () => {
    const whole = pipe(step('a'), step('b'), step('c'), step('d'), step('e'))
    expect(check(whole).find(({ code }) => code === 'unknown_estimates')?.message).toContain("e/c' and 2 more: sums")
  })
})

describe('the findings', () => {
  test('come with errors first, then warnings, then notes', () => {
    const wrong = typed('wrong', { takes: z.object({ n: z.number() }) })
    const whole = sequence(
      step('first', { effect: 'irreversible', estimates: { latencyMs: 1, p99Ms: 4 } }) as never,
      wrong,
      step('last', { estimates: { p99Ms: 4 } }) as never,
    )
    expect(check(whole, { deadline: 5 }).map(({ severity }) => severity)).toEqual(['error', 'warning', 'note', 'note'])
  })

  test('of a plain tool that says all of itself are none, and that is sound', () => {
    const plain = step('plain', { estimates: { latencyMs: 1, reliability: 1 } })
    expect(check(plain)).toEqual([])
    expect(isSound([])).toBe(true)
  })

  test('of a tool in many places are told once, at the first of them', () => {
    const wrong = sequence(typed('gives', { gives: z.object({}) }), typed('wrong', { takes: z.object({ n: z.number() }) }))
    const many = made('many', { parts: ['a', 'b', 'c'].map((label) => ({ label, tool: wrong, takes: 'unknown' })) })
    expect(found(many, ['edge_does_not_fit'])).toEqual(['error edge_does_not_fit many/a/wrong n'])
  })

  test('of a layer that changes what is said of a tool follow the layer', () => {
    const flaky = step('flaky', { estimates: { latencyMs: 1, reliability: 0.5 } })
    const saved = layer(flaky, {
      kind: 'save',
      plan: { order: 'one', labels: 'name', closedBy: undefined, figures: () => ({ reliability: 1 }) },
      run: () => 1,
    })
    const pay = step('pay', { effect: 'irreversible' })
    expect(found(pipe(pay, saved), ['irreversible_before_fallible'])).toEqual([])
  })

  test('of what is not a tool are a configuration error', () => {
    expect(() => check('x' as never)).toThrow(expect.objectContaining({ code: 'not_a_tool' }))
  })
})

describe('a large plan', () => {
  test('whose tools stand in a million places is checked at once', () => {
    let wide = pipe(step('one', { effect: 'irreversible', estimates: { latencyMs: 1 } }), step('two'))
    for (let level = 0; level < 40; level++) wide = pipe(wide, wide)
    expect(found(wide, ['deadline_infeasible'], { deadline: '1h' })).toHaveLength(1)
  })

  test('that is nested thousands deep is checked to the bottom', () => {
    let deep = pipe(step('pay', { effect: 'irreversible' }), step('mail'))
    for (let level = 0; level < 5000; level++) deep = ToolPipeline.of(`level_${level}`, 'd', deep)
    const [finding] = check(deep, { deadline: '1s', principal: { id: 'ada', permissions: [] } })
    expect(finding?.code).toBe('irreversible_before_fallible')
    expect(finding?.path.split('/')).toHaveLength(5002)
  })

  test('made of plain sequences keeps its findings when it is taken apart differently', () => {
    const steps = ['a', 'b', 'c', 'd'].map((name, index) => step(name, { effect: index === 1 ? 'irreversible' : 'read' }))
    const [a, b, c, d] = steps as [
      AgentTool<string, string>,
      AgentTool<string, string>,
      AgentTool<string, string>,
      AgentTool<string, string>,
    ]
    const shapes = [pipe(a, b, c, d), pipe(pipe(a, b), pipe(c, d)), pipe(a, pipe(b, c), d), pipe(pipe(pipe(a, b), c), d)]
    for (const shape of shapes) expect(found(shape, ['irreversible_before_fallible']).map((each) => each.split('/').at(-1))).toEqual(['b'])
    expect(shapes.map((shape) => inSequence(shape.plan().parts.map(({ tool: each }) => each.estimates)).latencyMs)).toEqual(
      Array(4).fill(undefined),
    )
  })
})
