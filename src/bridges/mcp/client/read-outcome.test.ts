import { expect, onTestFinished, test } from 'vitest'
import { upstream } from '../../../../test/fixtures/mcp/upstream-program.ts'
import { pipe } from '../../../combinators/pipe/pipe.ts'
import type { AgentTool } from '../../../tool/agent-tool.ts'
import { tool } from '../../../tool/tool.ts'
import { connectMcp } from './connect-mcp.ts'
import type { McpInput } from './mcp-input.ts'

async function reading(name: string): Promise<AgentTool<McpInput>> {
  const up = await connectMcp({ ...upstream('usual'), metadata: { [name]: { effect: 'read' } } })
  onTestFinished(() => up.close())
  return up.tool(name)
}

test('a tool that only reads has failed, and nothing is unknown: whatever it says, also as a step', async () => {
  const fails = await reading('fails')
  const wrong = { why: 'ENOENT: no such file' }
  expect(await fails.call(wrong)).toMatchObject({ error: { class: 'not_found', outcome: 'failed' } })
  const untold = { _meta: { 'toolwright/error': { code: 'not_found' } } }
  expect(await fails.call(untold)).toMatchObject({ error: { code: 'not_found', outcome: 'failed' } })
  const send = tool({ name: 'send', description: 'Sends.', effect: 'write', execute: (text) => text })
  expect(await pipe(fails, send as never).call(wrong as never)).toMatchObject({ error: { outcome: 'failed' } })
})

test('the word of a server of ours about the outcome counts', async () => {
  const told = { _meta: { 'toolwright/error': { code: 'run_pending', outcome: 'unknown' } } }
  expect(await (await reading('fails')).call(told)).toMatchObject({ error: { code: 'run_pending', outcome: 'unknown' } })
})
