import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { autoReview } from 'toolwright'
import { expect, onTestFinished, test } from 'vitest'
import { runProgram } from '../../scripts/run-program.ts'
import { nextSteps } from './next-steps.ts'
import { guideTour } from './tour.ts'

test('the tour draws, checks, explains and runs the plan, and counts what a model in between would cost', async () => {
  const lines: string[] = []
  await guideTour({ print: (text) => lines.push(text), review: autoReview() })
  const text = lines.join('\n')
  for (const shown of ['flowchart', 'cannot be undone', 'web_search', '164.989', 'model calls']) expect(text).toContain(shown)
})

test('a tour whose file is rejected writes nothing, and says so', async () => {
  const lines: string[] = []
  await guideTour({ print: (text) => lines.push(text), review: autoReview({ action: 'reject' }) })
  expect(lines.join('\n')).toContain('Nothing was written.')
})

test('every command that is printed at the end works where the reader stands', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'toolwright-tour-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const commands = [...nextSteps.matchAll(/: {2,}(npm .+)$/gm)].map(([, words = '']) => words)
  expect(commands).toHaveLength(3)
  // The package is built and packed by test/docs/commands.full.test.ts, and the project is not written beside this repository.
  const own = commands.map((words) => words.replace('npm run build && npm pack && ', '').replace('../my-tools', join(folder, 'mine')))
  const runs = await Promise.all(own.map((words) => runProgram('bash', ['-c', words])))
  for (const { code, stderr } of runs) expect(code, stderr).toBe(0)
  expect(runs.map(({ stdout }) => stdout)).toEqual([
    expect.stringMatching(/^164\.989$/m),
    expect.stringContaining('calculator'),
    expect.stringContaining('wrote toolwright.config.ts'),
  ])
}, 60_000)

test('the settings for MCP clients that are printed start a server', async () => {
  const settings = JSON.parse(/^ +(\{ "mcpServers".*)$/m.exec(nextSteps)?.[1] ?? '') as {
    readonly mcpServers: Readonly<Record<string, { readonly command: string; readonly args: string[] }>>
  }
  const { command = '', args = [] } = settings.mcpServers['toolwright'] ?? {}
  const client = new Client({ name: 'reader', version: '1.0.0' })
  await client.connect(new StdioClientTransport({ command, args, cwd: tmpdir(), env: process.env as Record<string, string> }))
  const { tools } = await client.listTools()
  await client.close()
  expect(tools.map(({ name }) => name)).toContain('calculator')
}, 60_000)
