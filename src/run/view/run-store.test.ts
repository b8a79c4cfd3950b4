import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { durableRuns, openRequest, untilStatus } from '../../../test/fixtures/run/durable-runs.ts'
import { notingTools } from '../../../test/fixtures/run/noting-tools.ts'
import { gate } from '../../combinators/gate/gate.ts'
import { pipe } from '../../combinators/pipe/pipe.ts'
import { compound } from '../../tool/compound.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import { decode } from '../../tool/journal/codec.ts'
import { memoryJournal } from '../../tool/journal/journal.ts'
import { MASK } from '../../tool/secrets/mask.ts'
import { tool } from '../../tool/tool.ts'
import { drawRun } from './run-timeline.ts'
import type { OpenedRuns } from '../open-runs.ts'
import { RunRetention } from '../retention.ts'

const database = durableRuns()

/** So many runs that have ended, the oldest first. */
async function ended(runs: OpenedRuns, count: number): Promise<readonly string[]> {
  const { noting } = notingTools()
  const look = noting('look')
  const own = await database.open([look])
  const ids: string[] = []
  for (let n = 0; n < count; n++) {
    const run = await own.start(look, `input ${n}`)
    await run.result()
    ids.push(run.id)
  }
  await runs.store.pool.query(
    `UPDATE toolwright.run SET ended_at = now() - (1 + (SELECT count(*) FROM toolwright.run later WHERE later.created_at > run.created_at)) * interval '1 day'`,
  )
  return ids
}

async function rowsLeft({ store }: OpenedRuns): Promise<Readonly<Record<string, number>>> {
  const { rows } = await store.pool.query<Record<string, number>>(
    `SELECT (SELECT count(*) FROM toolwright.run) AS runs, (SELECT count(*) FROM toolwright.entry) AS entries,
       (SELECT count(*) FROM toolwright.event) AS events, (SELECT count(*) FROM toolwright.artifact) AS artifacts,
       (SELECT count(*) FROM toolwright.approval) AS approvals`,
  )
  return rows[0] ?? {}
}

describe('the list of runs', () => {
  test('is newest first, filtered, and goes on where it was left', async () => {
    const { noting } = notingTools()
    const [look, pay] = [noting('look'), gate(noting('pay'))]
    const runs = await database.open([look, pay])
    const ids: string[] = []
    for (const key of ['a', 'b', 'c']) {
      const run = await runs.start(look, key, { key })
      await run.result()
      ids.unshift(run.id)
    }
    const parked = await runs.start(pay, 'd')
    await untilStatus(runs, parked.id, 'waiting')
    expect((await runs.list()).map(({ id }) => id)).toEqual([parked.id, ...ids])
    const page = await runs.list({ limit: 2 })
    const next = await runs.list({ limit: 2, before: page.at(-1)?.id })
    expect([...page, ...next].map(({ id }) => id)).toEqual([parked.id, ...ids])
    expect(await runs.list({ status: 'waiting' })).toMatchObject([{ id: parked.id, tool: 'pay', why: { code: 'person' } }])
    expect(await runs.list({ status: ['waiting', 'completed'], tool: 'look', key: 'b' })).toMatchObject([{ key: 'b', status: 'completed' }])
    expect(await runs.list({ tool: 'nothing' })).toEqual([])
  })

  test('refuses what it cannot mean', async () => {
    const runs = await database.open([], { worker: false })
    await expect(runs.list({ limit: 0 })).rejects.toThrow('must be a whole number from 1 to 10000, not 0')
    await expect(runs.list({ status: 'done' as never })).rejects.toThrow('A status must be one of queued, running,')
    await expect(runs.list({ before: 'nowhere' })).rejects.toMatchObject({ code: 'unknown_run' })
  })
})

/** Three steps: one that reads, one that a person lets through, one that needs a second attempt after a pause. */
function threeSteps() {
  const { noting, done } = notingTools()
  let tries = 0
  const send = noting('send', {
    meanwhile: (_input, { usage }) => {
      usage({ tokens: 7, costUsd: 0.5 })
      if (tries++ === 0) throw new ToolError('The line is busy.', { code: 'service_unavailable', outcome: 'failed' })
    },
  })
  const deliver = compound({
    name: 'deliver',
    description: 'Delivers after a while.',
    inputSchema: z.string(),
    parts: { send },
    run: async (input, context) => {
      const first = await context.call('send', send, input)
      if (first.ok) return first
      await context.sleep(100, 'pause')
      await context.decide('route', () => 'by air')
      return context.call('send', send, input, { attempt: 2 })
    },
  })
  const whole = pipe(noting('look'), gate(noting('pay')), deliver)
  return { whole, done }
}

