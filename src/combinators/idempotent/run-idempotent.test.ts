import { describe, expect, test } from 'vitest'
import { byOrder, codeOf, payments } from '../../../test/fixtures/idempotent/payments.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import type { Metadata } from '../../tool/metadata.ts'
import { tool } from '../../tool/tool.ts'
import { retry } from '../retry/retry.ts'
import { idempotent } from './idempotent.ts'

describe('a failure under a key', () => {
  /** Fails as told, then succeeds. */
  function failing(outcome: 'not_started' | 'failed' | 'unknown', metadata: Metadata = {}) {
    const keys: string[] = []
    const once = idempotent(
      tool({
        name: 'charge',
        description: 'd',
        effect: 'write',
        ...metadata,
        execute: (_input, { idempotencyKey }) => {
          keys.push(idempotencyKey)
          if (keys.length === 1) throw new ToolError('no', { outcome })
          return 'charged'
        },
      }),
      { key: () => 'k' },
    )
    return { once, keys }
  }

  test.each(['not_started', 'failed'] as const)('that is %s frees it: the next call runs [G4]', async (outcome) => {
    const { once, keys } = failing(outcome)
    expect((await once.call('x')).ok).toBe(false)
    expect((await once.call('another input')).text).toBe('charged')
    expect(keys).toHaveLength(2)
  })

  test('whose outcome is unknown stays so: nothing runs again [G4]', async () => {
    const { once, keys } = failing('unknown')
    await once.call('x')
    const again = await once.call('x')
    expect(again).toMatchObject({ error: { code: 'outcome_unknown', outcome: 'unknown', retryable: false } })
    expect(again.ok ? '' : again.error.hint).toMatch(/another key/)
    expect(codeOf(await once.call('another input'))).toBe('idempotency_conflict')
    expect(keys).toHaveLength(1)
  })

  test.each([{ effect: 'read' }, { idempotent: true }, { idempotent: 'keyed' }] as const)(
    'whose outcome is unknown is repeated under the same key where that does no harm: %j [G4]',
    async (metadata) => {
      const { once, keys } = failing('unknown', metadata)
      await once.call('x')
      expect((await once.call('x')).text).toBe('charged')
      expect(keys).toHaveLength(2)
      expect(keys[0]).toBe(keys[1])
    },
  )

  test('of an input that is invalid, a permission that is missing or a policy that denies leaves the key free', async () => {
    const { pay, keys } = payments({ permissions: ['pay'] })
    const once = idempotent(pay, { key: () => 'k' })
    const mayPay = { id: 'ann', permissions: ['pay'] }
    const codes = [
      codeOf(await once.call({ order: 5 } as never, { principal: mayPay })),
      codeOf(await once.call({ order: 'a' })),
      codeOf(await once.call({ order: 'b' }, { principal: mayPay, policy: () => ({ deny: 'not today' }) })),
    ]
    expect(codes).toEqual(['invalid_input', 'permission_denied', 'policy_denied'])
    expect((await once.call({ order: 'c' }, { principal: mayPay })).ok).toBe(true)
    expect(keys).toHaveLength(1)
  })

  test('of the deadline while it ran leaves the outcome open, and those who waited are told', async () => {
    const clock = fakeClock()
    const { pay, keys } = payments({ ms: 1000 })
    const once = idempotent(pay, byOrder)
    const first = once.call({ order: 'a' }, { clock, deadline: 100 })
    const waiting = once.call({ order: 'a' }, { clock, deadline: 5000 })
    expect(codeOf(await clock.until(first))).toBe('deadline_exceeded')
    expect(codeOf(await clock.until(waiting))).toBe('outcome_unknown')
    expect(keys).toHaveLength(1)
  })

  test('of a value that cannot be kept leaves the outcome open: the tool has run', async () => {
    let runs = 0
    const link = idempotent(tool({ name: 'link', description: 'd', execute: () => ({ n: ++runs, url: new URL('http://localhost/') }) }), {
      key: () => 'k',
    })
    const result = await link.call('x')
    expect(result).toMatchObject({ error: { code: 'not_serializable', outcome: 'unknown' } })
    expect(result.text).toContain('$.url')
    expect([codeOf(await link.call('x')), runs]).toEqual(['outcome_unknown', 1])
  })
})

test('two layers with the same key do not undo each other: nothing runs again after an unknown outcome [G4]', async () => {
  let calls = 0
  const pay = tool({
    name: 'pay',
    description: 'd',
    effect: 'irreversible',
    execute: () => {
      calls++
      throw new ToolError('no answer', { class: 'transient', outcome: 'unknown' })
    },
  })
  const options = { key: () => 'k' }
  const twice = idempotent(idempotent(pay, options), options)
  await twice.call('x')
  expect(codeOf(await twice.call('x'))).toBe('outcome_unknown')
  const clock = fakeClock()
  const again = idempotent(retry(idempotent(pay, options)), options)
  expect(codeOf(await clock.until(again.call('y', { clock, idempotencyKey: 'other' })))).toBe('outcome_unknown')
  expect(calls).toBe(2)
})
