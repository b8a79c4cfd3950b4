import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { root } from '../../scripts/run-program.ts'
import { type OpenedRuns, openRuns } from '../../src/run/open-runs.ts'
import { fillHome } from '../fixtures/prepared.ts'
import { temporaryHome } from '../fixtures/store/temporary-home.ts'
import { type CliOptions, type CliRun, runCli } from './run-cli.ts'
import { type StartedWorker, startWorker } from './start-worker.ts'

const cwd = join(root, 'test', 'fixtures', 'cli-runs')
const home = temporaryHome()
fillHome(home)
const env = { TOOLWRIGHT_HOME: home, DATABASE_URL: '' }
const STANDS_IN = 'No other worker can go on with the run any more: this command works on it now.'

let beside: OpenedRuns

beforeAll(async () => {
  beside = await openRuns({ database: { home }, worker: false, tools: async () => new Map() })
}, 60_000)

afterAll(() => beside.close())

function cli(words: readonly string[], options: Pick<CliOptions, 'onStderr'> = {}): Promise<CliRun> {
  return runCli(words, { cwd, env, mostMs: 60_000, ...options })
}

async function onlyWorker(...flags: readonly string[]): Promise<StartedWorker> {
  const worker = await startWorker(flags, { cwd, env })
  onTestFinished(() => void worker.child.kill('SIGKILL'))
  return worker
}

test('a command that follows a run goes on with it when the only worker leaves', async () => {
  const worker = await onlyWorker('--drain', '10ms')
  const followed = cli(['run', 'take_time', '3000'])
  await worker.until('take_time')
  worker.child.kill('SIGTERM')
  await once(worker.child, 'close')
  const { code, stdout, stderr } = await followed
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'Took 3000 ms.\n' })
  expect(stderr).toContain(STANDS_IN)
}, 90_000)

test('a command that follows a run goes on with it when the only worker dies', async () => {
  const worker = await onlyWorker()
  let request = ''
  const asked = Promise.withResolvers<void>()
  const stoodIn = Promise.withResolvers<void>()
  const followed = cli(['run', 'find_order_then_issue_refund', 'email=ada@example.com'], {
    onStderr: (text) => {
      request = /toolwright approve (\w{8})/.exec(text)?.[1] ?? ''
      if (request !== '') asked.resolve()
      if (text.includes(STANDS_IN)) stoodIn.resolve()
    },
  })
  await asked.promise
  worker.child.kill('SIGKILL')
  await once(worker.child, 'close')
  // Nobody has heard of it for long.
  await beside.store.pool.query("UPDATE toolwright.worker SET seen_at = now() - interval '20 seconds'")
  await stoodIn.promise
  expect((await cli(['approve', request])).code).toBe(0)
  expect(await followed).toMatchObject({ code: 0, stdout: 'Refunded 120 for order of ada@example.com.\n' })
}, 90_000)

test('a command that leaves a run on which nobody else works does not say that it continues', async () => {
  const left = await cli(['run', 'find_order_then_issue_refund', 'email=ada@example.com'], {
    onStderr: (text, child) => {
      if (text.includes('waits for a person') && !text.includes('Leaving')) child.kill('SIGINT')
    },
  })
  expect(left.code).toBe(130)
  expect(left.stderr).not.toContain('continues in the background')
  expect(left.stderr).toMatch(
    /The run is kept: toolwright show \w{8}\nIt goes on when a worker runs, .* Start one with: toolwright worker\n$/,
  )
}, 90_000)