describe('what is shown of a run', () => {
  test('is its input, steps with their attempts, decisions, sleeps, approvals, usage and history', async () => {
    const { whole } = threeSteps()
    const runs = await database.open([whole])
    const run = await runs.start(whole, 'ann', { key: 'order 1', agent: 'clerk' })
    const request = await openRequest(runs, run.id)
    await untilStatus(runs, run.id, 'waiting')
    await runs.inbox.edit(request, { input: 'bob' }, 'ada')
    expect(await run.result()).toMatchObject({ ok: true, value: 'bob>pay>send' })
    const record = await runs.show(run.id)
    expect(record).toMatchObject({
      id: run.id,
      key: 'order 1',
      status: 'completed',
      input: 'ann',
      options: { agent: 'clerk' },
      result: { ok: true, value: 'bob>pay>send' },
      steps: [
        { path: 'look_then_pay_then_deliver/look', tool: 'look', input: 'ann', output: 'ann>look', attempts: [{ number: 1 }] },
        { path: 'look_then_pay_then_deliver/pay/gated', tool: 'pay', input: 'bob', output: 'bob>pay' },
        {
          path: 'look_then_pay_then_deliver/deliver/send',
          output: 'bob>pay>send',
          attempts: [{ number: 1, error: { code: 'service_unavailable' } }, { number: 2 }],
          usage: { tokens: 14, costUsd: 1 },
        },
      ],
      sleeps: [{ path: 'look_then_pay_then_deliver/deliver/pause' }],
      approvals: [{ status: 'decided', decision: { action: 'edit', input: 'bob', by: 'ada' }, request: { id: request } }],
      artifacts: [],
      usage: { tokens: 14, costUsd: 1 },
    })
    expect(record.decisions).toContainEqual(expect.objectContaining({ path: expect.stringMatching(/deliver\/route$/), value: 'by air' }))
    expect(record.history.map(({ status }) => status)).toEqual(['queued', 'running', 'waiting', 'queued', 'running', 'completed'])
    const [look] = record.steps
    expect(look?.durationMs).toBe((look?.endedAt ?? 0) - (look?.startedAt ?? 0))
    expect(look?.key).toMatch(/\w/)
    const events: string[] = []
    for await (const { type } of run.events()) events.push(type)
    expect(record.events).toBe(events.length)
    await expect(runs.show('nowhere')).rejects.toMatchObject({ code: 'unknown_run' })
  })

  test('has a step under way without an end, and large values by name', async () => {
    const { noting } = notingTools()
    let go = (): void => {}
    const held = new Promise<void>((resolve) => (go = resolve))
    const large = noting('large', { meanwhile: () => held })
    const grow = pipe(
      tool({ name: 'grow', description: 'Gives a long text.', effect: 'read', execute: (text) => `${text}${'x'.repeat(1_100_000)}` }),
      large,
    )
    const runs = await database.open([grow])
    const run = await runs.start(grow, 'a')
    for await (const event of run.events()) if (event.type === 'step.started' && event.tool === 'large') break
    const { steps, artifacts } = await runs.show(run.id)
    expect(steps).toMatchObject([{ output: { bytes: expect.any(Number) as number } }, { tool: 'large', attempts: [{}] }])
    expect(artifacts).toContainEqual(steps[0]?.output)
    expect(steps[1]).not.toHaveProperty('endedAt')
    expect(steps[1]).not.toHaveProperty('output')
    go()
    await run.result()
    expect(JSON.stringify(await runs.export(run.id))).toContain('x'.repeat(1_100_000))
  })

  test('hides what is secret by name or by schema, wherever it stands, unless it is asked for', async () => {
    const login = tool({
      name: 'login',
      description: 'Logs in.',
      inputSchema: z.object({ user: z.string(), password: z.string(), pin: z.string().meta({ sensitive: true }) }),
      outputSchema: z.object({ said: z.string(), ticket: z.string().meta({ sensitive: true }) }),
      effect: 'read',
      execute: ({ user, password, pin }) => ({ said: `${user} has ${password} and ${pin}`, ticket: 'ticket-4711' }),
    })
    const once = pipe(
      login,
      tool({ name: 'report', description: 'Reports.', inputSchema: z.unknown(), effect: 'read', execute: () => 'done' }),
    )
    const runs = await database.open([once])
    const run = await runs.start(once, { user: 'ann', password: 'opensesame', pin: '90210-1' })
    await run.result()
    const [shown, document] = await Promise.all([runs.show(run.id), runs.export(run.id)])
    for (const text of [JSON.stringify(shown), JSON.stringify(document)]) {
      expect(text).toContain('ann has')
      expect(text).not.toMatch(/opensesame|90210|ticket-4711/)
    }
    expect(shown.steps[0]).toMatchObject({ input: { user: 'ann', password: MASK, pin: MASK }, output: { ticket: MASK } })
    expect(document.masked).toBe(true)
    expect(JSON.stringify(await runs.show(run.id, { includeSecrets: true }))).toMatch(/opensesame.*90210-1.*ticket-4711/)
  })
})

