import type { ModelMessage } from 'ai'
import { expect, test } from 'vitest'
import { answered } from '../fixtures/ai-sdk/answered.ts'
import { DoorProcesses } from '../fixtures/doors/door-processes.ts'
import { inputRequired } from '../fixtures/mcp/raw-client.ts'
import { fillHome } from '../fixtures/prepared.ts'
import { temporaryHome } from '../fixtures/store/temporary-home.ts'

const home = temporaryHome()
fillHome(home)

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
    expect(forged.error?.message).toContain('other arguments')
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
