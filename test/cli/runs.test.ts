import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { root } from '../../scripts/run-program.ts'
import { type OpenedRuns, openRuns } from '../../src/run/open-runs.ts'
import { tool } from '../../src/tool/tool.ts'
import { openRequest, untilStatus } from '../fixtures/run/durable-runs.ts'
import { fillHome } from '../fixtures/prepared.ts'
import { temporaryHome } from '../fixtures/store/temporary-home.ts'
import { type CliOptions, type CliRun, folderWith, runCli } from './run-cli.ts'
import { type StartedWorker, startWorker } from './start-worker.ts'

const cwd = join(root, 'test', 'fixtures', 'cli-runs')
const home = temporaryHome()
fillHome(home)
const env = { TOOLWRIGHT_HOME: home, DATABASE_URL: '' }
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** Looks at the database beside the commands, and carries nothing on. */
let beside: OpenedRuns
let worker: StartedWorker

beforeAll(async () => {
  beside = await openRuns({ database: { home }, worker: false, tools: async () => new Map() })
  worker = await startWorker(['--json'], { cwd, env })
}, 60_000)

afterAll(async () => {
  worker.child.kill('SIGKILL')
  await beside.close()
})

function cli(words: readonly string[], options: CliOptions = {}): Promise<CliRun> {
  return runCli(words, { cwd, ...options, env: { ...env, ...options.env } })
}

