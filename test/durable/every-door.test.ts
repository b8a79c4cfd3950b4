import type { CallToolResult, Client } from '@modelcontextprotocol/client'
import type { ModelMessage } from 'ai'
import { expect, test } from 'vitest'
import { answered } from '../fixtures/ai-sdk/answered.ts'
import { DoorProcesses, HTTP_TOKEN } from '../fixtures/doors/door-processes.ts'
import { httpClient, statelessRequest } from '../fixtures/mcp/over-http.ts'
import { fillHome } from '../fixtures/prepared.ts'
import { temporaryHome } from '../fixtures/store/temporary-home.ts'

const home = temporaryHome()
fillHome(home)

const question: ModelMessage[] = [{ role: 'user', content: 'Refund the last order.' }]

const call = async (client: Client, name: string, args: Record<string, unknown>): Promise<string> =>
  ((await client.callTool({ name, arguments: args })) as CallToolResult).content.map((part) => ('text' in part ? part.text : '')).join()

test(
  'AI SDK: kill -9 between asking and approving loses nothing, and the effect happens once [T14] [T15] [O5]',
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

test(
  'MCP over HTTP, 2026-07-28: the state names the run, and another instance goes on after kill -9 [T14] [T15] [X6]',
  { timeout: 60_000 },
  async () => {
    const doors = new DoorProcesses(home)
    const [first, second] = await Promise.all([doors.serveHttp(), doors.serveHttp()])
    const wanted = { name: 'refund', arguments: { email: 'h@t.p', password: 'hunter22' } }
    const request = async ({ url }: { readonly url: string }, params: Record<string, unknown>) =>
      (await statelessRequest(url, 'tools/call', params, { authorization: `Bearer ${HTTP_TOKEN}` })).message
    const asked = (await request(first, wanted))?.result
    const [key = ''] = Object.keys((asked?.['inputRequests'] as object | undefined) ?? {})
    await first.kill()
    expect(doors.ledger).toEqual(['found h@t.p'])
    const requestState = asked?.['requestState']
    const approval = { requestState, inputResponses: { [key]: { action: 'accept', content: { decision: 'approve' } } } }
    const others = { ...wanted, arguments: { email: 'e@v.e' } }
    expect(await request(second, { ...others, ...approval })).toHaveProperty('error')
    const done = (await request(second, { ...wanted, ...approval }))?.result
    expect(done).toMatchObject({ content: [{ text: 'Paid back 250 for A1.' }] })
    const again = (await request(second, { ...wanted, ...approval }))?.result
    expect(again).toMatchObject({ content: [{ text: 'Paid back 250 for A1.' }] })
    expect(doors.ledger).toEqual(['found h@t.p', 'paid A1 250'])
  },
)

test.each(['2025-11-25', '2026-07-28'] as const)(
  'MCP over HTTP, %s: a client without forms gets a receipt, and another instance tells the result after kill -9 [T14] [T15]',
  { timeout: 60_000 },
  async (revision) => {
    const doors = new DoorProcesses(home)
    const [first, second] = await Promise.all([doors.serveHttp(), doors.serveHttp()])
    const wanted = { email: `${revision}@c.p`, password: 'hunter22' }
    const receipt = await call(await httpClient(first.url, revision, { token: HTTP_TOKEN }), 'refund', wanted)
    expect(receipt).not.toContain('hunter22')
    const run = /"run":"([^"]+)"/.exec(receipt)?.[1] ?? ''
    const request = /toolwright approve (\S+)/.exec(receipt)?.[1] ?? ''
    await first.kill()
    const client = await httpClient(second.url, revision, { token: HTTP_TOKEN })
    expect(await call(client, 'refund', wanted)).toContain(run)
    const [approved, told] = await Promise.all([
      doors.cli('approve', request, '--by', 'bob'),
      call(client, 'run_status', { run, wait: 25 }),
    ])
    expect(approved).toMatchObject({ code: 0 })
    expect(told).toBe('Paid back 250 for A1.')
    expect(doors.ledger).toEqual([`found ${wanted.email}`, 'paid A1 250'])
  },
)
