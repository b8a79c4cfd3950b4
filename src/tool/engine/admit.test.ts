import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { gate } from '../../combinators/gate/gate.ts'
import { recordingReview } from '../../testing/recording-review.ts'
import { compound } from '../compound.ts'
import { tool } from '../tool.ts'

const echo = tool({ name: 'echo', description: 'Says it again.', effect: 'read', execute: (input) => input })

describe('permissions and policy', () => {
  let runs = 0
  const refund = tool({
    name: 'refund',
    description: 'Refunds.',
    inputSchema: z.object({ amount: z.number() }),
    effect: 'write',
    permissions: ['orders:read', 'refunds:write'],
    execute: () => ++runs,
  })
  const clerk = { id: 'clerk', permissions: ['orders:*', 'refunds:write'] }

  test.each([
    ['nobody', undefined, 'No principal was given'],
    ['one who holds only a part', { id: 'guest', permissions: ['orders:read'] }, 'refunds:write'],
    ['one whose wildcard covers something else', { id: 'guest', permissions: ['orders:*', 'refund:*'] }, 'refunds:write'],
  ])('%s is denied, and the tool does not run [T8]', async (_who, principal, said) => {
    runs = 0
    const result = await refund.call({ amount: 1 }, { principal })
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'permission_denied', class: 'authorization', outcome: 'not_started', message: expect.stringContaining(said) },
    })
    expect(runs).toBe(0)
  })

  test('one who holds all is let in, also by a wildcard [T8]', async () => {
    expect(await refund.call({ amount: 1 }, { principal: clerk })).toMatchObject({ ok: true })
  })

  test('a compound needs what its parts need, and says so before any of them runs [T1] [T8]', async () => {
    runs = 0
    const first = tool({ name: 'first', description: 'First.', effect: 'read', execute: () => ++runs })
    const both = compound({
      name: 'both',
      description: 'Both.',
      parts: { first, refund },
      run: async (input, context) => {
        await context.call('first', first, input)
        return context.call('refund', refund, { amount: 1 })
      },
    })
    expect(both).toMatchObject({
      effect: 'write',
      permissions: ['orders:read', 'refunds:write'],
    })
    expect(await both.call('x', { principal: { id: 'guest', permissions: [] } })).toMatchObject({ error: { code: 'permission_denied' } })
    expect(runs).toBe(0)
  })

  test('a policy judges the validated input and may deny or ask for approval [T8]', async () => {
    const seen: unknown[] = []
    const policy = ({ input, tool: name, effect }: { input: unknown; tool: string; effect: string }) => {
      seen.push({ input, name, effect })
      const { amount } = input as { amount: number }
      return amount > 100 ? { deny: 'more than 100' } : amount > 10 ? ({ requireApproval: 'more than 10' } as const) : ('allow' as const)
    }
    const review = recordingReview({ action: 'reject' })
    expect(await refund.call({ amount: 5, extra: 1 } as never, { principal: clerk, policy, review })).toMatchObject({ ok: true })
    expect(seen).toEqual([{ input: { amount: 5 }, name: 'refund', effect: 'write' }])
    expect(await refund.call({ amount: 500 }, { principal: clerk, policy, review })).toMatchObject({
      error: { code: 'policy_denied', class: 'authorization', message: expect.stringContaining('more than 100') },
    })
    expect(review.requests).toEqual([])
    expect(await refund.call({ amount: 50 }, { principal: clerk, policy, review })).toMatchObject({ error: { code: 'rejected' } })
    expect(review.requests).toMatchObject([{ why: 'more than 10', input: { amount: 50 } }])
  })

  test.each([
    ['both', 50, { requireApproval: 'It is Friday' }, 'The policy says: It is Friday. The tool says: 50 is a lot.'],
    ['the policy', 5, { requireApproval: 'It is Friday.' }, 'It is Friday.'],
    ['the policy, without a reason', 5, 'require_approval', "The policy asks for approval before 'pay' runs."],
    ['the policy, without a reason, and the tool', 50, 'require_approval', '50 is a lot.'],
    ['the tool', 50, 'allow', '50 is a lot.'],
  ] as const)('the person reads why %s asks [T14]', async (_who, amount, verdict, why) => {
    const pay = tool({
      name: 'pay',
      description: 'Pays.',
      inputSchema: z.object({ amount: z.number() }),
      requireApproval: { when: (input) => input.amount > 10, why: (input) => `${input.amount} is a lot.` },
      execute: () => 'paid',
    })
    const review = recordingReview()
    expect(await pay.call({ amount }, { policy: () => verdict, review })).toMatchObject({ ok: true })
    expect(review.requests.map((request) => request.why)).toEqual([why])
  })

  test.each([
    [
      'throws',
      () => {
        throw new Error('policy store is down')
      },
    ],
    ['rejects', () => Promise.reject(new Error('policy store is down'))],
    ['says nothing', () => undefined as never],
    ['says nonsense', () => 'maybe' as never],
  ])('a policy that %s denies [T8]', async (_what, policy) => {
    expect(await echo.call('x', { policy })).toMatchObject({ ok: false, error: { code: 'policy_denied' } })
  })

  test('an edit is policed again [T14]', async () => {
    const policy = ({ input }: { input: unknown }) =>
      (input as { amount: number }).amount > 100 ? { deny: 'more than 100' } : ('allow' as const)
    const result = await gate(refund).call(
      { amount: 5 },
      { principal: clerk, policy, review: recordingReview({ action: 'edit', input: { amount: 500 } }) },
    )
    expect(result).toMatchObject({ ok: false, error: { code: 'policy_denied' } })
  })

  test('an edit of a tool that asks for approval itself is policed again too [T14]', async () => {
    const own = tool({ name: 'own', description: 'd', requireApproval: true, execute: (input) => input })
    const policy = ({ input }: { input: unknown }) => (input === 'edited' ? { deny: 'not that' } : ('allow' as const))
    const result = await own.call('x', { policy, review: recordingReview({ action: 'edit', input: 'edited' }) })
    expect(result).toMatchObject({ ok: false, error: { code: 'policy_denied' } })
  })
})
