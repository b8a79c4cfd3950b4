import { describe, expect, test } from 'vitest'
import { gate } from '../combinators/gate/gate.ts'
import { pipe } from '../combinators/pipe/pipe.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import { tool } from '../tool/tool.ts'
import { ApprovalFlow, type CallIds } from './approval-flow.ts'
import { callIdentity } from './call-identity.ts'
import { ParkedRun, ParkedRuns } from './parked-runs.ts'
import { ToolRun } from './tool-run.ts'

/** A flow, and the calls that were made through it. */
function flowOf(effect: 'read' | 'write' = 'write') {
  const made: string[] = []
  const pay = tool({ name: 'pay', description: 'Pays.', effect, execute: (to) => void made.push(String(to)) })
  const flow = new ApprovalFlow(new ParkedRuns({ expiryMs: 60_000, maxCalls: 10, clock: undefined }), 'unique')
  const identityOf = (id: string, user: string) =>
    callIdentity({ tool: pay, name: 'pay', input: id, toolCallId: id }, { principal: { id: user, permissions: [] }, session: user })
  const ask = (id: string, user: string) => {
    const identity = identityOf(id, user)
    const begin = () => new ParkedRun(identity, { feed: undefined, run: new ToolRun({ begin: (options) => pay.call(id, options) }) })
    return flow.ask(identity, { mayAsk: true, begin })
  }
  const lost = (identity: ReturnType<typeof identityOf>) => flow.ended(identity, identity.key)
  return { flow, made, ask, identityOf, lost }
}

test('many finished calls of one caller do not displace those of another [T15]', async () => {
  const { flow, ask, identityOf, lost } = flowOf()
  await ask('a', 'alice')
  for (let at = 0; at < 1100; at++) await ask(`e${at}`, 'eve')
  expect(flow.parked.get(identityOf('a', 'alice').key)?.run.end).toBeDefined()
  expect(lost(identityOf('a', 'alice'))).toBeUndefined()
})

test('a finished call that was displaced is not made again [T15]', async () => {
  const { flow, made, ask, identityOf, lost } = flowOf()
  for (let at = 0; at < 1001; at++) await ask(`e${at}`, 'eve')
  const first = identityOf('e0', 'eve')
  expect(flow.parked.get(first.key)).toBeUndefined()
  expect(lost(first)).toMatchObject({ code: 'outcome_unknown', outcome: 'unknown' })
  expect(await ask('e0', 'eve')).toBeUndefined()
  expect(made.filter((each) => each === 'e0')).toHaveLength(1)
  expect(lost(identityOf('e1', 'eve'))).toBeUndefined()
})

test('a read that was displaced may be made again', async () => {
  const { flow, ask, identityOf, lost } = flowOf('read')
  for (let at = 0; at < 1001; at++) await ask(`e${at}`, 'eve')
  expect(flow.parked.get(identityOf('e0', 'eve').key)).toBeUndefined()
  expect(lost(identityOf('e0', 'eve'))).toBeUndefined()
})

/** Calls of a tool with an effect before its gate, and a second gate. */
function twoGates(ids: CallIds) {
  const clock = fakeClock()
  const happened: string[] = []
  const leaf = (name: string) => tool({ name, description: 'd', effect: 'write', execute: (to: string) => (happened.push(name), to) })
  const pay = pipe.named({ name: 'pay', description: 'd' })(leaf('look'), gate(leaf('take')), gate(leaf('send')))
  const flow = new ApprovalFlow(new ParkedRuns({ expiryMs: 60_000, maxCalls: 10, clock }), ids)
  const ask = async (toolCallId: string) => {
    const identity = callIdentity({ tool: pay, name: 'pay', input: 'bob', toolCallId }, { session: 's' })
    const begin = () =>
      new ParkedRun(identity, { feed: undefined, run: new ToolRun({ begin: (options) => pay.call('bob', { ...options, clock }) }) })
    return { key: identity.key, shown: await flow.ask(identity, { mayAsk: true, begin }) }
  }
  /** A call whose first gate was approved. */
  const approved = async (toolCallId: string) => {
    const { key, shown } = await ask(toolCallId)
    if (shown === undefined) throw new Error('Nobody is asked.')
    flow.parked.approve(shown, key)
    return { run: shown, key }
  }
  return { flow, clock, happened, ask, approved }
}

describe.each(['unique', 'repeats'] as const)('where ids of calls are %s', (ids) => {
  test('an answer that is sent twice leads the calls that it asks for to the same run [T15]', async () => {
    const { flow, happened, ask, approved } = twoGates(ids)
    const { run, key } = await approved('c1')
    // Both are told to call again.
    expect([await flow.resume(run, key, undefined), await flow.resume(run, key, undefined)]).toEqual([undefined, undefined])
    expect([(await ask('c2')).shown, (await ask('c3')).shown]).toEqual([run, run])
    expect(happened).toEqual(['look', 'take'])
    // An equal call that nobody asked for is another one.
    expect((await ask('c4')).shown).not.toBe(run)
    expect(happened).toEqual(['look', 'take', 'look'])
  })

  test('a call that is made again after its run was withdrawn hears so, once, and begins nothing [T15]', async () => {
    const { flow, clock, happened, ask, approved } = twoGates(ids)
    const { run, key } = await approved('c1')
    expect(await flow.resume(run, key, undefined)).toBeUndefined()
    await clock.advance(60_000)
    const again = await ask('c2')
    expect([again.shown, flow.parked.get(again.key)]).toEqual([undefined, run])
    expect(await flow.resume(run, again.key, undefined)).toMatchObject({ thrown: { code: 'review_timed_out' } })
    expect(happened).toEqual(['look', 'take'])
    expect((await ask('c3')).shown).toBeDefined()
  })
})
