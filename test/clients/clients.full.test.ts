import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installFolder, versionsIn } from '../../scripts/install-folder.ts'
import { runProgram } from '../../scripts/run-program.ts'
import { fillHome } from '../fixtures/prepared.ts'
import { temporaryHome } from '../fixtures/store/temporary-home.ts'
import { succeeded } from '../package/installed-package.ts'
import type { Driven } from './drive.ts'

/** What each client can do: whether it tells the server that a call is given up, and whether it shows forms to its user. */
const CLIENTS = [
  { client: 'sdk-v1', name: '@modelcontextprotocol/sdk', cancels: true, forms: true, values: true, progress: true, follows: true },
  {
    client: 'inspector',
    name: '@modelcontextprotocol/inspector',
    cancels: true,
    forms: false,
    values: true,
    progress: false,
    follows: false,
  },
  { client: 'langchain', name: '@langchain/mcp-adapters', cancels: true, forms: false, values: true, progress: true, follows: false },
  { client: 'openai-agents', name: '@openai/agents', cancels: true, forms: false, values: true, progress: false, follows: true },
  { client: 'mastra', name: '@mastra/mcp', cancels: true, forms: true, values: true, progress: true, follows: false },
  { client: 'ai-sdk', name: '@ai-sdk/mcp', cancels: false, forms: true, values: true, progress: false, follows: true },
  { client: 'mcp-client', name: 'mcp-client', cancels: true, forms: false, values: true, progress: true, follows: true },
]

let folder: string
const home = temporaryHome('home')
const matrix: string[] = []

beforeAll(async () => {
  const problem = await installFolder(import.meta.dirname, 'MCP clients, about 400 MB,')
  if (problem !== undefined) throw new Error(problem)
  folder = await mkdtemp(join(tmpdir(), 'toolwright-clients-'))
  fillHome(home)
}, 900_000)
afterAll(async () => {
  console.log(
    [
      '| client | lists | calls | gets the value | errors | progress | cancels | a tool that came later | asks its user | polls a durable run |',
      '|---|---|---|---|---|---|---|---|---|---|',
      ...matrix,
    ].join('\n'),
  )
  await rm(folder, { recursive: true, force: true })
})

describe.each(CLIENTS)('$name', ({ client, name, cancels, forms, values, progress, follows }) => {
  let driven: Driven
  let noted: string

  beforeAll(async () => {
    const file = join(folder, client)
    const { stdout } = succeeded(await runProgram('node', [join(import.meta.dirname, 'drive.ts'), client, file, home], { env: QUIET }))
    driven = JSON.parse(/^driven: (.*)$/m.exec(stdout)?.[1] ?? '') as Driven
    noted = await readFile(file, 'utf8')
    const { called, failed, cancelled, approved, status } = driven
    const [hasValue, hasProgress] = [called.value !== undefined, driven.reports > 0]
    const some = [driven.names.length > 0, !called.failed, hasValue, failed.failed, hasProgress, cancelled]
    const cells = [...some, driven.follows, approved !== undefined, !status.failed]
    const version = versionsIn(import.meta.dirname)[name]
    matrix.push(`| \`${name}\` ${version} | ${cells.map((can) => (can ? 'yes' : 'no')).join(' | ')} |`)
  }, 120_000)

  test('lists the tools', () => {
    expect(driven.names).toEqual(['find_order', 'pay', 'fails', 'hangs', 'counts', 'grows'])
  })

  test('calls a tool and gets its value', () => {
    expect(driven.called.failed).toBe(false)
    expect(driven.called.text).toContain('order-of-ada@example.com')
  })

  test('gets a failure as one, with its message', () => {
    expect(driven.failed).toMatchObject({ failed: true, text: expect.stringContaining('the disk is full') })
  })

  test('gets the value beside the text, reports of progress, and a list that has changed, if it can', () => {
    const { called, reports, follows: isFollowed } = driven
    expect({ values: called.value !== undefined, progress: reports > 0, follows: isFollowed }).toEqual({ values, progress, follows })
    expect(called.value).toEqual(values ? { id: 'order-of-ada@example.com', total: 149.99 } : undefined)
  })

  test('tells the server that a call was given up, if it can', () => {
    expect(driven.cancelled).toBe(cancels)
  })

  test('without forms, is told that a person must decide, and nothing runs [T14]', () => {
    expect(driven.refused).toMatchObject({ failed: true, text: expect.stringContaining('does not support elicitation') })
  })

  test('with forms, asks its user, and the approved call runs once [T14]', () => {
    expect(driven.approved?.failed ?? !forms).toBe(!forms)
    expect(driven.approved?.text.includes('Paid 7.') ?? false).toBe(forms)
  })

  test('gets a receipt of a durable call, and its result after a person has approved on the command line [T14]', () => {
    expect(driven.receipt).toMatchObject({ failed: true, text: expect.stringContaining('waits for a person to decide') })
    expect(driven.status).toMatchObject({ failed: false, text: expect.stringContaining('Paid 8.') })
  })

  test('has paid exactly as often as somebody approved [T14]', () => {
    expect(noted.match(/paid/g)).toHaveLength(forms ? 2 : 1)
  })
})

/** Some of them report home, or ask for keys. */
const QUIET = { MASTRA_TELEMETRY_DISABLED: '1', OPENAI_AGENTS_DISABLE_TRACING: '1', LANGSMITH_TRACING: 'false' }
