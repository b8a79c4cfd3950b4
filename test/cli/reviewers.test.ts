import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { durableRuns, openRequest, untilStatus } from '../fixtures/run/durable-runs.ts'
import { notingTools } from '../fixtures/run/noting-tools.ts'
import { gate } from '../../src/combinators/gate/gate.ts'
import { type CliRun, folderWith, runCli } from './run-cli.ts'

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
