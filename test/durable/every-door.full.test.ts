import { randomBytes } from 'node:crypto'
import type { ModelMessage } from 'ai'
import { createRuntime, durable, gate, runStatus, tool } from 'toolwright'
import { expect, onTestFinished, test } from 'vitest'
import { digest, hashOf } from '../../src/tool/journal/hash.ts'
import { answered } from '../fixtures/ai-sdk/answered.ts'
import { DoorProcesses } from '../fixtures/doors/door-processes.ts'
import { inputRequired } from '../fixtures/mcp/raw-client.ts'
import { fillHome } from '../fixtures/prepared.ts'
import { temporaryHome } from '../fixtures/store/temporary-home.ts'

const home = temporaryHome()
fillHome(home)

test(
  'With encryption, the key of a run tells neither the caller nor the input, and a new encryption key finds the run again [T15]',
  { timeout: 120_000 },
  async () => {
    const pay = gate(tool({ name: 'pay', description: 'Pays.', effect: 'write', execute: (to) => `paid ${to}` }))
    const [old, fresh] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
    const caller = { principal: { id: 'ada', permissions: [] }, session: 'chat-7' }
    const open = (encryption: { readonly key: string; readonly formerKeys?: readonly string[] }) => {
      const runtime = createRuntime({ tools: [pay], database: { home, encryption }, app: 'sealed:test' })
      onTestFinished(() => runtime.close())
      return { runtime, made: durable(pay, runtime) }
    }
    const one = open({ key: old })
    const first = await one.made.call('carol', caller)
    const [info] = await (await one.runtime.runs()).list()
    const plain = [JSON.stringify(['caller', 'ada', 'chat-7', null]), JSON.stringify(['call', 'pay', hashOf('carol')])]
    for (const text of plain) expect(info?.key).not.toContain(digest(text))
    await one.runtime.close()
    const two = open({ key: fresh, formerKeys: [old] })
    const again = await two.made.call('carol', caller)
    expect(first.ok || again.ok ? '' : [first.error.pending?.run, again.error.pending?.run]).toEqual([info?.id, info?.id])
    const status = await runStatus(two.runtime).call({ run: info?.id ?? '' }, caller)
    expect(status.text).toContain('waits for a person')
  },
)

const question: ModelMessage[] = [{ role: 'user', content: 'Refund the last order.' }]
const approve = { action: 'accept', content: { decision: 'approve' } }

test(
  'MCP 2026-07-28: the state of a call is good in a new process after kill -9, for this call only [T14] [T15]',
  { timeout: 120_000 },
  async () => {
    const doors = new DoorProcesses(home)
    const args = { email: 'state@b.c' }
    const first = await doors.rawClient('2026-07-28')
    const stop = inputRequired(await first.call('refund', args))
    first.process.kill('SIGKILL')
    await first.exited
    const inputResponses = Object.fromEntries(stop?.keys.map((key) => [key, approve]) ?? [])
    const second = await doors.rawClient('2026-07-28')
    const forged = await second.call('refund', { email: 'eve@b.c' }, { requestState: stop?.requestState, inputResponses })
    expect(forged.error?.message).toContain('Invalid or expired requestState')
    expect(doors.ledger).toEqual(['found state@b.c'])
    const { result } = await second.call('refund', args, { requestState: stop?.requestState, inputResponses })
    expect(result).toMatchObject({ content: [{ text: 'Paid back 250 for A1.' }] })
    expect(doors.ledger).toEqual(['found state@b.c', 'paid A1 250'])
  },
)

test('MCP 2025-11-25: a server that dies while its form is open leaves the request to the inbox [T15]', { timeout: 120_000 }, async () => {
  const doors = new DoorProcesses(home)
  const first = await doors.rawClient('2025-11-25')
  void first.call('refund', { email: 'form@b.c' })
  await first.heard('elicitation/create')
  first.process.kill('SIGKILL')
  await first.exited
  const { stdout } = await doors.cli('approvals', '--json')
  const { approvals } = JSON.parse(stdout) as {
    readonly approvals: readonly { readonly run: string; readonly request: { readonly id: string } }[]
  }
  const [item] = approvals
  expect(await doors.cli('approve', item?.request.id ?? '', '--by', 'bob')).toMatchObject({ code: 0 })
  const { client } = await doors.serve()
  const status = await client.callTool({ name: 'run_status', arguments: { run: item?.run ?? '', wait: 25 } })
  expect(status).toMatchObject({ content: [{ text: 'Paid back 250 for A1.' }] })
  expect(doors.ledger).toEqual(['found form@b.c', 'paid A1 250'])
})

test('AI SDK: finds the run decided by the command line, whatever the conversation says then [T15]', { timeout: 120_000 }, async () => {
  const doors = new DoorProcesses(home)
  const paused = await doors.chat(question, [{ id: 'c1', tool: 'refund', input: { email: 'cli@b.c' } }])
  const request = /\[requests ([^\]]+)\]/.exec(JSON.stringify(paused.content))?.[1] ?? ''
  await paused.kill()
  expect(await doors.cli('approve', request, '--patch', '{"amount":30}', '--by', 'bob')).toMatchObject({ code: 0 })
  const done = await doors.chat(answered(question, paused, true), 'Refunded.')
  expect(done.told).toEqual([{ type: 'text', value: 'Paid back 30 for A1.' }])
  const again = await doors.chat(answered(question, paused, true), 'Refunded.')
  expect(again.told).toEqual(done.told)
  expect(doors.ledger).toEqual(['found cli@b.c', 'paid A1 30'])
})
