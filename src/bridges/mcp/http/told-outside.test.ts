import { expect, test } from 'vitest'
import { listening, statelessRequest } from '../../../../test/fixtures/mcp/over-http.ts'
import { recordedLog } from '../../../../test/fixtures/recorded-log.ts'
import { createRuntime } from '../../../runtime/create-runtime.ts'
import { fallback } from '../../../combinators/fallback/fallback.ts'
import { gate } from '../../../combinators/gate/gate.ts'
import { branch } from '../../../combinators/branch/branch.ts'
import { when } from '../../../combinators/branch/route.ts'
import { best } from '../../../combinators/parallel/join.ts'
import { parallel } from '../../../combinators/parallel/parallel.ts'
import { rule } from '../../../combinators/validate/rule.ts'
import { validate } from '../../../combinators/validate/validate.ts'
import { memoryRuns } from '../../../testing/memory-runs.ts'
import type { AgentTool } from '../../../tool/agent-tool.ts'
import { compound } from '../../../tool/compound.ts'
import { ConfigurationError } from '../../../tool/errors/configuration-error.ts'
import { ToolError } from '../../../tool/errors/tool-error.ts'
import type { ToolFailure, ToolResult, ToolSuccess } from '../../../tool/result/result.ts'
import { tool } from '../../../tool/tool.ts'
import type { McpServerOptions } from '../create-mcp-server.ts'
import { toldOutside } from '../told-outside.ts'
import { mcpHandler } from './mcp-handler.ts'

const SECRET = 'LEDGER-INTERNAL-7'
const fails = (error: unknown, name = 'sync') =>
  tool({
    name,
    description: 'Copies the ledger.',
    effect: 'read',
    execute: (): string => {
      throw error
    },
  })
const works = tool({ name: 'sync', description: 'Copies the ledger.', effect: 'write', execute: () => 'done' })
const reads = tool({ name: 'reads', description: 'Reads.', effect: 'read', execute: () => 'done' })
const other = tool({ name: 'other', description: 'Reads.', effect: 'read', execute: () => 'done' })
const enoent = (): Error => Object.assign(new Error(`ENOENT: no such file '/srv/${SECRET}'`), { code: 'ENOENT', syscall: 'open' })
const sealed = (): never => {
  throw new ToolError(`The vault is sealed: ${SECRET}`, { internal: true })
}
const both = (part: AgentTool<string, string>) => parallel({ a: part, b: other }, { name: 'sync', description: 'Both.' })
const scored = parallel({ a: reads, b: other }, { name: 'sync', description: 'The best.', join: best(sealed) })

/** The text that a client reads, and the lines of the log. */
async function called(options: McpServerOptions) {
  const { log, lines } = recordedLog()
  const mcp = await mcpHandler({ ...options, log })
  const { text } = await statelessRequest(await listening(mcp.node), 'tools/call', { name: 'sync', arguments: { input: 'a' } })
  await mcp.close()
  return { text, logged: lines }
}

const cases: readonly (readonly [string, McpServerOptions])[] = [
  ['a system error', { tools: [fails(enoent())] }],
  ['a defect', { tools: [fails(new TypeError(`${SECRET} is not a function`))] }],
  ['a policy that throws', { tools: [works], policy: () => Promise.reject(new Error(SECRET)) }],
  ['a reviewer that throws', { tools: [gate(works)], review: { review: () => Promise.reject(new Error(SECRET)) } }],
  [
    'an approval rule that throws',
    {
      tools: [
        gate(works, {
          approval: () => {
            throw new Error(SECRET)
          },
        }),
      ],
    },
  ],
  [
    'a database that is away',
    { runtime: createRuntime({ tools: [gate(works)], database: { url: `postgres://u:p@127.0.0.1:1/${SECRET}` } }) },
  ],
  ['a part of a parallel tool', { tools: [parallel({ a: fails(enoent(), 'a'), b: reads }, { name: 'sync', description: 'Both.' })] }],
  ['a level of a fallback', { tools: [fallback({ name: 'sync', description: 'Either.' }, [fails(enoent(), 'a'), fails(enoent(), 'b')])] }],
  ['an error that is said to be internal', { tools: [fails(new ToolError(SECRET, { internal: true }))] }],
  ['a long message of a part', { tools: [both(fails(new TypeError(`${SECRET} ${'x'.repeat(600)}`), 'a'))] }],
  ['a message of a part that is no Unicode', { tools: [both(fails(new TypeError(`\ud800${SECRET}`), 'a'))] }],
  ['a message of a part with a credential', { tools: [both(fails(new TypeError(`password=hunter2hunter2 ${SECRET}`), 'a'))] }],
  ['an internal error in an approval rule', { tools: [gate(works, { approval: sealed })] }],
  ['an internal error in a reason', { tools: [gate(works, { approval: () => true, why: sealed })] }],
  ['an internal error in a rule', { tools: [validate(works, { rules: [rule('fits', sealed)] })] }],
  ['an internal error in a predicate', { tools: [branch({ name: 'sync', description: 'One.' }, [when(sealed, reads)])] }],
  ['an internal error in a score', { tools: [scored] }],
]

