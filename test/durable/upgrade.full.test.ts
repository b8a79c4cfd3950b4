import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { gate } from '../../src/combinators/gate/gate.ts'
import { ToolPipeline } from '../../src/combinators/pipe/tool-pipeline.ts'
import type { OpenedRuns } from '../../src/run/open-runs.ts'
import type { ProgramVersion } from '../fixtures/run/deep-shape.ts'
import { durableRuns, openRequest, untilStatus } from '../fixtures/run/durable-runs.ts'
import { notingTools } from '../fixtures/run/noting-tools.ts'

const database = durableRuns()
const folder = mkdtempSync(join(tmpdir(), 'upgrade-'))
const children = new Set<ChildProcess>()
let files = 0

afterEach(killAll)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function killAll(): Promise<void> {
  for (const child of children) {
    children.delete(child)
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
}

interface Deep {
  readonly runs: OpenedRuns
  readonly id: string
  readonly request: string
  /** The steps that took effect, in order, with their versions and amounts. */
  readonly done: () => readonly string[]
  readonly keys: () => readonly string[]
  readonly startWorker: (version: ProgramVersion) => Promise<void>
}

/** A run of the deep shape that waits at its gate, and whose process was killed. */
async function parkedAndKilled(amount = 900): Promise<Deep> {
  const file = join(folder, `effects-${++files}`)
  writeFileSync(file, '')
  const start = async (version: ProgramVersion, ...order: readonly string[]): Promise<{ child: ChildProcess; run: string }> => {
    const child = fork(join(import.meta.dirname, '../fixtures/run/deep-worker.ts'), [database.home, file, version, ...order], {
      execArgv: [],
    })
    children.add(child)
    const [said] = (await once(child, 'message')) as [{ readonly run: string }]
    return { child, run: said.run }
  }
  const runs = await database.open([], { worker: false })
  const { child, run: id } = await start('first', JSON.stringify({ id: 'o1', amount }))
  const request = await openRequest(runs, id)
  await untilStatus(runs, id, 'waiting')
  child.kill('SIGKILL')
  await once(child, 'exit')
  // Its silence need not be waited for: a run is blocked only when no living worker could go on with it.
  await runs.store.pool.query('DELETE FROM toolwright.worker')
  const lines = (): readonly (readonly string[])[] =>
    readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' '))
  return {
    runs,
    id,
    request,
    done: () => lines().map(([name, version, amounts]) => `${name} ${version} ${amounts}`),
    keys: () => lines().map((words) => words[3] ?? ''),
    startWorker: async (version) => void (await start(version)),
  }
}

describe('a gate inside a branch of a parallel inside a saga inside a pipeline', () => {
  test('parks, outlives a kill, is approved with an edit, and finishes [G3] [G5] [T15]', async () => {
    const { runs, id, request, done, keys, startWorker } = await parkedAndKilled()
    expect(done().toSorted()).toEqual(['note 1.0.0 900', 'reserve 1.0.0 900'])
    await startWorker('first')
    await runs.inbox.edit(request, { patch: { amount: 120 } }, 'ada')
    expect(await (await runs.get(id)).result()).toMatchObject({
      ok: true,
      value: { id: 'o1', amount: 120 },
    })
    expect(done().slice(2)).toEqual(['pay 1.0.0 120', 'mail 1.0.0 120'])
    expect(new Set(keys()).size).toBe(4)
  })

  test('is undone when a later step fails, though another process had begun it [G3] [G5]', async () => {
    const { runs, id, request, done, startWorker } = await parkedAndKilled()
    await startWorker('mail_fails')
    await runs.inbox.approve(request)
    const result = await (await runs.get(id)).result()
    expect(result).toMatchObject({ ok: false, error: { message: expect.stringContaining('no such mailbox') } })
    expect(done().slice(2)).toEqual(['pay 1.0.0 900', 'pay_back 1.0.0 900', 'release 1.0.0 900'])
  })

  test('is undone when the person rejects it [G3] [T14]', async () => {
    const { runs, id, request, done, startWorker } = await parkedAndKilled()
    await runs.inbox.reject(request, 'too much')
    await startWorker('first')
    const result = await (await runs.get(id)).result()
    expect(result).toMatchObject({ ok: false, error: { class: 'rejected' } })
    expect(done().slice(2)).toEqual(['pay_back 1.0.0 900', 'release 1.0.0 900'])
  })
})

