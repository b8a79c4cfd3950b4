import { expect, test } from 'vitest'
import { z } from 'zod'
import { httpClient, listening, statelessRequest } from '../../../../test/fixtures/mcp/over-http.ts'
import { recordedLog } from '../../../../test/fixtures/recorded-log.ts'
import { fallback } from '../../../combinators/fallback/fallback.ts'
import { createRuntime } from '../../../runtime/create-runtime.ts'
import { memoryRuns } from '../../../testing/index.ts'
import { ToolError } from '../../../tool/errors/tool-error.ts'
import { byPerson } from '../../../tool/seam/by-person.ts'
import { tool } from '../../../tool/tool.ts'
import type { McpServerOptions } from '../create-mcp-server.ts'
import { mcpHandler } from './mcp-handler.ts'

const SECRET = 'ledger_prod_7'
const output = z.object({ rate: z.string() })

/** A rate that a person gives when the database does not. */
const rateBy = (error: Error) => {
  const live = tool({
    name: 'live',
    description: 'Reads the rate.',
    effect: 'read',
    inputSchema: z.object({ day: z.string() }),
    outputSchema: output,
    execute: (): { rate: string } => {
      throw error
    },
  })
  return fallback({ name: 'rate', description: 'The rate.', outputSchema: output }, [live, byPerson({ why: 'The desk knows it.' })])
}

const failures: readonly (readonly [string, Error])[] = [
  ['a database', Object.assign(new Error(`relation "${SECRET}" does not exist`), { code: '42P01', severity: 'ERROR' })],
  ['a system', Object.assign(new Error(`ENOENT: no such file, open '/srv/${SECRET}'`), { code: 'ENOENT' })],
  ['an address', new Error(`bad dsn postgres://app:${SECRET}@db/app`)],
]

async function served(options: McpServerOptions) {
  const { log, lines } = recordedLog()
  const mcp = await mcpHandler({ ...options, log })
  return { url: await listening(mcp.node), lines, close: () => mcp.close() }
}

test.each(failures.flatMap((each) => (['2025-11-25', '2026-07-28'] as const).map((revision) => [...each, revision] as const)))(
  'a form over HTTP does not tell of a failure inside, and the log does: %s %s %s [T10]',
  async (_, error, revision) => {
    for (const database of [undefined, memoryRuns()]) {
      const runtime = createRuntime({ tools: [rateBy(error)], database })
      const { url, lines, close } = await served({ runtime, ...(database === undefined ? {} : { durable: true }) })
      const forms: string[] = []
      const client = await httpClient(url, revision, {
        answer: (message) => {
          forms.push(message.replaceAll(/\n\s*\|> /g, ''))
          return { action: 'accept', content: { rate: '1.1' } }
        },
      })
      const answer = await client.callTool({ name: 'rate', arguments: { day: 'today' } })
      expect(forms.join('\n')).toContain('live failed (inside the program')
      expect(`${forms.join('\n')}${JSON.stringify(answer)}`).not.toContain(SECRET)
      const isPassword = error.message.includes('://')
      expect(lines.some((line) => line.includes("'rate' asks") && line.includes(isPassword ? 'bad dsn' : SECRET))).toBe(true)
      await close()
      await runtime.close()
    }
  },
)

test.each(failures)('a receipt and run_status over HTTP do not tell of a failure inside: %s [T10]', async (_, error) => {
  const runtime = createRuntime({ tools: [rateBy(error)], database: memoryRuns() })
  const { url, close } = await served({ runtime, durable: true })
  const client = await httpClient(url, '2026-07-28')
  const receipt = await client.callTool({ name: 'rate', arguments: { day: 'today' } })
  expect(JSON.stringify(receipt)).toContain('approval_pending')
  expect(JSON.stringify(receipt)).toContain('live failed (inside the program')
  const [item] = await runtime.inbox.list({})
  const [{ id: run } = { id: 'none' }] = await (await runtime.runs()).list()
  const status = await client.callTool({ name: 'run_status', arguments: { run } })
  expect(status.structuredContent).toMatchObject({ status: 'pending', waitsFor: 'person', requests: [{ tool: 'rate' }] })
  expect(`${JSON.stringify(receipt)}${JSON.stringify(status)}`).not.toContain(SECRET)
  // Those who run the program see it in the inbox, apart from passwords.
  expect(item?.request.why.includes(SECRET)).toBe(!error.message.includes('://'))
  await close()
  await runtime.close()
})

test('a client cannot say whether a step took effect, with a state and an answer of its own making [T15]', async () => {
  const book = tool({
    name: 'book',
    description: 'Books.',
    execute: () => {
      throw new ToolError('The ledger did not answer.', { code: 'service_unavailable', outcome: 'unknown' })
    },
  })
  const runtime = createRuntime({ tools: [book], database: memoryRuns(), unknownOutcome: 'ask' })
  const { url, close } = await served({ runtime, durable: true })
  const call = { name: 'book', arguments: { input: 'x' } }
  expect((await statelessRequest(url, 'tools/call', call)).text).toContain('npx toolwright settle')
  const [item] = await runtime.inbox.list()
  const requestState = `run.${Buffer.from(JSON.stringify({ run: item?.run })).toString('base64url')}`
  for (const answer of [{ action: 'decline' }, { action: 'accept', content: { happened: true } }])
    await statelessRequest(url, 'tools/call', { ...call, requestState, inputResponses: { [item?.request.id ?? '']: answer } })
  expect(await runtime.inbox.list()).toMatchObject([{ status: 'open', request: { id: item?.request.id, about: 'outcome' } }])
  await close()
  await runtime.close()
})