/** Starts a run and leaves it. */
async function detached(words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await cli(['run', ...words, '--detach'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout.trim()).toMatch(UUID)
  return stdout.trim()
}

/** A run that waits for a person, and its request. */
async function parked(words: readonly string[] = ['refund', 'email=ada@example.com']): Promise<readonly [run: string, request: string]> {
  const run = await detached([words[0] === 'refund' ? 'find_order_then_issue_refund' : (words[0] ?? ''), ...words.slice(1)])
  const request = await openRequest(beside, run)
  await untilStatus(beside, run, 'waiting')
  return [run, request]
}

describe('a run that waits for a person', () => {
  test('is listed, shown with its secrets masked, and drawn', async () => {
    const [run, request] = await parked(['refund', 'email=ada@example.com', 'token=opensesame'])
    const [short, asked] = [run.slice(0, 8), request.slice(0, 8)]
    const [table, listed, shown, drawn, asData, waiting, one] = await Promise.all([
      cli(['runs', '--status', 'waiting', '--status', 'queued']),
      cli(['runs', '--tool', 'find_order_then_issue_refund', '--limit', '1', '--json']),
      cli(['show', short]),
      cli(['show', short, '--timeline']),
      cli(['show', run, '--json']),
      cli(['approvals', '--run', short, '--tool', 'issue_refund']),
      cli(['approvals', asked]),
    ])
    expect(table).toMatchObject({ code: 0, stderr: '' })
    expect(table.stdout).toMatch(
      new RegExp(
        `^${short} +find_order_then_issue_refund +waiting +.* ago +- +approval of issue_refund \\(${asked}\\): Money leaves the house\\.$`,
        'm',
      ),
    )
    expect(JSON.parse(listed.stdout)).toMatchObject({ runs: [{ id: run, status: 'waiting', why: { code: 'person' } }] })
    expect(shown.stdout).toMatch(/^status +waiting: It waits for a person\.$/m)
    expect(shown.stdout).toMatch(/^input +\{"email":"ada@example\.com","token":"••••••"\}$/m)
    expect(shown.stdout).toMatch(/^find_order_then_issue_refund\/find_order +done +.*"amount":120/m)
    expect(drawn.stdout).toMatch(/└─ issue_refund .*░.*waits for a person$/m)
    expect(JSON.parse(asData.stdout)).toMatchObject({ id: run, steps: [{ tool: 'find_order' }], approvals: [{ status: 'open' }] })
    expect(`${shown.stdout}${asData.stdout}`).not.toContain('opensesame')
    expect(waiting.stdout).toMatch(new RegExp(`^${asked} +approval +issue_refund +\\w+ +${short} +- .*Money leaves the house\\.$`, 'm'))
    expect(one.stdout).toContain('"orderId": "order of ada@example.com"')
    expect(one.stdout).toMatch(new RegExp(`^request +${request}\nstatus +open\nrun +${run}$`, 'm'))
  })

  test('goes on with what a person made of its input; whoever comes second is told so [T14] [T15]', async () => {
    const [run, request] = await parked()
    const approved = await cli(['approve', request.slice(0, 8), '--patch', '{"amount":90}', '--by', 'ada', '--note', 'less will do'])
    expect(approved).toMatchObject({ code: 0, stdout: '', stderr: expect.stringMatching(/^Approved .* as ada \(claimed\)\. The run/) })
    await untilStatus(beside, run, 'completed')
    const [second, shown, one, late] = await Promise.all([
      cli(['approve', request, '--by', 'bob']),
      cli(['show', run]),
      cli(['approvals', request]),
      cli(['assign', request, 'bob', '--json']),
    ])
    const message = `Request '${request}' is decided already: ada approved it with another input.`
    expect(second).toMatchObject({ code: 1, stderr: `error: ${message}\n` })
    expect(JSON.parse(late.stdout)).toMatchObject({ ok: false, error: { code: 'already_decided', message } })
    expect(shown.stdout).toMatch(/^result +Refunded 90 for order of ada@example\.com\.$/m)
    expect(one.stdout).toMatch(/^status +decided \(edited by ada \(claimed\): less will do\)$/m)
    expect(one.stdout).toMatch(/^edited +by the patch \{"amount":90\}$/m)
  })

  test('stays open when what a person made of its input does not fit [T14]', async () => {
    const [run, request] = await parked()
    const [misspelled, unfit, noObject, broken] = await Promise.all([
      cli(['approve', request, '--patch', '{"amuont":90}']),
      cli(['approve', request, '--input', '{"orderId":"A1","amount":"90"}', '--json']),
      cli(['approve', request, '--patch', '"90"']),
      cli(['approve', request, '--patch', 'amount=90']),
    ])
    expect(misspelled).toMatchObject({
      code: 1,
      stderr: `error: The edit does not fit request '${request}', which stays open: there is no field 'amuont'. Did you mean 'amount'?\n`,
    })
    expect(unfit.code).toBe(1)
    expect(JSON.parse(unfit.stdout)).toMatchObject({ error: { message: expect.stringContaining("'amount': must be number") } })
    expect(noObject).toMatchObject({ code: 1, stderr: expect.stringContaining('is an object with the fields to change') })
    expect(broken).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^error: --patch is not valid JSON\. .*\nA patch holds the fields/),
    })
    expect(await beside.inbox.get(request)).toMatchObject({ status: 'open' })
    await cli(['approve', request])
    await untilStatus(beside, run, 'completed')
  })

  test('goes on with an answer that fits the question, and stays open until there is one [T15]', async () => {
    const [run, request] = await parked(['ask_when', 'lunch'])
    const [without, unfit, broken, both] = await Promise.all([
      cli(['approve', request]),
      cli(['approve', request, '--answer', '{"day":5}']),
      cli(['approve', request, '--answer', 'friday']),
      cli(['approve', request, '--answer', '1', '--patch', '{}']),
    ])
    expect(without).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: .* is a question: When does lunch suit\?\nAnswer it with --answer/),
    })
    expect(unfit).toMatchObject({ code: 1, stderr: expect.stringContaining('The answer does not fit request') })
    expect(broken).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^error: --answer is not valid JSON\. .*\nA text needs its quotes/),
    })
    expect(both).toMatchObject({ code: 2, stderr: 'error: --input, --patch and --answer exclude each other.\n' })
    const answered = await cli(['approve', request, '--answer', '{"day":"friday"}', '--by', 'ada', '--json'])
    expect(JSON.parse(answered.stdout)).toMatchObject({ status: 'decided', decision: { action: 'answer', by: 'ada' }, run })
    expect(await (await beside.get(run)).result()).toMatchObject({ ok: true, value: 'lunch on friday' })
  })

  test('is rejected, stopped, expired or cancelled [T14]', { timeout: 60_000 }, async () => {
    const [[rejected, a], [stopped, b], [expired, c], [cancelled]] = await Promise.all([parked(), parked(), parked(), parked()])
    await cli(['assign', c, 'eve'])
    const [forEve, ...verdicts] = await Promise.all([
      cli(['approvals', '--assignee', 'eve', '--json']),
      cli(['reject', a, 'too', 'much', '--by', 'ada']),
      cli(['reject', b, 'no more', '--stop', '--by', 'ada']),
      cli(['cancel', cancelled, 'not', 'wanted']),
    ])
    expect(JSON.parse(forEve.stdout)).toMatchObject({ approvals: [{ run: expired, assignee: 'eve' }] })
    const expiring = await cli(['expire', c])
    expect([...verdicts, expiring].map(({ code }) => code)).toEqual([0, 0, 0, 0])
    await Promise.all([
      untilStatus(beside, rejected, 'failed'),
      untilStatus(beside, stopped, 'stopped'),
      untilStatus(beside, expired, 'failed'),
      untilStatus(beside, cancelled, 'cancelled'),
    ])
    expect(await beside.show(rejected)).toMatchObject({ approvals: [{ decision: { action: 'reject', reason: 'too much', by: 'ada' } }] })
    expect(await beside.show(expired)).toMatchObject({ approvals: [{ decision: { reason: 'Nobody decided in time.' } }] })
    const [again, gone, nothing, notBlocked] = await Promise.all([
      cli(['cancel', cancelled]),
      cli(['approvals', '--run', rejected]),
      cli(['retry-compensation', rejected]),
      cli(['resume', stopped]),
    ])
    expect(again).toMatchObject({ code: 1, stderr: `error: The run '${cancelled}' had ended already: it is cancelled.\n` })
    expect(gone).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(/^Nothing waits for a person\. Looked at the app \S+:\S+, in the database .+\.\n/),
    })
    expect(nothing).toMatchObject({ code: 1, stderr: expect.stringContaining('no saga whose compensation failed') })
    expect(notBlocked).toMatchObject({ code: 1, stderr: expect.stringContaining('only a blocked run is taken up again by hand') })
  })
})

