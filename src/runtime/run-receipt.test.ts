import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { gate } from '../combinators/gate/gate.ts'
import type { RunDatabase } from '../run/store/run-store.ts'
import { appOf, appText } from '../store/app.ts'
import { homeFolder } from '../store/home-folder.ts'
import { nearestProject } from '../store/project.ts'
import { memoryRuns } from '../testing/memory-runs.ts'
import { failure } from '../tool/result/returned.ts'
import type { ToolResult } from '../tool/result/result.ts'
import { tool } from '../tool/tool.ts'
import { createRuntime } from './create-runtime.ts'
import { durableAtDoor } from './durable-at-door.ts'
import { durable } from './durable.ts'
import { runStatus } from './run-status.ts'

const ada = { principal: { id: 'ada', permissions: [] }, session: 'chat-1' }

const bare = (name: string) => ({ name, description: 'd', inputSchema: z.object({ amount: z.number() }), effect: 'write' as const })

function desk() {
  const paid: number[] = []
  const pay = tool({ ...bare('pay'), execute: ({ amount }) => void paid.push(amount) })
  return { paid, pay, careful: gate(pay) }
}

function pendingOf(result: ToolResult) {
  return result.ok ? undefined : result.error.pending
}

describe('a receipt', () => {
  test('tells a reason of several lines on its line, as that of a gate of another server is', async () => {
    const { pay } = desk()
    const careful = gate(pay, { why: "MCP server 'far' asks for an approval:\n  | 250 is much.\n  | Really." })
    const runtime = createRuntime({ tools: [careful], database: memoryRuns() })
    const result = await durable(careful, runtime).call({ amount: 250 }, ada)
    await runtime.close()
    expect(result.ok || result.error.message).toMatch(/ pay: MCP server 'far' asks for an approval: 250 is much\. Really\.$/)
  })

  test('names the app in its command where commands would look in another one', async () => {
    const { careful } = desk()
    const usual = appText(appOf(undefined, { isShared: false }))
    const commands: (string | undefined)[] = []
    for (const app of [undefined, usual, "ada's desk", { environment: 'staging' }]) {
      const runtime = createRuntime({ tools: [careful], database: memoryRuns(), app })
      const [request] = pendingOf(await durable(careful, runtime).call({ amount: 250 }, ada))?.requests ?? []
      commands.push(request?.command.replace(request.id, '<id>'))
      await runtime.close()
    }
    const [name, environment] = usual.split(':')
    expect(commands).toEqual([
      'npx toolwright approve <id>',
      'npx toolwright approve <id>',
      `npx toolwright approve <id> --app 'ada'\\''s desk:${environment}'`,
      `npx toolwright approve <id> --app ${name}:staging`,
    ])
  })

  test('names the home of the database in its command where the program has one of its own', async () => {
    const { careful } = desk()
    const commands: (string | undefined)[] = []
    const folder = nearestProject()?.folder ?? ''
    for (const home of [undefined, homeFolder(), join(folder, "ada's data"), 'data', '/somewhere/else']) {
      const runtime = createRuntime({ tools: [careful], database: { ...memoryRuns(), home } as RunDatabase })
      const [request] = pendingOf(await durable(careful, runtime).call({ amount: 250 }, ada))?.requests ?? []
      commands.push(request?.command.replace(request.id, '<id>'))
      await runtime.close()
    }
    expect(commands).toEqual([
      'npx toolwright approve <id>',
      'npx toolwright approve <id>',
      "npx toolwright approve <id> --home 'ada'\\''s data'",
      'npx toolwright approve <id> --home data',
      "npx toolwright approve <id> --home '<the home of the program>'",
    ])
  })

  test('says how many approvals are given where several people must approve, and the command names the decider and the edition', async () => {
    const { pay } = desk()
    const shared = gate(pay, { approvals: { count: 2 } })
    const runtime = createRuntime({ tools: [shared], database: memoryRuns() })
    const made = durable(shared, runtime)
    const first = pendingOf(await made.call({ amount: 250 }, ada))
    const id = first?.requests[0]?.id ?? ''
    expect(first?.requests).toMatchObject([{ approvals: { needed: 2, given: 0 }, command: `npx toolwright approve ${id} --by '<name>'` }])
    await runtime.inbox.approve(id, { id: 'bob', permissions: [] })
    const second = await made.call({ amount: 250 }, ada)
    expect(pendingOf(second)?.requests).toMatchObject([{ approvals: { needed: 2, given: 1 } }])
    expect(second.text).toContain('(1 of 2 approvals, each of another person)')
    await runtime.inbox.edit(id, { patch: { amount: 200 } }, { id: 'cyd', permissions: [] })
    const third = pendingOf(await made.call({ amount: 250 }, ada))
    expect(third?.requests).toMatchObject([
      { approvals: { needed: 2, given: 1 }, command: `npx toolwright approve ${id} --edition 1 --by '<name>'` },
    ])
    await runtime.close()
  })

  test.each([
    ['one who asked for the call', { action: 'continue', by: 'ada' }, "'ada' has asked for the call, and cannot decide about it."],
    ['one who has approved before', { action: 'continue', by: 'bob' }, "'bob' has approved request"],
    ['nobody by name', { action: 'continue' }, 'none was named'],
    ['an unknown action', { action: 'approve' }, 'it has the action "approve" on an approval. Give \'continue\''],
    ['no action', 'yes', "it names no action. Give 'continue'"],
  ])('says in the receipt why a decision does not count: %s', async (_, answer, why) => {
    const { pay, paid } = desk()
    const shared = gate(pay, { approvals: { count: 2 } })
    const identify = ({ name }: { readonly name: string }) => ({ id: name, permissions: ['review:pay'] })
    const runtime = createRuntime({ tools: [shared], database: memoryRuns(), reviewers: { identify } })
    const made = durable(shared, runtime)
    const id = pendingOf(await made.call({ amount: 250 }, ada))?.requests[0]?.id ?? ''
    await runtime.inbox.approve(id, 'bob')
    const asking = durableAtDoor(shared, runtime, { patienceMs: 5000, review: { review: () => answer as never } })
    const result = await asking.call({ amount: 250 }, ada)
    expect(pendingOf(result)).toMatchObject({ waitsFor: 'person', refused: [expect.stringContaining(why)] })
    expect(result.text).toContain(why)
    expect(paid).toEqual([])
    await runtime.close()
  })

  test('refuses a caller who has lost the permission meanwhile: neither the receipt nor the end of the run [T8]', async () => {
    const { careful, paid } = desk()
    const owned = gate(tool({ ...bare('pay_owned'), permissions: ['money:pay'], execute: ({ amount }) => amount }), {})
    const runtime = createRuntime({ tools: [careful, owned], database: memoryRuns() })
    const made = durable(owned, runtime)
    const status = runStatus(runtime)
    const may = { principal: { id: 'ada', permissions: ['money:*'] }, session: 'chat-1' }
    const pending = pendingOf(await made.call({ amount: 250 }, may))
    expect(pending).toMatchObject({ waitsFor: 'person' })
    const refused = { ok: false, error: { code: 'permission_denied', outcome: 'not_started' } }
    const joined = await made.call({ amount: 250 }, ada)
    expect(joined).toMatchObject(refused)
    expect(pendingOf(joined)).toBeUndefined()
    expect(await status.call({ run: pending?.run ?? '' }, ada)).toMatchObject(refused)
    await runtime.inbox.approve(pending?.requests[0]?.id ?? '')
    await (await runtime.run(pending?.run ?? '')).result()
    expect(await status.call({ run: pending?.run ?? '' }, ada)).toMatchObject(refused)
    expect(await status.call({ run: pending?.run ?? '' }, may)).toMatchObject({ ok: true, value: { status: 'completed', value: 250 } })
    expect(await (await runtime.runs()).list()).toHaveLength(1)
    expect(paid).toEqual([])
    await runtime.close()
  })

  test('masks the secrets of the run in the end that run_status tells, as its record does [T17]', async () => {
    const card = '4000 1234 5678 9010'
    const { pay } = desk()
    const failing = tool({
      ...bare('pay_failing'),
      inputSchema: z.object({ amount: z.number(), card: z.string().meta({ format: 'password' }) }),
      execute: ({ card: given }) => failure(`The card ${given} was declined.`, { hint: `Do not use ${given} again.` }),
    })
    const runtime = createRuntime({ tools: [pay, gate(failing)], database: memoryRuns() })
    const made = durable((await runtime.registered()).get('pay_failing') as typeof failing, runtime)
    const pending = pendingOf(await made.call({ amount: 1, card }, ada))
    await runtime.inbox.approve(pending?.requests[0]?.id ?? '')
    const told = await runStatus(runtime).call({ run: pending?.run ?? '', wait: 5 }, ada)
    expect(told).toMatchObject({ ok: true, value: { status: 'failed', error: { code: 'tool_failed' } } })
    expect(told.text).toMatch(/^The run of 'pay_failing' failed: The card •+ was declined\. Do not use •+ again\.$/)
    expect(JSON.stringify([told, told.text])).not.toContain('4000')
    await runtime.close()
  })
})
