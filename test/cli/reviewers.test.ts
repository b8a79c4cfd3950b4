import { randomBytes } from 'node:crypto'

import { userInfo } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { durableRuns, openRequest, untilStatus } from '../fixtures/run/durable-runs.ts'
import { notingTools } from '../fixtures/run/noting-tools.ts'
import { gate } from '../../src/combinators/gate/gate.ts'
import { ToolError } from '../../src/tool/errors/tool-error.ts'
import { tool } from '../../src/tool/tool.ts'
import { type CliOptions, type CliRun, folderWith, runCli } from './run-cli.ts'

const database = durableRuns()

/** Calls the program with a configuration, and with variables of the environment. */
async function configured(config: string): Promise<(words: readonly string[], env?: Record<string, string>) => Promise<CliRun>> {
  const cwd = await folderWith({ 'toolwright.config.mjs': `export default ${config}` })
  const file = join(cwd, 'toolwright.config.mjs')
  const own = { TOOLWRIGHT_HOME: database.home, DATABASE_URL: '' }
  return (words, env = {}) => runCli([...words, '--config', file], { cwd, env: { ...own, ...env } })
}

const IDENTIFYING = `{ reviewers: { identify: ({ name, channel }) => channel === 'cli' && process.env.TICKET === 'ticket of ' + name
  ? { id: name, permissions: name === 'eve' ? [] : ['review:pay'] } : undefined } }`

test('a request is decided by those whom the configuration identifies, and by nobody else', async () => {
  const { noting, done } = notingTools()
  const pay = gate(noting('pay'), { approvals: { count: 2 } })
  const runs = await database.open([pay])
  const { id } = await runs.start(pay, 'ann', { principal: { id: 'rita', permissions: [] } })
  const request = await openRequest(runs, id)
  const cli = await configured(IDENTIFYING)
  const ticketOf = (name: string): Record<string, string> => ({ TICKET: `ticket of ${name}` })
  const refusals = await Promise.all([
    cli(['approve', request]),
    cli(['approve', request, '--by', 'ada']),
    cli(['approve', request, '--by', 'ada'], ticketOf('bob')),
    cli(['approve', request, '--by', 'eve'], ticketOf('eve')),
    cli(['reject', request, '--by', 'eve'], ticketOf('eve')),
    cli(['expire', request, '--by', 'eve'], ticketOf('eve')),
    cli(['assign', request, 'eve', '--by', 'ada'], ticketOf('ada')),
  ])
  for (const { code, stderr } of refusals) {
    expect(stderr).toContain('does not count, and the request stays open')
    expect(code).toBe(1)
  }
  const first = await cli(['approve', request, '--patch', '"bob"', '--by', 'ada'], ticketOf('ada'))
  expect(first).toMatchObject({ code: 0, stderr: expect.stringMatching(/ as ada\. 1 of 2 approvals: it waits for others\.\n$/) })
  const shown = await cli(['approvals', request])
  expect(shown.stdout).toMatch(/^needs +2 approvals, not of the caller$/m)
  expect(shown.stdout).toMatch(/^votes +edited by ada at .*, edition 1$/m)
  expect(shown.stdout).toMatch(/^edited +edition 1: /m)
  const unseen = await cli(['approve', request, '--by', 'bob'], ticketOf('bob'))
  expect(unseen).toMatchObject({ code: 1, stderr: expect.stringContaining('approve edition 1') })
  expect(done).toEqual([])
  const second = await cli(['approve', request, '--edition', '1', '--by', 'bob'], ticketOf('bob'))
  expect(second).toMatchObject({ code: 0, stderr: expect.stringMatching(/ as bob\. The run .* continues/) })
  await untilStatus(runs, id, 'completed')
  expect(done).toEqual(['pay bob'])
})

