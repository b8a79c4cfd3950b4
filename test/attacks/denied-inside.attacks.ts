import assert from 'node:assert/strict'
import {
  type AgentTool,
  branch,
  cache,
  type CallOptions,
  compound,
  idempotent,
  map,
  memoryJournal,
  parallel,
  pipe,
  type Policy,
  tool,
  when,
} from 'toolwright'
import { z } from 'zod'
import type { Attack } from './attack.ts'

type AnyTool = AgentTool<unknown, unknown>
type Attempts = Readonly<Record<string, () => Promise<void>>>

const inner = tool({ name: 'inner', description: 'd', inputSchema: z.object({ n: z.number() }), effect: 'read', execute: () => ({ n: 2 }) })
const guarded = tool({ name: 'guarded', description: 'd', effect: 'read', permissions: ['secret'], execute: () => 'secret' })
const before = tool({
  name: 'before',
  description: 'd',
  inputSchema: z.object({ n: z.number() }),
  effect: 'read',
  execute: (given) => given,
})
const after = tool({ name: 'after', description: 'd', inputSchema: z.object({ n: z.number() }), effect: 'read', execute: ({ n }) => n })

const WHOLES: Readonly<Record<string, () => AnyTool>> = {
  'a pipe': () => pipe(inner, after) as AnyTool,
  'a pipe whose second step is denied': () => pipe(before, inner) as AnyTool,
  'a parallel': () => parallel({ inner, after }, { name: 'whole' }) as AnyTool,
  'a compound': () =>
    compound({
      name: 'whole',
      description: 'd',
      inputSchema: z.object({ n: z.number() }),
      effect: 'read',
      parts: { inner },
      run: (input, context) => context.call('inner', inner, input),
    }) as AnyTool,
  'a branch': () => branch({ name: 'whole', description: 'd' }, [when(() => true, inner)]) as AnyTool,
  'a leaf that calls it': () =>
    tool({
      name: 'whole',
      description: 'd',
      inputSchema: z.object({ n: z.number() }),
      effect: 'read',
      execute: (input, context) => context.call('inner', inner, input),
    }) as AnyTool,
  'a pipe in a pipe': () => pipe(pipe(inner, after), tool({ name: 'end', description: 'd', effect: 'read', execute: (t) => t })) as AnyTool,
  'idempotent around it': () => pipe(idempotent(inner, { key: () => 'k' }), after) as AnyTool,
  'another cache': () => pipe(cache(inner, { ttl: '1h' }), after) as AnyTool,
}

const VERDICTS: Readonly<Record<string, Policy>> = {
  denies: ({ tool: name }) => (name === 'inner' ? { deny: 'no longer' } : 'allow'),
  'denies later': async ({ tool: name }) => (name === 'inner' ? { deny: 'no longer' } : 'allow'),
  throws: ({ tool: name }) => {
    if (name === 'inner') throw new Error('no longer')
    return 'allow'
  },
}

const ONCE: Readonly<Record<string, () => CallOptions>> = { '': () => ({}), ' in a recorded run': () => ({ journal: memoryJournal() }) }

