import { describe, expect, test } from 'vitest'
import { found, step } from '../../test/fixtures/plan/planned-tools.ts'
import { first, quorum } from '../combinators/parallel/join.ts'
import { parallel } from '../combinators/parallel/parallel.ts'
import { map } from '../combinators/map/map.ts'
import { pipe } from '../combinators/pipe/pipe.ts'
import { saga } from '../combinators/saga/saga.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import type { Effect } from '../tool/metadata.ts'
import { check } from './check.ts'
import { explain } from './explain.ts'

const act = (name: string, effect: Effect = 'write'): AgentTool<string, string> => step(name, { effect })
const compensated = (name: string) => ({ with: act(`un${name}`, 'irreversible'), class: 'semantic', input: () => name }) as const
const begin = (name = 'order') => saga({ name, description: 'd' })

/** Every step can be undone. */
const undoable = (name = 'order'): AgentTool<string, unknown> =>
  begin(name)
    .step('look', act('look', 'read'))
    .step('pay', act('pay', 'irreversible'), { compensate: compensated('pay') })
    .step('ship', act('ship'), { compensate: compensated('ship') })
    .build()

describe('a step of a saga', () => {
  test('that takes effect and has no compensation is a warning [G1] [C5]', () => {
    const order = begin().step('look', act('look', 'read')).step('pay', act('pay')).step('ship', act('ship')).build()
    expect(check(order).filter(({ code }) => code === 'missing_compensation')).toMatchObject([
      {
        severity: 'warning',
        path: 'order/pay',
        message: "'order/pay' changes something (write) and has no compensation: when 'order' fails, it is not undone.",
        hint: expect.stringContaining('compensate'),
      },
      { path: 'order/ship' },
    ])
  })

  test('with a compensation, or that says that it cannot be undone, is none [G2] [C5]', () => {
    expect(found(undoable(), ['missing_compensation'])).toEqual([])
    const last = begin().step('mail', act('mail', 'irreversible'), { compensate: 'irreversible' }).build()
    expect(found(last, ['missing_compensation'])).toEqual([])
  })

  test('that is a saga undoes itself, also inside a pipeline; an effect beside it does not [G1] [C5]', () => {
    const inner = undoable('inner')
    expect(found(begin('outer').step('in', inner).build(), ['missing_compensation'])).toEqual([])
    expect(found(begin('outer').step('in', pipe(inner)).build(), ['missing_compensation'])).toEqual([])
    const beside = pipe(act('beside'), inner)
    expect(found(begin('outer').step('in', beside).build(), ['missing_compensation'])).toEqual(['warning missing_compensation outer/in'])
  })
})

describe('what cannot be undone in a saga', () => {
  const CODES = ['irreversible_before_fallible'] as const

  test('may stand before what can fail where it is compensated or approved [G2] [C5]', () => {
    expect(found(undoable(), CODES)).toEqual([])
    const approved = begin().step('mail', act('mail', 'irreversible'), { compensate: 'irreversible' }).step('ship', act('ship')).build()
    expect(found(approved, CODES)).toEqual([])
    expect(explain(approved).root.parts[0]?.gated).toBe(true)
    const inside = begin('outer').step('in', undoable('inner')).step('ship', act('ship')).build()
    expect(found(inside, CODES)).toEqual([])
  })

  test('is an error where it is neither [C5]', () => {
    const order = begin()
      .step('pay', act('pay', 'irreversible'))
      .step('ship', act('ship'), { compensate: compensated('ship') })
      .build()
    expect(found(order, CODES)).toEqual(['error irreversible_before_fallible order/pay'])
  })

  test('as its last step counts when something comes after the saga [C5]', () => {
    const order = begin()
      .step('ship', act('ship'), { compensate: compensated('ship') })
      .step('mail', act('mail', 'irreversible'), { compensate: 'irreversible' })
      .build()
    expect(order.effect).toBe('irreversible')
    expect(found(pipe(order, act('later') as AgentTool<unknown, string>), CODES)).toEqual([
      'error irreversible_before_fallible order_then_later/order/mail',
    ])
  })

  test('inside a step that is compensated as a whole is undone with it [C5]', () => {
    const risky = pipe(act('pay', 'irreversible'), act('ship'))
    expect(
      found(
        begin()
          .step('risky', risky, { compensate: compensated('risky') })
          .step('later', act('later'))
          .build(),
        CODES,
      ),
    ).toEqual([])
    expect(found(begin().step('risky', risky).build(), CODES)).toEqual(['error irreversible_before_fallible order/risky/pay'])
  })

  test('makes the saga irreversible, and only that [G2]', () => {
    expect(undoable().effect).toBe('write')
    expect(begin().step('look', act('look', 'read')).build().effect).toBe('read')
    expect(begin().step('a', act('a'), { compensate: 'irreversible' }).build().effect).toBe('irreversible')
  })
})