describe('an export of a run', () => {
  test('is one JSON document that replays without running anything', async () => {
    const { whole, done } = threeSteps()
    const runs = await database.open([whole])
    const run = await runs.start(whole, 'ann')
    await runs.inbox.approve(await openRequest(runs, run.id), 'ada')
    const lived = await run.result()
    const before = [...done]
    const exported = JSON.parse(JSON.stringify(await runs.export(run.id, { includeSecrets: true }))) as Awaited<
      ReturnType<OpenedRuns['export']>
    >
    expect(exported).toMatchObject({ format: 'toolwright.run', formatVersion: 1, masked: false, run: { id: run.id, status: 'completed' } })
    const review = { review: () => Promise.reject(new Error('Nobody is asked again.')) }
    const replayed = await whole.call(decode(exported.run.input) as string, {
      journal: memoryJournal(exported.journal),
      idempotencyKey: exported.run.id,
      review,
    })
    expect(replayed).toMatchObject({ ok: true, value: lived.ok ? lived.value : undefined })
    expect(done).toEqual(before)
    expect(exported.approvals).toMatchObject([{ decision: { by: 'ada' } }])
    expect(exported.events.at(-1)).toMatchObject({ type: 'status', data: { status: 'completed' } })
  })
})

test('a request is exported as it was asked, whatever its fields are called', async () => {
  const odd = z.object({ $toolwright: z.string(), of: z.string() })
  const note = tool({ name: 'note', description: 'Notes.', inputSchema: odd, effect: 'write', execute: () => 'noted' })
  const gated = gate(note)
  const runs = await database.open([gated])
  const input = { $toolwright: 'date', of: '2026-01-01' }
  const run = await runs.start(gated, input)
  await runs.inbox.approve(await openRequest(runs, run.id))
  await run.result()
  const { journal } = await runs.export(run.id)
  expect(journal.find(({ kind }) => kind === 'review')).toMatchObject({ request: { input } })
  expect(await runs.show(run.id)).toMatchObject({ input, steps: [{ input }] })
})

describe('the timeline of a run', () => {
  test('shows parked stretches, attempts, sleeps and who decided, within the width', async () => {
    const { whole } = threeSteps()
    const runs = await database.open([whole])
    const run = await runs.start(whole, 'ann')
    const request = await openRequest(runs, run.id)
    await untilStatus(runs, run.id, 'waiting')
    await runs.inbox.assign(request, 'eve')
    const open = drawRun(await runs.show(run.id), { width: 140 })
    expect(open).toMatch(/^look_then_pay_then_deliver \w{8} .*░.* … waiting: It waits for a person\.$/m)
    expect(open).toMatch(/└─ pay .*░.*waits for eve$/m)
    await runs.inbox.approve(request, 'ada')
    await run.result()
    const lines = drawRun(await runs.show(run.id), { width: 140 }).split('\n')
    expect(lines[0]).toMatch(/ ✓ completed, taken up 2 times/)
    expect(lines).toContainEqual(expect.stringMatching(/├─ look .*✓$/))
    expect(lines).toContainEqual(expect.stringMatching(/├─ pay .*✓ waited .*: continue by ada \(claimed\)$/))
    expect(lines).toContainEqual(expect.stringMatching(/├─ send .*✓ 2 attempts$/))
    expect(lines).toContainEqual(expect.stringMatching(/└─ pause .*░.* ✓ until \d{4}-/))
    expect(
      drawRun(await runs.show(run.id), { width: 70 })
        .split('\n')
        .every((line) => [...line].length <= 70),
    ).toBe(true)
  })
})

