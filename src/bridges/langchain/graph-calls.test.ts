import { expect, test } from 'vitest'
import { gate } from '../../combinators/gate/gate.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { tool } from '../../tool/tool.ts'
import { ToolRun } from '../tool-run.ts'
import { GraphCalls } from './graph-calls.ts'

const pay = tool({ name: 'pay', description: 'Pays.', effect: 'write', execute: (to) => to })

async function called(step: string, which: AgentTool<string, string> = pay) {
  const run = new ToolRun({ begin: ({ review, signal, on }) => which.call('x', { review, signal, on }) })
  await run.settled()
  return { run, key: `${step}:${which === pay ? 'ended' : 'waits'}`, step, tool: which }
}

test('finished steps do not displace those in which a person was waited for [T15]', async () => {
  const calls = new GraphCalls({ expiryMs: 60_000, maxCalls: 2, clock: undefined })
  const ended = await called('asked')
  const waits = await called('asked', gate(pay))
  calls.keep(ended)
  calls.keep(waits)
  // All of them are one finished call of many steps.
  for (let step = 0; step < 10_500; step++) calls.keep({ ...ended, key: `k${step}`, step: `s${step}` })
  expect(await calls.droppedEffect(ended)).toBe(true)
  expect(await calls.droppedEffect(waits)).toBe(false)
  expect(await calls.droppedEffect({ key: 'k10400', step: 's10400' })).toBe(true)
  expect(calls.droppedEffect({ key: 'k0', step: 's0' })).toBeUndefined()
  expect(calls.droppedEffect({ key: 'k10499', step: 's10499' })).toBeUndefined()
})

test('reads that have ended do not displace a call that waits, and are made again where they were dropped [T15]', async () => {
  const calls = new GraphCalls({ expiryMs: 60_000, maxCalls: 2, clock: undefined })
  const look = tool({ name: 'look', description: 'Looks.', effect: 'read', execute: (at) => at })
  const waits = await called('asked', gate(pay))
  calls.keep(waits)
  const ended = { ...(await called('asked', look)), key: 'read' }
  for (let step = 0; step < 10; step++) calls.ended({ ...ended, key: `k${step}`, step: `s${step}` })
  expect(calls.get(waits.key)).toBe(waits)
  expect([calls.get('k9')?.key, calls.get('k0')]).toEqual(['k9', undefined])
  expect(calls.droppedEffect({ key: 'k0', step: 's0' })).toBeUndefined()
})