test.each(cases)('a client over HTTP gets a code and an id, and the log the reason: %s [T10]', async (_, options) => {
  const { text, logged } = await called(options)
  expect(text).not.toContain(SECRET)
  expect(text).not.toContain('srv')
  const id = /[\da-f]{8}-[\da-f-]{27}/.exec(text)?.[0] ?? 'no id'
  expect(logged.find((line) => line.includes(id))).toContain(SECRET)
})

test('an answer that comes after a failure does not tell of it', async () => {
  const either = fallback({ name: 'sync', description: 'Either.' }, [fails(enoent(), 'a'), reads])
  const { text } = await called({ tools: [either] })
  expect(text).toContain('done')
  expect(text).not.toContain(SECRET)
})

test('the words of a tool reach the client over HTTP', async () => {
  expect((await called({ tools: [fails(new Error('Order 17 is closed.'))] })).text).toContain('Error: Order 17 is closed.')
  expect((await called({ tools: [fails(new ToolError("The folder '/srv/reports' is full."))] })).text).toContain('/srv/reports')
  const denies: McpServerOptions = { tools: [works], policy: () => ({ deny: 'not on Sundays' }) }
  expect((await called(denies)).text).toContain('not on Sundays')
})

test('credentials are masked in the log', async () => {
  const { logged } = await called({ tools: [fails(new Error('cannot open postgres://svc:HUNTER22@db/ledger'))] })
  expect(logged.join('\n')).toContain('cannot open')
  expect(logged.join('\n')).not.toContain('HUNTER22')
})

test('an error of the configuration in a call is told by its code over HTTP, and the log has the reason [T10]', async () => {
  const broken = compound({
    name: 'sync',
    description: 'Syncs.',
    parts: { reads },
    run: () => {
      throw new ConfigurationError('invalid_option', `The pool of ${SECRET} has no size.`)
    },
  })
  const { text, logged } = await called({ tools: [broken] })
  expect(text).not.toContain(SECRET)
  expect(text).toContain('invalid_option')
  const id = /[\da-f]{8}-[\da-f-]{27}/.exec(text)?.[0] ?? 'no id'
  expect(logged.find((line) => line.includes(id))).toContain(SECRET)
})

test.each([
  ['of the system', enoent(), true],
  ['of the tool', new ToolError('The ledger is closed today.'), false],
])('run_status over HTTP tells of a run that failed as the call itself did: words %s [T10]', async (_whose, error, isInside) => {
  const { log, lines } = recordedLog()
  const failing = fails(error)
  const runtime = createRuntime({ tools: [failing], database: memoryRuns() })
  const mcp = await mcpHandler({ runtime, durable: true, principal: { id: 'ada', permissions: [] }, log })
  const url = await listening(mcp.node)
  const first = await statelessRequest(url, 'tools/call', { name: 'sync', arguments: { input: 'a' } })
  const [run] = await (await runtime.runs()).list()
  const status = await statelessRequest(url, 'tools/call', { name: 'run_status', arguments: { run: run?.id } })
  expect(status.text).toContain('"status":"failed"')
  for (const { text } of [first, status]) {
    expect(text).not.toContain(SECRET)
    expect(text.includes('The ledger is closed today.')).toBe(!isInside)
  }
  expect(lines.some((line) => line.includes(run?.id ?? '') && line.includes(SECRET))).toBe(isInside)
  await mcp.close()
  await runtime.close()
})

const withheld = (outcome?: 'unknown') => fails(new ToolError(`${SECRET} is down`, { internal: true, ...(outcome && { outcome }) }))

/** What is told of a result, and the lines of the log. */
function told(result: ToolResult, of: AgentTool = reads as AgentTool) {
  const { log, lines } = recordedLog()
  return { text: JSON.stringify(toldOutside(of, result, { log, isText: false })), lines }
}

test('a success that tells why an attempt or a part before it failed tells it to the log only [T10]', async () => {
  const { error } = (await withheld().call('a')) as ToolFailure
  const { value, content, provenance } = (await reads.call('a')) as ToolSuccess
  const done: ToolSuccess = { ok: true, text: 'done', value, content, provenance }
  const part = { label: 'a', tool: 'sync', result: (await withheld().call('a')) as ToolFailure }
  const inner: ToolSuccess = { ...done, steps: [part] as never }
  const attempts = [{ number: 1, tool: 'sync', at: 0, error }]
  for (const more of [{ attempts }, { steps: [part] }, { steps: [{ label: 'b', tool: 'reads', result: inner }] }]) {
    const { text, lines } = told({ ...done, text: `done, but ${error.message}`, ...(more as object) })
    expect(text).toContain('done, but a reason in the log')
    expect(text).not.toContain(SECRET)
    expect(lines.join()).toContain(SECRET)
  }
})

test('the hint of a failure that is withheld is not about its message, and says that it may have taken effect [T10]', async () => {
  for (const code of ['execution_failed', 'invalid_request', 'tool_failed', 'tool_crashed', 'argument_refused']) {
    const { text } = told(await fails(new ToolError(SECRET, { internal: true, code })).call('a'))
    expect(text).not.toMatch(/message says|the message/i)
    expect(text).not.toContain(SECRET)
  }
  expect(told(await withheld('unknown').call('a')).text).toContain('It is not known whether it took effect.')
})