describe('the removal of old runs', () => {
  test('goes by age, and takes all that a run left behind', async () => {
    const runs = await database.open([], { worker: false })
    const [oldest, , newest] = await ended(runs, 3)
    expect(await runs.prune({ olderThan: '60h' })).toBe(1)
    await expect(runs.get(oldest ?? '')).rejects.toMatchObject({ code: 'unknown_run' })
    expect(await runs.prune({ olderThan: '36h' })).toBe(1)
    expect((await runs.list()).map(({ id }) => id)).toEqual([newest])
    expect(await runs.prune({ olderThan: 0 })).toBe(1)
    expect(await rowsLeft(runs)).toEqual({ runs: 0, entries: 0, events: 0, artifacts: 0, approvals: 0 })
  })

  test('goes by number, and what ended last stays', async () => {
    const runs = await database.open([], { worker: false })
    const ids = await ended(runs, 4)
    expect(await runs.prune({ keep: 4 })).toBe(0)
    expect(await runs.prune({ keep: 2, statuses: ['failed'] })).toBe(0)
    expect(await runs.prune({ keep: 2 })).toBe(2)
    expect((await runs.list()).map(({ id }) => id)).toEqual(ids.slice(2).toReversed())
    expect(await runs.prune({ keep: 0 })).toBe(2)
  })

  test('goes through more runs than one statement takes', async () => {
    const runs = await database.open([], { worker: false })
    await runs.store.pool.query(
      `INSERT INTO toolwright.run (id, tool, version, plan, input, input_hash, options, status, ended_at)
       SELECT 'run ' || n, 't', '1', '', '0', '', '{}', 'failed', now() - interval '1 day' FROM generate_series(1, 1203) AS n`,
    )
    expect(await runs.prune({ olderThan: '1h' })).toBe(1203)
  })

  test('never touches an open run, however old', async () => {
    const { noting } = notingTools()
    const pay = gate(noting('pay'))
    const runs = await database.open([pay])
    const run = await runs.start(pay, 'ann')
    const request = await openRequest(runs, run.id)
    await untilStatus(runs, run.id, 'waiting')
    await runs.store.pool.query("UPDATE toolwright.run SET created_at = now() - interval '9 years'")
    expect(await runs.prune({ olderThan: 0, keep: 0 })).toBe(0)
    await runs.inbox.approve(request)
    expect(await run.result()).toMatchObject({ ok: true })
    expect(await runs.prune({ keep: 0 })).toBe(1)
    expect(await runs.inbox.get(request)).toBeUndefined()
  })

  test('wants to be told what to remove', async () => {
    const runs = await database.open([], { worker: false })
    await expect(runs.prune({})).rejects.toThrow('Say which runs are to go')
    await expect(runs.prune({ keep: -1 })).rejects.toThrow('whole number from 0 on, not -1')
    await expect(runs.prune({ keep: 1, statuses: ['waiting'] })).rejects.toThrow('one of completed, failed, cancelled, stopped')
    await expect(runs.prune({ olderThan: 'long' as never })).rejects.toThrow('The age of runs to remove must be')
    expect(() => new RunRetention(runs.context, {})).toThrow('Say which runs are to go')
  })

  test('happens once an hour while a worker beats', async () => {
    const runs = await database.open([], { worker: false })
    await ended(runs, 2)
    const retention = new RunRetention(runs.context, { keep: 1 })
    expect(await retention.onBeat(0)).toBe(1)
    expect(await retention.onBeat(3_599_999)).toBeUndefined()
    expect(await retention.onBeat(3_600_000)).toBe(0)
    expect(await new RunRetention(runs.context, undefined).onBeat(0)).toBeUndefined()
  })
})