test('a step whose outcome is not known is settled by a person, who is recorded', async () => {
  const [run, request] = await parked(['loses', 'bob'])
  const short = run.slice(0, 8)
  const [listed, unfit, nowhere, asApproval] = await Promise.all([
    cli(['approvals', '--run', short]),
    cli(['settle', short, 'loses', '--happened', '{"receipt":"x0"}']),
    cli(['settle', short, 'elsewhere', '--not-happened']),
    cli(['approve', request]),
  ])
  expect(listed.stdout).toMatch(/outcome +loses .*The bank did not answer\./)
  expect(unfit).toMatchObject({ code: 1, stderr: expect.stringContaining("'receipt': must begin with r") })
  expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringContaining("It asks about 'loses'.") })
  expect(asApproval).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`Say it with: toolwright settle ${short} loses --happened '<json>' (or --not-happened)`),
  })
  const settled = await cli(['settle', short, 'loses', '--happened', '{"receipt":"r0"}', '--by', 'ada'])
  expect(settled).toMatchObject({ code: 0, stderr: expect.stringContaining(`Settled 'loses' of ${run} as ada (claimed): it happened.`) })
  await untilStatus(beside, run, 'completed')
  const record = await beside.show(run)
  expect(record.approvals).toMatchObject([{ request: { id: request }, decision: { by: 'ada', value: { happened: true } } }])
  expect(record.steps).toMatchObject([{ output: { receipt: 'r0' } }])
  const [one, late] = await Promise.all([cli(['approvals', request]), cli(['settle', short, 'loses', '--not-happened'])])
  expect(one.stdout).toMatch(/^status +decided \(answered by ada \(claimed\)\)$/m)
  expect(one.stdout).toMatch(/^answered +\{"happened":true,"value":\{"receipt":"r0"\}\}$/m)
  expect(late).toMatchObject({ code: 1, stderr: expect.stringContaining('is completed') })
})