test('a step is settled by as many people as had to approve it, and each is told how many it takes', async () => {
  let paid = 0
  const lost = tool({
    name: 'pay',
    description: 'Pays.',
    effect: 'write',
    execute: () => {
      if (++paid > 1) return 'paid'
      throw new ToolError('The bank did not answer.', { code: 'service_unavailable', outcome: 'unknown' })
    },
  })
  const pay = gate(lost, { approvals: { count: 2 } })
  const runs = await database.open([pay], { shared: { unknownOutcome: 'ask' } })
  const { id } = await runs.start(pay, 'ann', { principal: { id: 'rita', permissions: [] } })
  const request = await openRequest(runs, id)
  for (const name of ['ada', 'bob']) await runs.inbox.approve(request, { id: name, permissions: [] })
  for (;;) if ((await runs.inbox.list({ run: id })).some(({ request: { about } }) => about === 'outcome')) break
  const cli = await configured(IDENTIFYING)
  const settle = (name: string): Promise<CliRun> =>
    cli(['settle', id, 'pay/gated', '--not-happened', '--by', name], { TICKET: `ticket of ${name}` })
  expect(await cli(['settle', id, 'pay/gated', '--not-happened', '--by', 'ada'])).toMatchObject({ code: 1 })
  expect((await settle('eve')).stderr).toContain('does not count, and the request stays open')
  expect(await settle('ada')).toMatchObject({
    code: 0,
    stderr: `Recorded for 'pay/gated' of ${id} as ada: it did not happen. 1 of 2 equal answers: it waits for others.\n`,
  })
  const [item] = await runs.inbox.list({ run: id })
  const shown = await cli(['approvals', item?.request.id ?? ''])
  expect(shown.stdout).toMatch(/^needs +2 equal answers, not of the caller$/m)
  expect(shown.stdout).toMatch(/^votes +answered \{"happened":false\} by ada at /m)
  expect(paid).toBe(1)
  expect((await settle('bob')).stderr).toContain('it did not happen. The step runs again with the next free worker.')
  await untilStatus(runs, id, 'completed')
  expect(paid).toBe(2)
})

test('the configuration can take the user of the machine for a proof, whatever name is typed', async () => {
  const { noting, done } = notingTools()
  const pay = gate(noting('pay'), { approvals: {} })
  const runs = await database.open([pay])
  const { id } = await runs.start(pay, 'ann', { principal: { id: 'rita', permissions: [] } })
  const request = await openRequest(runs, id)
  const cli = await configured(
    "{ reviewers: { identify: ({ name, user, channel }) => channel === 'cli' && name === user ? { id: name, permissions: ['review:*', 'assign:*'] } : undefined } }",
  )
  const forged = { USER: 'ada', LOGNAME: 'ada', USERNAME: 'ada' }
  expect(await cli(['approve', request, '--by', 'ada'], forged)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('gave no principal'),
  })
  expect((await cli(['assign', request, 'ada', '--by', 'ada'], forged)).code).toBe(1)
  expect((await cli(['assign', request, userInfo().username])).code).toBe(0)
  expect(await cli(['approve', request])).toMatchObject({ code: 0, stderr: expect.stringContaining(` as ${userInfo().username}. `) })
  await untilStatus(runs, id, 'completed')
  expect(done).toEqual(['pay ann'])
})

const GATED = `import { defineConfig, autoReview, gate, tool } from 'toolwright'
const pay = tool({ name: 'pay', description: 'Pays.', effect: 'irreversible', execute: (to) => 'paid ' + to })
export default defineConfig({ tools: [gate(pay, { why: 'Money.', approvals: { count: 2 } })], principal: { id: 'rita', permissions: [] }`

