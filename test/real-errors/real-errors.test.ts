import { afterAll, beforeAll, expect, test } from 'vitest'
import { LIBRARY_ERRORS } from '../fixtures/library-errors.ts'
import { startPostgres, type StartedPostgres } from '../fixtures/postgres/start-postgres.ts'
import { classifyError } from '../../src/tool/errors/classify-error.ts'
import { copiedErrors } from './copied-errors.ts'
import { dataErrors } from './data-errors.ts'
import { databaseErrors } from './database-errors.ts'
import { LANGUAGE_ERRORS } from './language-errors.ts'
import { mailErrors } from './mail-errors.ts'
import { mcpErrors } from './mcp-errors.ts'
import { type MisbehavingServers, startMisbehaving } from './misbehaving-servers.ts'
import { modelErrors } from './model-errors.ts'
import { networkErrors } from './network-errors.ts'
import { NODE_ERRORS } from './node-errors.ts'
import { type RealError, thrownBy } from './real-error.ts'

let servers: MisbehavingServers
let postgres: StartedPostgres

beforeAll(async () => {
  ;[servers, postgres] = await Promise.all([startMisbehaving(), startPostgres({ tcp: true })])
})
afterAll(() => Promise.all([servers.close(), postgres.stop()]))

const GROUPS: Readonly<Record<string, () => readonly RealError[]>> = {
  'Node itself': () => NODE_ERRORS,
  'names, codes and sentences': () => LANGUAGE_ERRORS,
  'errors that were copied': () => copiedErrors(servers),
  'the network': () => networkErrors(servers),
  databases: () => databaseErrors(postgres, servers),
  'models and agents': () => modelErrors(servers),
  MCP: () => mcpErrors(servers),
  mail: () => mailErrors(servers),
  'data and servers': () => dataErrors(servers),
}

test.each(Object.keys(GROUPS))('errors that real libraries throw mean what the table says: %s [H1]', async (group) => {
  const verdicts: Record<string, string> = {}
  const expected: Record<string, string> = {}
  for (const { library, about, code, outcome, retryAfterMs, provoke } of GROUPS[group]?.() ?? []) {
    const error = classifyError(await thrownBy(provoke))
    const title = `${library}: ${about}`
    verdicts[title] = `${error.code}, ${error.outcome}, ${error.retryAfterMs}`
    expected[title] = `${code}, ${outcome}, ${retryAfterMs}`
  }
  expect(verdicts).toEqual(expected)
})

test('the table has at least 200 errors of real libraries beside those that are kept as data [H1]', () => {
  const all = Object.values(GROUPS).flatMap((rows) => rows())
  expect(all.length).toBeGreaterThanOrEqual(200)
  expect(new Set(all.map(({ library, about }) => `${library}: ${about}`)).size).toBe(all.length)
  expect(all.length + LIBRARY_ERRORS.length).toBeGreaterThanOrEqual(320)
})