test('a settlement says one of two things', async () => {
  expect(await cli(['settle', '733e7468', 'loses', '--happened', '{}', '--not-happened'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--not-happened'),
  })
})

describe('a run that is followed', () => {
  test('prints its result as a call does, and its steps where they are wanted [T3]', async () => {
    const [text, asData, failed, unfit] = await Promise.all([
      cli(['run', 'find_order', 'ada@example.com', '--progress']),
      cli(['run', 'find_order', '--input', '{"email":"ada@example.com"}', '--json']),
      cli(['run', 'fails', 'x']),
      cli(['run', 'find_order', 'email=ada', '--input', '{}', '--detach']),
    ])
    expect(text).toMatchObject({ code: 0, stdout: '{"orderId":"order of ada@example.com","amount":120}\n' })
    expect(text.stderr).toMatch(/^Run [\da-f-]{36}\nqueued\nrunning\nfind_order\n(?:find_order: .*\n){2}completed\n$/)
    expect(text.stderr).toContain('\nfind_order: 1 of 2: looking\n')
    expect(text.stderr).toContain('\nfind_order: done\n')
    expect(JSON.parse(asData.stdout)).toMatchObject({ ok: true, value: { amount: 120 }, run: expect.stringMatching(UUID) })
    expect(failed).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('error: It does not work.') })
    expect(unfit).toMatchObject({ code: 2, stderr: expect.stringContaining('given twice') })
  })

  test('is not begun with an input that does not fit [T4]', async () => {
    const before = (await beside.list({ tool: 'find_order' })).length
    const { code, stderr } = await cli(['run', 'find_order', '--input', '{}'])
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: Invalid input for tool 'find_order': .*email/),
    })
    expect(await beside.list({ tool: 'find_order' })).toHaveLength(before)
  })

  test('goes on when the one who follows leaves with Ctrl-C', async () => {
    const left = await cli(['run', 'find_order_then_issue_refund', 'email=ada@example.com'], {
      onStderr: (text, child) => {
        if (text.includes('waits for a person') && !text.includes('Leaving')) child.kill('SIGINT')
      },
    })
    expect(left).toMatchObject({ code: 130, stdout: '' })
    const [, id = '', request = '', shown] =
      /Run ([\da-f-]{36})\n.*toolwright approve (\w{8})\)\n[^]*toolwright show (\w{8})\n$/.exec(left.stderr) ?? []
    expect(shown).toBe(id.slice(0, 8))
    expect((await cli(['approve', request])).code).toBe(0)
    await untilStatus(beside, id, 'completed')
  })

  test('is the same run under the same key, and another input under that key is refused', async () => {
    const [one, two] = [await detached(['take_time', '1', '--key', 'k1']), await detached(['take_time', '1', '--key', 'k1'])]
    expect(two).toBe(one)
    const other = await cli(['run', 'take_time', '2', '--key', 'k1'])
    expect(other).toMatchObject({ code: 1, stderr: expect.stringMatching(/^error: The key 'k1' belongs to the run/) })
  })
})

describe('a run that is blocked', () => {
  test('says why, and is taken up again by hand', async () => {
    const unknown = tool({ name: 'unheard_of', description: 'Nobody has it.', effect: 'read', execute: () => 1 })
    const starter = await openRuns({ database: { home }, worker: false, tools: async () => new Map([[unknown.name, unknown]]) })
    onTestFinished(() => starter.close())
    const { id } = await starter.start(unknown, '')
    await untilStatus(beside, id, 'blocked')
    const resumed = await cli(['resume', id.slice(0, 8)])
    expect(resumed).toMatchObject({ code: 0, stderr: `The next free worker continues the run ${id}.\n` })
    await untilStatus(beside, id, 'blocked')
    expect((await cli(['show', id])).stdout).toMatch(/^status +blocked: No worker knows the tool 'unheard_of'\./m)
    expect((await beside.show(id)).history.filter(({ status }) => status === 'blocked')).toHaveLength(2)
  })
})

