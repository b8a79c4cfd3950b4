import assert from 'node:assert/strict'
import { type AgentTool, cache, type CallOptions, compound, gate, idempotent, pipe, type PolicyVerdict, tool } from 'toolwright'
import { recordingReview } from 'toolwright/testing'
import { z } from 'zod'
import type { Attack } from './attack.ts'

const Input = z.object({ id: z.string() })

/** A tool that says with which input it ran. */
function reading(ran: string[], more: object = {}): AgentTool<{ id: string }, string> {
  return tool({
    name: 'read',
    description: 'd',
    effect: 'read',
    inputSchema: Input,
    ...more,
    execute: ({ id }: { id: string }) => {
      ran.push(id)
      return `it is ${id}`
    },
  }) as AgentTool<{ id: string }, string>
}

type Make = (ran: string[]) => AgentTool<{ id: string }, unknown>

function around(inner: AgentTool<{ id: string }, string>): AgentTool<{ id: string }, unknown> {
  return compound({
    name: 'whole',
    description: 'd',
    effect: 'read',
    inputSchema: Input,
    parts: { inner },
    run: (input, { call }) => call('inner', inner, input),
  }) as AgentTool<{ id: string }, unknown>
}

/** The policy asks a person about each call of `read`. */
const policy = ({ tool: name }: { readonly tool: string }): PolicyVerdict => (name === 'read' ? 'require_approval' : 'allow')

/** Every way in which a reviewer edits the input of a call whose result a layer keeps. */
const CACHES: Readonly<Record<string, readonly [make: Make, options: CallOptions]>> = {
  'a gate': [(ran) => cache(gate(reading(ran)), { ttl: '1m' }), {}],
  'the rule of the tool': [(ran) => cache(reading(ran, { requireApproval: true }), { ttl: '1m' }), {}],
  'the policy': [(ran) => cache(reading(ran), { ttl: '1m' }), { policy }],
  'the policy, inside a compound': [(ran) => cache(around(reading(ran)), { ttl: '1m' }), { policy }],
  'the policy, inside a pipe': [(ran) => cache(pipe(reading(ran)), { ttl: '1m' }), { policy }],
  'the policy, in a cache in a cache': [(ran) => cache(cache(reading(ran), { ttl: '1m' }), { ttl: '1m' }), { policy }],
  'a gate, for everyone': [(ran) => cache(gate(reading(ran)), { ttl: '1m', share: 'everyone' }), {}],
  'a gate, under a key of the author': [(ran) => cache(gate(reading(ran)), { ttl: '1m', key: ({ id }) => id }), {}],
  'a review in code': [
    (ran) => {
      const inner = reading(ran)
      const asks = compound({
        name: 'asks',
        description: 'd',
        effect: 'read',
        inputSchema: Input,
        parts: { inner },
        run: async (input, { call, review }) => {
          const decision = await review({ why: 'Read it?', onEdit: 'return' })
          return call('inner', inner, decision.action === 'edit' && 'input' in decision ? (decision.input as { id: string }) : input)
        },
      })
      return cache(asks as AgentTool<{ id: string }, unknown>, { ttl: '1m' })
    },
    {},
  ],
}

const caches: readonly Attack[] = Object.entries(CACHES).map(([what, [make, options]]) => ({
  name: `a cache gives the result of an input that a reviewer edited at ${what}`,
  // A cache asks the policy again about each call inside, and a request for approval is no consent.
  before: what.includes(' inside ') ? 'held' : 'fell',
  attempt: async () => {
    const ran: string[] = []
    const kept = make(ran)
    const review = recordingReview({ action: 'edit', input: { id: 'mine' } }, { action: 'continue' })
    assert.equal((await kept.call({ id: 'given' }, { ...options, review })).text, 'it is mine')
    assert.equal((await kept.call({ id: 'given' }, { ...options, review })).text, 'it is given')
    assert.deepEqual(ran, ['mine', 'given'])
  },
}))

type Refusal = CallOptions & { readonly code: string }

/** By whom the first call is refused: nothing has run then. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  'a reviewer': { review: recordingReview({ action: 'reject' }), policy, code: 'rejected' },
  'the policy': { policy: ({ tool: name }) => (name === 'read' ? { deny: 'not now' } : 'allow'), code: 'policy_denied' },
  'missing permissions': { principal: { id: 'ann', permissions: [] }, code: 'permission_denied' },
}

const KEYED: Readonly<Record<string, (inner: AgentTool<{ id: string }, string>) => AgentTool<{ id: string }, unknown>>> = {
  'a tool': (inner) => inner,
  'a gate': (inner) => gate(inner, { approval: false }),
  'a compound': around,
  'a pipe': (inner) => pipe(inner),
}

const keys: readonly Attack[] = Object.entries(KEYED).flatMap(([what, make]) => [
  ...Object.entries(REFUSALS).map(([who, { code, ...refused }]): Attack => ({
    name: `a refusal by ${who} occupies the key of ${what}`,
    before: 'held',
    attempt: async () => {
      const ran: string[] = []
      const once = idempotent(make(reading(ran, { effect: 'write', permissions: ['read:it'] })), { key: ({ id }) => id })
      const ann = { id: 'ann', permissions: ['read:it'] }
      const first = await once.call({ id: 'a' }, { principal: ann, ...refused })
      assert.equal(!first.ok && first.error.code, code)
      assert.equal((await once.call({ id: 'a' }, { principal: ann })).text, 'it is a')
      assert.equal((await once.call({ id: 'a' }, { principal: ann })).text, 'it is a')
      assert.deepEqual(ran, ['a'])
    },
  })),
  {
    name: `the key of ${what} runs a second time after an edit`,
    before: 'held',
    attempt: async () => {
      const ran: string[] = []
      const once = idempotent(make(reading(ran, { effect: 'write' })), { key: ({ id }) => id })
      const review = recordingReview({ action: 'edit', input: { id: 'mine' } }, { action: 'continue' })
      assert.equal((await once.call({ id: 'given' }, { policy, review })).text, 'it is mine')
      // The key was used: its answer is the one of the input that ran.
      assert.equal((await once.call({ id: 'given' }, { review })).text, 'it is mine')
      assert.deepEqual(ran, ['mine'])
    },
  },
])

export const KEPT_RESULTS_ATTACKS: readonly Attack[] = [...caches, ...keys]
