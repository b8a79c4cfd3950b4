import type { CallToolResult, Client } from '@modelcontextprotocol/client'
import type { ModelMessage } from 'ai'
import { expect, test } from 'vitest'
import { answered } from '../fixtures/ai-sdk/answered.ts'
import { DoorProcesses } from '../fixtures/doors/door-processes.ts'
import { fillHome } from '../fixtures/prepared.ts'
import { temporaryHome } from '../fixtures/store/temporary-home.ts'

const home = temporaryHome()
fillHome(home)

const question: ModelMessage[] = [{ role: 'user', content: 'Refund the last order.' }]

const call = async (client: Client, name: string, args: Record<string, unknown>): Promise<string> =>
  ((await client.callTool({ name, arguments: args })) as CallToolResult).content.map((part) => ('text' in part ? part.text : '')).join()

test(
  'AI SDK: kill -9 between asking and approving loses nothing, and the effect happens once [T14] [T15]',
  { timeout: 60_000 },
  async () => {
    const doors = new DoorProcesses(home)
    const paused = await doors.chat(question, [{ id: 'c1', tool: 'refund', input: { email: 'a@b.c' } }])
    await paused.kill()
    expect(doors.ledger).toEqual(['found a@b.c'])
    const done = await doors.chat(answered(question, paused, true), 'Refunded.')
    expect(done.told).toEqual([{ type: 'text', value: 'Paid back 250 for A1.' }])
    expect(doors.ledger).toEqual(['found a@b.c', 'paid A1 250'])
  },
)

test(
  'LangGraph: kill -9 between asking and approving loses nothing, and the effect happens once [T14] [T15]',
  { timeout: 60_000 },
  async () => {
    const doors = new DoorProcesses(home)
    const paused = await doors.graph()
    await paused.kill()
    expect(paused.asked).toMatchObject([{ request: { tool: 'pay_back', input: { orderId: 'A1', amount: 250 } } }])
    expect(doors.ledger).toEqual(['found l@c.h'])
    const done = await doors.graph({ id: paused.asked[0]?.id, action: 'edit', patch: { amount: 200 } })
    expect(done.told).toEqual(['Paid back 200 for A1.'])
    expect(doors.ledger).toEqual(['found l@c.h', 'paid A1 200'])
  },
)

test(
  'OpenAI Agents: kill -9 between asking and approving loses nothing, and the effect happens once [T14] [T15]',
  { timeout: 60_000 },
  async () => {
    const doors = new DoorProcesses(home)
    const paused = await doors.agents()
    await paused.kill()
    expect(paused.asked).toMatchObject([{ tool: 'pay_back', input: { orderId: 'A1', amount: 250 } }])
    expect(doors.ledger).toEqual(['found o@a.i'])
    const done = await doors.agents(paused.state)
    expect(done.told).toEqual(['Paid back 250 for A1.'])
    expect(doors.ledger).toEqual(['found o@a.i', 'paid A1 250'])
  },
)

test(
  'MCP: a new server goes on after kill -9, and a person approves by the command line while the client asks [T14] [T15]',
  { timeout: 60_000 },
  async () => {
    const doors = new DoorProcesses(home)
    const first = await doors.serve()
    const receipt = await call(first.client, 'refund', { email: 'm@c.p', password: 'hunter22' })
    expect(receipt).toContain('npx toolwright approve')
    expect(receipt).not.toContain('hunter22')
    const run = /"run":"([^"]+)"/.exec(receipt)?.[1] ?? ''
    const request = /toolwright approve (\S+)/.exec(receipt)?.[1] ?? ''
    await first.kill()
    const { client } = await doors.serve()
    expect(await call(client, 'refund', { email: 'm@c.p', password: 'hunter22' })).toContain(run)
    const asking = call(client, 'run_status', { run, wait: 25 })
    const [approved, waiting] = await Promise.all([doors.cli('approve', request, '--by', 'bob'), asking])
    expect(approved).toMatchObject({ code: 0 })
    expect(waiting).toBe('Paid back 250 for A1.')
    expect(doors.ledger).toEqual(['found m@c.p', 'paid A1 250'])
  },
)
