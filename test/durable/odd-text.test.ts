import { describe, expect, test } from 'vitest'
import { gate } from '../../src/combinators/gate/gate.ts'
import type { OpenedRuns } from '../../src/run/open-runs.ts'
import type { AgentTool } from '../../src/tool/agent-tool.ts'
import { ToolError } from '../../src/tool/errors/tool-error.ts'
import { tool } from '../../src/tool/tool.ts'
import { durableRuns, openRequest, untilStatus } from '../fixtures/run/durable-runs.ts'
import { notingTools } from '../fixtures/run/noting-tools.ts'

const database = durableRuns()

const ODD_TEXTS = [
  ['NUL', 'before\0after'],
  ['the first half of a surrogate pair', 'price: 😀'.slice(0, 8)],
  ['the second half of a surrogate pair', '😀 is the price'.slice(1)],
  ['an escape that reads like NUL', String.raw`before\u0000after`],
] as const

async function statusOf(runs: OpenedRuns, id: string): Promise<string> {
  await expect.poll(async () => (await (await runs.get(id)).status()).endedAt, { timeout: 15_000 }).toBeGreaterThan(0)
  return (await (await runs.get(id)).status()).status
}

describe.each(ODD_TEXTS)('a text with %s', (_title, odd) => {
  test('as the message of a failure does not keep a run from its end', async () => {
    const fails = tool({
      name: 'fails',
      description: 'Fails.',
      effect: 'read',
      execute: (): string => {
        throw new ToolError(odd, { outcome: 'failed', retryable: false })
      },
    })
    const runs = await database.open([fails])
    const run = await runs.start(fails, 'x')
    expect(await statusOf(runs, run.id)).toBe('failed')
    const result = await run.result()
    expect(result.ok).toBe(false)
    expect(result.text).toContain(odd.replaceAll(/\0|[\ud800-\udfff]/g, '').slice(0, 5))
  })

  test('as a value is kept as it is', async () => {
    const echo = tool({ name: 'echo', description: 'Says it again.', effect: 'read', execute: (text): string => text })
    const twice = gate(echo as AgentTool<string, string>)
    const runs = await database.open([twice])
    const run = await runs.start(twice, odd)
    await runs.inbox.approve(await openRequest(runs, run.id))
    expect(await run.result()).toMatchObject({ ok: true, value: odd })
  })

  test('as the reason of a rejection, a stop or a cancel does not keep a run from its end', async () => {
    const { noting, done } = notingTools()
    const asks = gate(noting('pay'))
    const runs = await database.open([asks])
    const ids: string[] = []
    for (const input of ['rejected', 'stopped', 'cancelled']) {
      const { id } = await runs.start(asks, input)
      await untilStatus(runs, id, 'waiting')
      ids.push(id)
    }
    const [rejected = '', stopped = '', cancelled = ''] = ids
    await runs.inbox.reject(await openRequest(runs, rejected), odd, 'ada')
    await runs.inbox.stop(await openRequest(runs, stopped), odd, 'ada')
    await (await runs.get(cancelled)).cancel(odd)
    expect(await Promise.all(ids.map((id) => statusOf(runs, id)))).toEqual(['failed', 'stopped', 'cancelled'])
    expect(done).toEqual([])
  })
})