function denials(): Attempts {
  const rows: Record<string, () => Promise<void>> = {}
  for (const [whole, make] of Object.entries(WHOLES))
    for (const [verdict, policy] of Object.entries(VERDICTS)) {
      rows[`a cache of ${whole}: the policy now ${verdict} the tool inside`] = async () => {
        const kept = cache(make(), { ttl: '1h' })
        assert.equal((await kept.call({ n: 1 }, { policy: () => 'allow' })).ok, true)
        const again = await kept.call({ n: 1 }, { policy })
        assert.match(again.ok ? 'it answered' : again.error.message, /Policy denies tool 'inner'/)
      }
    }
  rows['a cache of a map: the policy now denies an item'] = async () => {
    const kept = cache(map(inner), { ttl: '1h' })
    await kept.call([{ n: 1 }, { n: 7 }], { policy: () => 'allow' })
    const policy: Policy = ({ input }) => ((input as { n?: number }).n === 7 ? { deny: 'no' } : 'allow')
    assert.equal((await kept.call([{ n: 1 }, { n: 7 }], { policy })).ok, false)
  }
  rows['a cache that was filled without a policy: a policy denies the tool inside'] = async () => {
    const kept = cache(pipe(inner, after), { ttl: '1h' })
    await kept.call({ n: 1 })
    assert.equal((await kept.call({ n: 1 }, { policy: VERDICTS['denies'] })).ok, false)
  }
  rows['a cache that was filled from another cache: the policy now denies the tool inside that one'] = async () => {
    const first = cache(pipe(inner, after), { ttl: '1h' })
    const kept = cache(pipe(first, tool({ name: 'end', description: 'd', effect: 'read', execute: (t) => t })), { ttl: '1h' })
    await first.call({ n: 1 }, { policy: () => 'allow' })
    assert.equal((await kept.call({ n: 1 }, { policy: () => 'allow' })).ok, true)
    assert.equal((await kept.call({ n: 1 }, { policy: VERDICTS['denies'] })).ok, false)
  }
  rows['a cache: the policy now asks a person about the tool inside'] = async () => {
    const kept = cache(pipe(inner, after), { ttl: '1h' })
    await kept.call({ n: 1 }, { policy: () => 'allow' })
    let asked = 0
    const policy: Policy = ({ tool: name }) => (name === 'inner' ? 'require_approval' : 'allow')
    const review = { review: () => (asked++, { action: 'reject' as const }) }
    assert.equal((await kept.call({ n: 1 }, { policy, review })).ok, false)
    assert.equal(asked, 1)
  }
  rows['a cache: the policy now denies the tool itself'] = async () => {
    const kept = cache(inner, { ttl: '1h' })
    await kept.call({ n: 1 }, { policy: () => 'allow' })
    assert.equal((await kept.call({ n: 1 }, { policy: VERDICTS['denies'] })).ok, false)
  }
  rows['idempotent: the policy now denies the tool itself'] = async () => {
    const kept = idempotent(inner, { key: () => 'k' })
    await kept.call({ n: 1 }, { policy: () => 'allow' })
    assert.equal((await kept.call({ n: 1 }, { policy: VERDICTS['denies'] })).ok, false)
  }
  for (const [whole, make] of Object.entries(WHOLES))
    for (const [verdict, policy] of Object.entries(VERDICTS))
      for (const [recorded, more] of Object.entries(ONCE)) {
        rows[`idempotent around ${whole}${recorded}: the policy now ${verdict} the tool inside`] = async () => {
          const kept = idempotent(make(), { key: () => 'k' })
          assert.equal((await kept.call({ n: 1 }, { ...more(), policy: () => 'allow' })).ok, true)
          assert.equal((await kept.call({ n: 1 }, { ...more(), policy: () => 'allow' })).ok, true)
          const again = await kept.call({ n: 1 }, { ...more(), policy })
          assert.match(again.ok ? 'it answered' : again.error.message, /Policy denies tool 'inner'/)
        }
      }
  rows['idempotent around a map: the policy now denies an item'] = async () => {
    const kept = idempotent(map(inner), { key: () => 'k' })
    await kept.call([{ n: 1 }, { n: 7 }], { policy: () => 'allow' })
    const policy: Policy = ({ input }) => ((input as { n?: number }).n === 7 ? { deny: 'no' } : 'allow')
    assert.equal((await kept.call([{ n: 1 }, { n: 7 }], { policy })).ok, false)
  }
  rows['idempotent that was called without a policy: a policy denies the tool inside'] = async () => {
    const kept = idempotent(pipe(inner, after), { key: () => 'k' })
    await kept.call({ n: 1 })
    assert.equal((await kept.call({ n: 1 }, { policy: VERDICTS['denies'] })).ok, false)
  }
  rows['idempotent in a cache that was filled from its repeated answer: the policy now denies the tool inside'] = async () => {
    const once = idempotent(pipe(inner, after), { key: () => 'k' })
    const kept = cache(pipe(once, tool({ name: 'end', description: 'd', effect: 'read', execute: (t) => t })), { ttl: '1h' })
    await once.call({ n: 1 }, { policy: () => 'allow' })
    assert.equal((await kept.call({ n: 1 }, { policy: () => 'allow' })).ok, true)
    assert.equal((await kept.call({ n: 1 }, { policy: VERDICTS['denies'] })).ok, false)
  }
  rows['idempotent: the policy now asks a person about the tool inside, and nothing is done again'] = async () => {
    const kept = idempotent(pipe(inner, after), { key: () => 'k' })
    await kept.call({ n: 1 }, { policy: () => 'allow' })
    const policy: Policy = ({ tool: name }) => (name === 'inner' ? 'require_approval' : 'allow')
    const review = { review: () => assert.fail('a person was asked') }
    assert.equal((await kept.call({ n: 1 }, { policy, review })).ok, true)
  }
  rows['idempotent: the permission of the tool inside was taken away'] = async () => {
    const whole = compound({
      name: 'whole',
      description: 'd',
      effect: 'read',
      permissions: [],
      parts: { guarded },
      run: (_input, context) => context.call('guarded', guarded, ''),
    })
    const kept = idempotent(whole, { key: () => 'k' })
    assert.equal((await kept.call('', { principal: { id: 'ada', permissions: ['secret'] } })).ok, true)
    const again = await kept.call('', { principal: { id: 'ada', permissions: [] } })
    assert.equal(!again.ok && again.error.code, 'permission_denied')
  }
  rows['idempotent for everyone: somebody without the permission of an undeclared tool inside asks'] = async () => {
    const whole = tool({
      name: 'whole',
      description: 'd',
      effect: 'read',
      execute: (_input, context) => context.call('guarded', guarded, ''),
    })
    const kept = idempotent(whole, { key: () => 'k', share: 'everyone' })
    assert.equal((await kept.call('', { principal: { id: 'ada', permissions: ['secret'] } })).ok, true)
    const again = await kept.call('', { principal: { id: 'bob', permissions: [] } })
    assert.equal(!again.ok && again.error.code, 'permission_denied')
  }
  rows['idempotent: a run that was refused is resumed under another policy'] = async () => {
    const kept = idempotent(pipe(inner, after), { key: () => 'k' })
    await kept.call({ n: 1 }, { policy: () => 'allow' })
    const journal = memoryJournal()
    const refused = await kept.call({ n: 1 }, { journal, policy: VERDICTS['denies'] })
    const resumed = await kept.call({ n: 1 }, { journal: memoryJournal(journal.entries), policy: () => 'allow' })
    assert.deepEqual([refused.ok, resumed.ok, resumed.text], [false, false, refused.text])
  }
  rows['a shared cache: somebody without the permission of an undeclared tool inside asks'] = async () => {
    const whole = tool({
      name: 'whole',
      description: 'd',
      effect: 'read',
      execute: (_input, context) => context.call('guarded', guarded, ''),
    })
    const kept = cache(whole, { ttl: '1h', share: 'everyone' })
    assert.equal((await kept.call('', { principal: { id: 'ada', permissions: ['secret'] } })).ok, true)
    assert.equal((await kept.call('', { principal: { id: 'bob', permissions: [] } })).ok, false)
  }
  return rows
}

/** The attacks that the code withstood when they were written. */
const HELD: ReadonlySet<string> = new Set([
  'a cache: the policy now denies the tool itself',
  'idempotent: the policy now denies the tool itself',
  'idempotent: the policy now asks a person about the tool inside, and nothing is done again',
  'idempotent: the permission of the tool inside was taken away',
  'a shared cache: somebody without the permission of an undeclared tool inside asks',
])

/** A kept answer is given to a caller to whom a call inside it is denied now. */
export const DENIED_INSIDE_ATTACKS: readonly Attack[] = Object.entries(denials()).map(([name, attempt]): Attack => ({
  name,
  before: HELD.has(name) ? 'held' : 'fell',
  attempt,
}))
