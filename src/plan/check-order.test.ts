import { describe, expect, test } from 'vitest'
import { gate } from '../combinators/gate/gate.ts'
import { pipe } from '../combinators/pipe/pipe.ts'
import { compound } from '../tool/compound.ts'
import { inTurn } from '../tool/figures.ts'
import { tool } from '../tool/tool.ts'
import { check } from './check.ts'
import type { FindingCode } from './finding.ts'
import { found, made, step, takes } from '../../test/fixtures/plan/planned-tools.ts'

describe('an irreversible step', () => {
  const CODES: readonly FindingCode[] = ['irreversible_before_fallible']
  const sure = { reliability: 1 }
  const pay = step('pay', { effect: 'irreversible', estimates: sure })
  const mail = step('mail', { effect: 'write' })
  const certain = step('certain', { estimates: sure })

  test('before one that can fail is an error; an undeclared effect counts as irreversible [C5]', () => {
    expect(check(pipe(pay, mail))[0]).toEqual({
      severity: 'error',
      code: 'irreversible_before_fallible',
      path: 'pay_then_mail/pay',
      message: "'pay_then_mail/pay' cannot be undone, and 'pay_then_mail/mail' after it can fail.",
      hint: expect.stringContaining('gate'),
    })
    const undeclared = tool({ name: 'undeclared', description: 'd', execute: (input) => input })
    expect(found(pipe(undeclared, mail), CODES)).toEqual(['error irreversible_before_fallible undeclared_then_mail/undeclared'])
  })

  test('may stand last, behind a gate, or before what cannot fail [C5]', () => {
    expect(found(pipe(mail, pay), CODES)).toEqual([])
    expect(found(pipe(gate(pay), mail), CODES)).toEqual([])
    expect(found(pipe(pay, certain), CODES)).toEqual([])
    const asks = tool({ name: 'asks', description: 'd', requireApproval: true, execute: (input) => input })
    expect(found(pipe(asks, mail), CODES)).toEqual([])
  })

  test.each([
    ['a predicate', { approval: (text: string) => text.length > 3 }, 'only when (text) => text.length > 3'],
    ['a time-out that approves', { onTimeout: 'continue' }, 'always; it goes on if nobody decides in time'],
  ] as const)('behind a gate with %s is a note that says when a person is asked [C5]', (_what, options, when) => {
    for (const whole of [pipe(gate(pay, options), mail), gate(pipe(pay, mail), options)]) {
      const [finding] = check(whole).filter(({ code }) => code === 'irreversible_before_fallible')
      expect(finding).toMatchObject({ severity: 'note', hint: expect.stringContaining('A gate without a predicate always asks.') })
      expect(finding?.message).toMatch(/after it can fail\. A person approves it .+\.$/)
      expect(finding?.message).toContain(`A person approves it ${when}.`)
    }
  })

  test.each([() => false, (_input: string) => false, () => !1])('behind a gate that never asks is an error: %s [C5]', (approval) => {
    for (const whole of [pipe(gate(pay, { approval }), mail), gate(pipe(pay, mail), { approval })]) {
      const [finding] = check(whole).filter(({ code }) => code === 'irreversible_before_fallible')
      expect(finding).toMatchObject({
        severity: 'error',
        message: expect.stringContaining(`Its gate asks a person never, by ${String(approval)}.`),
      })
    }
    expect(found(pipe(gate(gate(pay, { approval })), mail), CODES)).toEqual([])
  })

  test('behind a gate whose predicate is always true is approved [C5]', () => {
    expect(found(pipe(gate(pay, { approval: () => true }), mail), CODES)).toEqual([])
  })

  test('counts wherever it lies in the tree, and once [C5]', () => {
    expect(found(pipe(pipe(certain, pay), mail), CODES)).toEqual([
      'error irreversible_before_fallible certain_then_pay_then_mail/certain_then_pay/pay',
    ])
    expect(found(pipe(pipe(pay, mail), step('later')), CODES)).toEqual([
      'error irreversible_before_fallible pay_then_mail_then_later/pay_then_mail/pay',
    ])
    expect(found(pipe(pipe(certain, gate(pay)), mail), CODES)).toEqual([])
    const side = made('side', { parts: takes('input', pay, mail) })
    expect(found(pipe(side, mail), CODES)).toEqual(['error irreversible_before_fallible side_then_mail/side/pay'])
    expect(found(side, CODES)).toEqual([])
  })

  test('is approved with the whole when a gate stands before the whole, but only where it does [C5]', () => {
    const inner = pipe(pay, mail)
    expect(found(gate(inner), CODES)).toEqual([])
    expect(found(pipe(gate(inner), mail), CODES)).toEqual([])
    const both = made('both', {
      parts: [
        { label: 'gated', tool: gate(inner), takes: 'input' },
        { label: 'free', tool: inner, takes: 'input' },
      ],
    })
    expect(found(both, CODES)).toEqual(['error irreversible_before_fallible both/free/pay'])
  })

  test('may stand before a fallback that ends in what cannot fail, and not before a sequence of which a part is unknown [C5]', () => {
    const backed = made('backed', { parts: takes('input', mail, certain), figures: inTurn })
    expect(found(pipe(pay, backed), CODES)).toEqual([])
    const doubtful = pipe(certain, mail)
    expect(found(pipe(pay, doubtful), CODES)).toEqual(['error irreversible_before_fallible pay_then_certain_then_mail/pay'])
  })

  test('may stand before a compound that is declared not to fail [C5]', () => {
    const declared = compound({ name: 'declared', description: 'd', estimates: sure, parts: { mail }, run: (input) => input })
    expect(found(pipe(pay, declared), CODES)).toEqual([])
  })

  test('is a compound that says so itself of harmless parts [C5]', () => {
    const graver = compound({ name: 'graver', description: 'd', effect: 'irreversible', parts: { certain }, run: (input) => input })
    expect(found(pipe(graver, mail), CODES)).toEqual(['error irreversible_before_fallible graver_then_mail/graver'])
  })
})
