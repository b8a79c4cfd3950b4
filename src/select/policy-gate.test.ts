import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { recordingReview } from '../testing/recording-review.ts'
import { createRuntime } from '../runtime/create-runtime.ts'
import { tool } from '../tool/tool.ts'
import type { PolicyCall } from '../tool/ports/policy.ts'
import { policyGate, type PolicyRule } from './policy-gate.ts'

const call = (input: unknown, rest: Partial<PolicyCall> = {}): PolicyCall => ({
  tool: 'act',
  version: '1',
  effect: 'write',
  input,
  path: 'act',
  principal: { id: 'ada', permissions: [] },
  agent: undefined,
  task: undefined,
  session: 's1',
  ...rest,
})
const judged = (rule: Omit<PolicyRule, 'verdict'>, value: unknown): boolean =>
  policyGate({ rules: [{ ...rule, field: 'x', verdict: 'deny' }] })(call({ x: value })) === 'allow'

describe('policyGate', () => {
  test.each<[string, Omit<PolicyRule, 'verdict'>, readonly unknown[], readonly unknown[]]>([
    [
      'paths',
      { within: ['/srv/data', '/tmp/x'] },
      ['a.txt', './a/../b', '/srv/data', '/srv/data/x', '/tmp/x/y', 'a\\b'],
      ['../x', '/srv/database', '/etc/passwd', 'a/../../x', '..\\..\\x', '~/x', 'file:///etc', 'C:\\x', '//host/x', '%2e%2e/x', 'a\0', 7],
    ],
    [
      'SQL',
      { sqlVerbs: ['select', 'with'] },
      ['select 1', ' SELECT a FROM b;', '(select 1) union (select 2)', 'with a as (select 1) select * from a'],
      [
        'delete from a',
        'select 1; drop table a',
        'with a as (delete from b returning *) select 1',
        '/* */ select 1',
        '/*!50000 update a*/',
        'select 1 into b',
        '',
        ';',
        5,
        'DeLeTe from a',
      ],
    ],
    [
      'recipients',
      { recipients: ['example.com', 'boss@other.org'] },
      ['ada@example.com', 'Ada <ada@EXAMPLE.com>', 'a@example.com, boss@other.org', ['a@example.com', 'b@example.com']],
      [
        'ada@evil.com',
        'a@example.com, b@evil.com',
        'a@evil.com@example.com',
        '"a@evil.com"@example.com',
        'x@sub.example.com',
        'x@example.com.evil.com',
        '',
        'nobody',
        [1],
        'a@evil.com <a@example.com>, <b@evil.com>',
        'a@example.com\nBcc: b@evil.com',
      ],
    ],
    ['amounts', { most: 100 }, [0, 100, '99.5'], [100.01, -1, Number.NaN, Infinity, '1e9', '0x10', '', {}, true, '101']],
  ])('checks %s [S6]', (_what, rule, right, wrong) => {
    for (const value of right) expect(judged(rule, value), String(value)).toBe(true)
    for (const value of wrong) expect(judged(rule, value), String(value)).toBe(false)
  })

  test('no path that is allowed leads outside its folder', () => {
    const part = fc.constantFrom('..', '.', 'a', '/', '\\', '%2e', '~', '', ' ', 'srv', 'data', ':')
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), fc.constantFrom('', '/'), (parts, join) => {
        const path = parts.join(join)
        if (!judged({ within: ['/srv/data'] }, path)) return
        const whole = new URL(path.replaceAll('\\', '/'), 'file:///srv/data/').pathname
        expect(`${whole}/`.startsWith('/srv/data/')).toBe(true)
      }),
    )
  })

  test('the strictest rule counts, the value is not repeated, lists are checked, and a permission lifts a rule [S6]', () => {
    const policy = policyGate({
      rules: [
        { tools: ['act'], field: 'items.*.amount', most: 5, verdict: 'require_approval' },
        { effects: ['irreversible'], verdict: 'deny', reason: 'Nothing that cannot be undone.' },
        { tools: ['pay_*'], verdict: 'require_approval', unless: 'pay:any' },
      ],
    })
    expect(policy(call({ items: [{ amount: 1 }, { amount: 777 }] }))).toEqual({
      requireApproval: "'items.*.amount' must be a number from 0 to 5.",
    })
    expect(policy(call({ items: [{ amount: 777 }] }, { effect: 'irreversible' }))).toEqual({ deny: 'Nothing that cannot be undone.' })
    expect(policy(call({}))).toBe('allow')
    expect(policy(call({}, { tool: 'pay_bill' }))).toMatchObject({ requireApproval: expect.stringContaining('pay_bill') })
    expect(policy(call({}, { tool: 'pay_bill', principal: { id: 'a', permissions: ['pay:*'] } }))).toBe('allow')
  })

  test('calls and sessions have a price, and callers a rate [S6]', () => {
    let time = 0
    const policy = policyGate({
      costs: { act: 2 },
      mostPerCall: 1,
      mostPerSession: 5,
      rates: { '*': { calls: 3, per: '1m' } },
      now: () => time,
    })
    const ask = (rest: Partial<PolicyCall> = {}): unknown => policy(call({}, rest))
    expect([ask(), ask()]).toEqual(Array.from({ length: 2 }, () => ({ requireApproval: 'The call costs 2 dollars, more than 1.' })))
    expect(ask()).toMatchObject({ deny: expect.stringContaining('session') })
    expect(ask({ session: 's2' })).toHaveProperty('requireApproval')
    expect(ask({ session: 's2' })).toMatchObject({ deny: expect.stringContaining('too many') })
    expect(ask({ session: 's2', principal: { id: 'bob', permissions: [] } })).toHaveProperty('requireApproval')
    time = 60_001
    expect(ask({ session: 's2' })).toHaveProperty('requireApproval')
  })

  test('is a policy of a runtime: allow, ask, deny [S6]', async () => {
    const pay = tool({
      name: 'pay',
      description: 'Pays.',
      inputSchema: { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] } as never,
      effect: 'write',
      execute: () => 'paid',
    })
    const policy = policyGate({
      rules: [
        { field: 'amount', most: 10, verdict: 'require_approval' },
        { field: 'amount', most: 100, verdict: 'deny' },
      ],
    })
    const runtime = createRuntime({ tools: [pay], policy, review: recordingReview({ action: 'reject' }) })
    const codes = []
    for (const amount of [5, 50, 500]) {
      const result = await runtime.call(pay, { amount } as never)
      codes.push(result.ok ? 'ok' : result.error.code)
    }
    expect(codes).toEqual(['ok', 'rejected', 'policy_denied'])
    await runtime.close()
  })

  test('wrong rules are refused', () => {
    expect(() => policyGate({ rules: [{ verdict: 'ask' } as never] })).toThrow("must be 'deny' or 'require_approval'")
    expect(() => policyGate({ rules: [{ most: 5, verdict: 'deny' }] })).toThrow('need a field')
    expect(() => policyGate({ rules: [{ field: 'x', verdict: 'deny' }] })).toThrow('needs within')
  })
})