describe('a race of sagas', () => {
  test('is fine where all that they do is undone [C5]', () => {
    const [a, b] = [undoable('a'), undoable('b')]
    expect(found(parallel({ a, b }, { join: first() }), ['raced_effect'])).toEqual([])
    expect(found(parallel({ a: pipe(a), b }, { join: quorum(1) }), ['raced_effect'])).toEqual([])
    expect(found(map(a), ['raced_effect'])).toEqual([])
  })

  test('is an error where something would stand [C5]', () => {
    const loose = begin('loose').step('pay', act('pay'), { compensate: 'irreversible' }).build()
    expect(found(parallel({ a: undoable('a'), loose }, { join: first(), name: 'race' }), ['raced_effect'])).toEqual([
      'error raced_effect race/loose',
    ])
  })
})

describe('the plan of a saga', () => {
  const timed = (name: string, effect: Effect): AgentTool<string, string> =>
    step(name, { effect, estimates: { latencyMs: 100, p99Ms: 200, reliability: 0.9 } })
  const order = begin()
    .step('pay', timed('pay', 'irreversible'), {
      compensate: { with: timed('refund', 'write'), class: 'semantic', input: ({ stepInput }) => stepInput },
    })
    .step('mail', timed('mail', 'irreversible'), { compensate: 'irreversible' })
    .build()

  test('counts the steps, and not what undoes them [C6]', () => {
    expect(order.estimates).toMatchObject({ latencyMs: 200, p99Ms: 400, reliability: 0.81 })
    const { root } = explain(order)
    expect(root.figures.latencyMs).toMatchObject({ value: 200, isBound: false })
    expect(root.parts.map(({ label, undoes, compensation }) => [label, undoes, compensation])).toEqual([
      ['pay', undefined, 'semantic'],
      ['mail', undefined, 'irreversible'],
      ['undo.pay', 'pay', undefined],
    ])
    const unknown = begin()
      .step('pay', timed('pay', 'write'), { compensate: { with: act('refund'), class: 'semantic', input: () => '' } })
      .build()
    expect(found(unknown, ['unknown_estimates', 'deadline_infeasible'], { deadline: '1s' })).toEqual([])
  })

  test('says and draws what undoes what [C6]', () => {
    const { text, mermaid } = explain(order)
    expect(text).toContain('order (saga)')
    expect(text.split('\n').find((line) => line.includes('─ pay'))).toContain('semantically reversible')
    expect(text.split('\n').find((line) => line.includes('─ mail'))).toContain('cannot be undone')
    expect(text.split('\n').find((line) => line.includes('undo.pay'))).toContain('undoes pay')
    const lines = mermaid.split('\n').map((line) => line.trim())
    expect(lines).toContain('n1 --> n2')
    expect(lines).toContain('n1 -.->|"undone by"| n3')
    expect(lines.filter((line) => line.includes('n2 -->')).length).toBe(0)
  })

  test('needs what its compensations need [G1]', () => {
    const careful = begin()
      .step('pay', act('pay'), {
        compensate: { with: step('refund', { effect: 'write', permissions: ['refund'] }), class: 'semantic', input: () => '' },
      })
      .build()
    expect(careful.permissions).toEqual(['refund'])
    expect(found(careful, ['missing_permission'], { principal: { id: 'p', permissions: [] } })).toContain(
      'error missing_permission order/undo.pay',
    )
  })
})
