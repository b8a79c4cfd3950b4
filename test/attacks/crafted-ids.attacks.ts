import assert from 'node:assert/strict'
import { type AgentTool, cache, idempotent, limit, memoryIdempotency, type Principal, tool } from 'toolwright'
import { fakeClock } from 'toolwright/testing'
import { z } from 'zod'
import { memoryOutputs, outputOwner, ownerKey } from '../../src/context/stored-outputs.ts'
import { principalKey } from '../../src/tool/principal-key.ts'
import type { Attack } from './attack.ts'

type AnyTool = AgentTool<unknown, unknown>

const who = (id: string, tenant?: unknown): Principal => ({ id, permissions: [], ...(tenant === undefined ? {} : { tenant }) }) as Principal

/** Callers of whom no two are the same. Some ids are written like the keys of others. */
const CALLERS: readonly (Principal | undefined)[] = [
  undefined,
  ...['', ' ', 'null', 'undefined', 'everyone', 'alice', 'alice ', 'Alice', 'alice\u200b', '#2', '#2 ', '#2 alice', '"alice"', '""'].map(
    (id) => who(id),
  ),
  ...['["alice"]', '[alice', 'alice\nown\nk', 'principal\n"alice"\nown\nk', '\u00e9', 'e\u0301', 'alice\0'].map((id) => who(id)),
  who('alice', 't'),
  who('alice', 'u'),
  who('alice', ['t']),
  who(principalKey(who('alice', 't')) ?? ''),
  who(JSON.stringify(['alice', 't'])),
]

const named = (principal: Principal | undefined): string => (principal === undefined ? 'nobody' : JSON.stringify(principal))

const answers = (): AnyTool =>
  tool({
    name: 'whose',
    description: 'd',
    effect: 'read',
    inputSchema: z.string(),
    execute: (_input, { principal }) => named(principal),
  }) as AnyTool

/** Whether the second caller gets what is kept for the first, or less because of them. */
const STATES: Readonly<Record<string, (one: Principal | undefined, other: Principal | undefined) => Promise<boolean>>> = {
  'a cached answer': async (one, other) => secondGetsFirst(cache(answers(), { ttl: '1h' }), one, other),
  'an answer under an idempotency key': async (one, other) => secondGetsFirst(idempotent(answers(), { key: () => 'k' }), one, other),
  'a limit': async (one, other) => {
    const rules = { by: 'caller', rate: { calls: 1, per: '1h' }, wait: false } as const
    const limited = limit(limit(answers(), rules), rules)
    const clock = fakeClock()
    for (const principal of [one, other])
      if (!(await limited.call('x', { clock, ...(principal === undefined ? {} : { principal }) })).ok) return true
    return false
  },
  'a stored output': async (one, other) => {
    const store = memoryOutputs()
    await store.put('p', { text: 'x' } as never, outputOwner({ principal: one }))
    return (await store.get('p', outputOwner({ principal: other }))) !== undefined
  },
  'the key of an owner': async (one, other) => ownerKey(outputOwner({ principal: one })) === ownerKey(outputOwner({ principal: other })),
}

async function secondGetsFirst(whose: AnyTool, one: Principal | undefined, other: Principal | undefined): Promise<boolean> {
  const stores = { idempotency: memoryIdempotency() }
  const call = async (principal: Principal | undefined): Promise<string> =>
    (await whose.call('x', { stores, ...(principal === undefined ? {} : { principal }) })).text
  await call(one)
  return (await call(other)) !== named(other)
}

/** Ids that were written like the key of a call in a second layer of the same limit, or of nobody. */
const FELL: ReadonlySet<string> = new Set(['nobody', '', '#2 ', 'alice', '#2 alice'])

/** An id that is written like the key of another caller opens or blocks what is theirs. */
export const CRAFTED_ID_ATTACKS: readonly Attack[] = Object.entries(STATES).flatMap(([state, isShared]) =>
  CALLERS.map((one): Attack => ({
    name: `${state} of ${named(one)}`,
    before: state === 'a limit' && FELL.has(one?.id ?? 'nobody') ? 'fell' : 'held',
    attempt: async () => {
      for (const other of CALLERS) if (other !== one) assert.equal(await isShared(one, other), false, named(other))
    },
  })),
)
