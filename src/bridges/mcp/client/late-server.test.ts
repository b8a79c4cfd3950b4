import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { httpClient, listening } from '../../../../test/fixtures/mcp/over-http.ts'
import { createRuntime } from '../../../runtime/create-runtime.ts'
import { fakeClock } from '../../../testing/fake-clock.ts'
import type { AgentTool } from '../../../tool/agent-tool.ts'
import { tool } from '../../../tool/tool.ts'
import { type McpHandler, mcpHandler } from '../http/mcp-handler.ts'
import { connectMcp } from './connect-mcp.ts'
import { connectMcpServers, type McpServers } from './connect-mcp-servers.ts'

const named = (name: string, description = `Says ${name}.`): AgentTool<Record<string, never>, string> =>
  tool({ name, description, inputSchema: z.object({}), effect: 'read', execute: () => name })

/** A server that is started and stopped at one address. */
async function station(): Promise<{
  readonly url: string
  readonly start: (...tools: readonly AgentTool[]) => Promise<McpHandler>
  readonly stop: () => Promise<void>
}> {
  let running: { readonly server: Server; readonly mcp: McpHandler } | undefined
  const listen = (server: Server, port: number): Promise<void> => new Promise((resolve) => server.listen(port, '127.0.0.1', resolve))
  const end = async (server: Server): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  const probe = createServer()
  await listen(probe, 0)
  const { port } = probe.address() as AddressInfo
  await end(probe)
  const stop = async (): Promise<void> => {
    if (running === undefined) return
    await end(running.server)
    await running.mcp.close()
    running = undefined
  }
  onTestFinished(stop)
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    stop,
    start: async (...tools) => {
      const mcp = await mcpHandler({ tools })
      running = { server: createServer(mcp.node), mcp }
      await listen(running.server, port)
      return mcp
    },
  }
}

const namesOf = (provider: { readonly tools: () => readonly AgentTool[] }): readonly string[] => provider.tools().map(({ name }) => name)

describe('a server that is down when the program starts', () => {
  async function down(): Promise<{ up: Awaited<ReturnType<typeof station>>; servers: McpServers; clock: ReturnType<typeof fakeClock> }> {
    const [up, clock] = [await station(), fakeClock()]
    const servers = await connectMcpServers({ late: { url: up.url } }, { clock, random: () => 0.5 })
    onTestFinished(() => servers.close())
    expect(servers.findings()).toMatchObject([{ code: 'unreachable', server: 'late' }])
    return { up, servers, clock }
  }

  test('is tried again in the background, and its tools are offered from then on [T10]', async () => {
    const { up, servers, clock } = await down()
    const runtime = createRuntime({ tools: [named('own'), servers] })
    const served = await mcpHandler({ runtime })
    onTestFinished(() => served.close())
    const client = await httpClient(await listening(served.node), '2025-11-25')
    const listed = async (): Promise<readonly string[]> => (await client.listTools()).tools.map(({ name }) => name)
    await clock.advance(5000)
    expect(await listed()).toEqual(['own'])
    await up.start(named('one'))
    await expect
      .poll(async () => {
        await clock.advance(1000)
        return listed()
      })
      .toEqual(['own', 'late_one'])
    expect(servers.findings()).toEqual([])
  })

  test('is tried again by a call of one of its tools, in the program and through an MCP server', async () => {
    const { up, servers, clock } = await down()
    const runtime = createRuntime({ tools: [servers] })
    const served = await mcpHandler({ runtime })
    onTestFinished(() => served.close())
    const client = await httpClient(await listening(served.node), '2026-07-28')
    await up.start(named('one'))
    expect(await runtime.callByName('other_one', '{}')).toMatchObject({ error: { code: 'unknown_tool' } })
    expect(namesOf(servers)).toEqual([])
    await clock.advance(600)
    expect((await client.callTool({ name: 'late_one', arguments: {} })).content).toEqual([{ type: 'text', text: 'one' }])
    expect(await runtime.callByName('late_one', '{}')).toMatchObject({ ok: true, text: 'one' })
  })

  test('is tried again by a refresh, which fails for none of them', async () => {
    const { up, servers, clock } = await down()
    await servers.refresh()
    expect(namesOf(servers)).toEqual([])
    await up.start(named('one'))
    await clock.advance(900)
    await createRuntime({ tools: [servers] }).refresh()
    expect(namesOf(servers)).toEqual(['late_one'])
  })

  test('is not tried any more after it was closed', async () => {
    const { servers, clock } = await down()
    await servers.close()
    expect(clock.pending()).toBe(0)
  })
})

describe('a server of revision 2026-07-28 that is started anew', () => {
  test('is listened to again: its list is read, and later changes are followed [T10]', async () => {
    const [up, clock] = [await station(), fakeClock()]
    await up.start(named('one'))
    const connection = await connectMcp({ url: up.url, clock })
    onTestFinished(() => connection.close())
    expect(connection.info()?.revision).toBe('2026-07-28')
    const untilNames = async (names: readonly string[]): Promise<void> => {
      await expect
        .poll(async () => {
          await clock.advance(1000)
          return namesOf(connection)
        })
        .toEqual(names)
    }
    await up.stop()
    await clock.advance(3000)
    const anew = await up.start(named('one'), named('two'))
    await untilNames(['one', 'two'])
    await anew.setTools([named('one'), named('three')])
    await untilNames(['one', 'three'])
  })

  test('gets no call of a tool that has changed, not even the first', async () => {
    const [up, clock] = [await station(), fakeClock()]
    await up.start(named('one'))
    const connection = await connectMcp({ url: up.url, clock })
    onTestFinished(() => connection.close())
    const one = connection.tool('one')
    await up.stop()
    await up.start(named('one', 'Says one, and more.'))
    await expect.poll(async () => await one.call({})).toMatchObject({ error: { code: 'tool_changed', outcome: 'not_started' } })
  })
})