describe('an export', () => {
  test('is a document in a file for its owner alone, without secrets unless they are asked for', async () => {
    const run = await detached(['find_order', 'email=ada@example.com', 'token=opensesame'])
    await untilStatus(beside, run, 'completed')
    const folder = await folderWith({})
    const [masked, whole, nowhere, printed] = await Promise.all([
      cli(['show', run, '--export', join(folder, 'masked.json')]),
      cli(['show', run, '--export', join(folder, 'whole.json'), '--include-secrets', '--json']),
      cli(['show', run, '--export', join(folder, 'no', 'where.json')]),
      cli(['show', run, '--export', '-']),
    ])
    expect(masked).toMatchObject({ code: 0, stdout: '', stderr: expect.stringMatching(/its secrets masked\.\n$/) })
    expect(JSON.parse(whole.stdout)).toMatchObject({ run })
    expect(printed).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(printed.stdout)).toMatchObject({ format: 'toolwright.run', masked: true, run: { id: run } })
    expect(nowhere).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^error: The run could not be written to .*where\.json\. ENOENT/),
    })
    const [without, withThem] = await Promise.all(['masked.json', 'whole.json'].map((name) => readFile(join(folder, name), 'utf8')))
    expect(without).not.toContain('opensesame')
    expect(JSON.parse(withThem ?? '')).toMatchObject({
      format: 'toolwright.run',
      masked: false,
      run: { id: run, input: { token: 'opensesame' } },
      journal: [{ kind: 'call', path: 'find_order' }],
    })
  })
})

describe('a worker', () => {
  test('says of a run that it lost to another that it was taken over', async () => {
    const run = await detached(['take_time', '60000'])
    await worker.until(`"state":"taken","run":"${run}"`)
    const { pool } = beside.store
    await pool.query("UPDATE toolwright.run SET epoch = epoch + 1, ticket = ticket + 1, worker = 'other' WHERE id = $1", [run])
    await worker.until(`"state":"taken over","run":"${run}"`)
    expect(worker.lines().filter((line) => line['run'] === run)).toMatchObject([{ state: 'taken' }, { state: 'taken over' }])
    await pool.query("UPDATE toolwright.run SET status = 'cancelled', worker = NULL, ended_at = now() WHERE id = $1", [run])
  })

  test('says what it takes and how it leaves it, and on SIGTERM lets what is under way end', async () => {
    const run = await detached(['take_time', '1500'])
    await worker.until(`"state":"taken","run":"${run}"`)
    worker.child.kill('SIGTERM')
    const [code] = (await once(worker.child, 'close')) as [number]
    expect(code).toBe(0)
    const lines = worker.lines()
    expect(lines.filter((line) => line['run'] === run)).toMatchObject([{ state: 'taken', tool: 'take_time' }, { state: 'completed' }])
    expect(lines).toContainEqual(expect.objectContaining({ state: 'waiting', why: 'It waits for a person.' }))
    expect(await (await beside.get(run)).result()).toMatchObject({ ok: true, value: 'Took 1500 ms.' })
  })

  test('is not needed by one who follows a run, and short commands are none [T3]', async () => {
    const parkedRun = await detached(['take_time', '7'])
    await cli(['runs'])
    expect(await (await beside.get(parkedRun)).status()).toMatchObject({ status: 'queued' })
    const { code, stdout } = await cli(['run', 'take_time', '5'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Took 5 ms.\n' })
    await untilStatus(beside, parkedRun, 'completed')
  })

  test('ends at once at the second signal, and leaves its run to others', async () => {
    const other = await startWorker(['--concurrency', '2', '--limit', 'take_time=1', '--drain', '20s'], { cwd, env })
    const run = await detached(['take_time', '60000'])
    await other.until(`taken     ${run.slice(0, 8)} take_time`)
    other.child.kill('SIGTERM')
    await other.until('Taking no more runs.')
    other.child.kill('SIGTERM')
    expect(await once(other.child, 'close')).toEqual([143, null])
    expect(await (await beside.get(run)).status()).toMatchObject({ status: 'running' })
  })
})

test('runs that have ended are removed by their age or their number', async () => {
  const [aged, asData] = [
    await cli(['prune', '--older-than', '1d']),
    await cli(['prune', '--keep', '2', '--status', 'completed', '--json']),
  ]
  expect(aged).toMatchObject({ code: 0, stderr: '0 runs were removed.\n' })
  expect(JSON.parse(asData.stdout)).toEqual({ removed: expect.any(Number) })
  expect(await beside.list({ status: 'completed' })).toHaveLength(2)
  expect(await beside.list({ status: 'running' })).toHaveLength(1)
})