describe('over a code upgrade, a run that waits at a gate', () => {
  test.each<[string, ProgramVersion, readonly string[]]>([
    ['goes on under new versions of its steps', 'new_versions', ['pay 1.1.0 120', 'mail 1.1.0 120']],
    ['goes on with a new step before that only reads', 'read_before', ['pay 1.0.0 120', 'mail 1.0.0 120']],
    ['goes on with a new step after', 'step_after', ['pay 1.0.0 120', 'mail 1.0.0 120', 'thank 1.0.0 120']],
  ])('%s [G5]', async (_title, version, then) => {
    const { runs, id, request, done, startWorker } = await parkedAndKilled()
    await startWorker(version)
    await runs.inbox.edit(request, { patch: { amount: 120 } }, 'ada')
    expect(await (await runs.get(id)).result()).toMatchObject({ ok: true, value: { id: 'o1', amount: 120 } })
    expect(done().slice(2)).toEqual(then)
  })

  test.each<[string, ProgramVersion, string]>([
    ['a step that it did is renamed', 'renamed', "it did the step 'reserve' in 'settle', which is no more"],
    ['a step that takes effect comes before those done', 'effect_before', "past the place of the step 'book' in 'settle'"],
  ])('is refused where %s, and goes on under the version that began it [G5]', async (_title, version, message) => {
    const { runs, id, request, done, startWorker } = await parkedAndKilled()
    await startWorker(version)
    await runs.inbox.edit(request, { patch: { amount: 120 } })
    await untilStatus(runs, id, 'blocked')
    const run = await runs.get(id)
    expect((await run.status()).why).toMatchObject({ code: 'plan_changed', message: expect.stringContaining(message) })
    await expect(run.result()).rejects.toMatchObject({ code: 'plan_changed' })
    expect(done()).toHaveLength(2)
    await killAll()
    await startWorker('first')
    await run.resume()
    expect(await run.result()).toMatchObject({ ok: true, value: { id: 'o1', amount: 120 } })
    expect(done().slice(2)).toEqual(['pay 1.0.0 120', 'mail 1.0.0 120'])
  })

  test('that was refused can be cancelled, and says that nothing was undone', async () => {
    const { runs, id, request, done, startWorker } = await parkedAndKilled()
    await startWorker('renamed')
    await runs.inbox.approve(request)
    await untilStatus(runs, id, 'blocked')
    const run = await runs.get(id)
    expect(await run.cancel('begun anew')).toBe(true)
    await untilStatus(runs, id, 'cancelled')
    expect(await run.result()).toMatchObject({
      ok: false,
      error: { code: 'cancelled', outcome: 'unknown', message: expect.stringContaining('was not undone') },
    })
    expect(done()).toHaveLength(2)
  })
})

test('a run that went on under a second version is held to what it did there by a third [G5]', async () => {
  const { noting, done } = notingTools()
  const [a, b, c, d] = [noting('a'), gate(noting('b')), noting('c'), gate(noting('d'))]
  const versions = [
    ToolPipeline.of('whole', 'First.', a, b),
    ToolPipeline.of('whole', 'Second.', a, b, c, d),
    ToolPipeline.of('whole', 'Third.', a, b, d),
  ] as const
  const first = await database.open([versions[0]])
  const { id } = await first.start(versions[0], 'x')
  const request = await openRequest(first, id)
  await untilStatus(first, id, 'waiting')
  await first.close()
  const second = await database.open([versions[1]])
  await second.inbox.approve(request)
  await expect.poll(() => done).toEqual(['a x', 'b x>a', 'c x>a>b'])
  const next = await openRequest(second, id)
  await untilStatus(second, id, 'waiting')
  await second.close()
  const third = await database.open([versions[2]])
  await third.inbox.approve(next)
  await untilStatus(third, id, 'blocked')
  expect((await (await third.get(id)).status()).why).toMatchObject({
    code: 'plan_changed',
    message: expect.stringContaining("it did the step 'c' in 'whole', which is no more"),
  })
})