test('a run says which command decides, and nothing of what was decided before', async () => {
  const cwd = await folderWith({
    'toolwright.config.mjs': `${GATED}, reviewers: { identify: ({ name }) => ({ id: name, permissions: ['review:*'] }) } })`,
  })
  const own = { TOOLWRIGHT_HOME: '', DATABASE_URL: '' }
  const words = ['run', 'pay', 'ann', '--key', 'k2', '--home', database.home]
  const cli = (more: readonly string[], options: CliOptions = {}): Promise<CliRun> => runCli(more, { cwd, env: own, ...options })
  const left = await cli(words, {
    onStderr: (text, child) => {
      if (text.includes('waits for a person') && !text.includes('Leaving')) child.kill('SIGINT')
    },
  })
  const [, request = ''] = /\(toolwright approve (\w{8}) --by '<name>' --home (\S+)\)/.exec(left.stderr) ?? []
  expect(left.stderr).toContain(`toolwright show ${/Run (\w{8})/.exec(left.stderr)?.[1]} --home ${database.home}`)
  const decided = await cli(['approve', request, '--patch', '"bob"', '--by', 'ada', '--home', database.home])
  expect(decided).toMatchObject({ code: 0 })
  const edited = await cli(words, {
    onStderr: (text, child) => {
      if (text.includes('waits for a person') && !text.includes('Leaving')) child.kill('SIGINT')
    },
  })
  expect(edited.stderr).toContain(`(toolwright approve ${request} --edition 1 --by '<name>' --home ${database.home})`)
  expect((await cli(['approve', request, '--edition', '1', '--by', 'bob', '--home', database.home])).code).toBe(0)
  const done = await cli(words)
  expect(done).toMatchObject({ code: 0, stdout: 'paid bob\n' })
  expect(done.stderr).not.toContain('waits')
  const again = await cli(words)
  expect(again).toMatchObject({ code: 0, stdout: 'paid bob\n', stderr: expect.stringMatching(/^Run \S+ has ended before: completed\n$/) })
  const told = await cli([...words, '--progress'])
  expect(told.stderr).toMatch(/^pay asked a person: Money\.$/m)
  expect(told.stderr).toMatch(/: edit by ada, approved by bob$/m)
  expect(told.stderr).not.toContain('pay waits for a person')
})

test('a stop says that the run ends', async () => {
  const { noting } = notingTools()
  const pay = gate(noting('pay'))
  const runs = await database.open([pay])
  const { id } = await runs.start(pay, 'ann')
  const cli = await configured('{}')
  const stopped = await cli(['reject', await openRequest(runs, id), 'fraud', '--stop'])
  expect(stopped.stderr).toMatch(/^Stopped the run at \S+ as .*\. The run \S+ ends with the next free worker\.\n$/)
})

test('a gate that nobody could open is a finding of check', async () => {
  const checked = async (more: string): Promise<CliRun> =>
    runCli(['check'], { cwd: await folderWith({ 'toolwright.config.mjs': `${GATED}${more} })` }), env: {} })
  expect(await checked('')).toMatchObject({ code: 0, stdout: expect.stringMatching(/unreachable_approval\n.*nobody vouches/) })
  expect(await checked(', review: autoReview()')).toMatchObject({
    stdout: expect.stringMatching(/needs 2 approvals, and the reviewer gives one/),
  })
  expect((await checked(', reviewers: { identify: () => undefined }')).stdout).not.toContain('unreachable_approval')
})

test('what was written before there was a key is sealed on the word of a person', async () => {
  const { noting } = notingTools()
  const pay = noting('pay')
  const runs = await database.open([pay])
  const { id } = await runs.start(pay, 'ann')
  await untilStatus(runs, id, 'completed')
  const sealing = await configured(`{ database: { encryption: { key: '${randomBytes(32).toString('base64')}' } } }`)
  expect(await sealing(['show', id])).toMatchObject({ code: 2, stderr: expect.stringContaining('toolwright seal') })
  expect((await sealing(['doctor'])).stdout).toMatch(
    /^problem +encryption +a key is set; there are runs with plain values\. .*toolwright seal$/m,
  )
  expect(await sealing(['seal'])).toMatchObject({ code: 0, stderr: expect.stringMatching(/^\d+ values were sealed\.\n$/) })
  expect(await sealing(['show', id])).toMatchObject({ code: 0, stdout: expect.stringContaining('ann>pay') })
  expect((await sealing(['doctor'])).stdout).toMatch(/^ok +encryption +a key is set; there are runs with sealed values$/m)
  const plain = await configured('{}')
  expect(await plain(['doctor'])).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(
      /^problem +encryption +no key is set; there are runs with sealed values\. Set database\.encryption\.key/m,
    ),
  })
  expect(await plain(['seal'])).toMatchObject({ code: 2, stderr: expect.stringContaining('There is no key to seal with.') })
})
