import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { isInternal } from './internal-text.ts'
import { ToolError } from './tool-error.ts'

const thrownBy = async (work: () => unknown): Promise<unknown> => {
  try {
    await work()
  } catch (error) {
    return error
  }
  throw new Error('It did not throw.')
}

test.each([
  ['a file that is missing', () => readFile('/no/such/file')],
  ['a connection that is refused', () => fetch('http://127.0.0.1:1/')],
  ['a defect', () => (undefined as unknown as { readonly x: { readonly y: 1 } }).x.y],
  ['text that is not JSON', () => JSON.parse('{')],
])('the words of a machine are internal: %s', async (_, work) => {
  expect(isInternal(await thrownBy(work))).toBe(true)
})

test.each([
  Object.assign(new Error('relation "ledger" does not exist'), { code: '42P01', severity: 'ERROR' }),
  Object.assign(new Error('Unique constraint failed'), { code: 'P2002' }),
  new Error('connect ECONNREFUSED'),
  new Error('no route to 10.0.0.5'),
  new Error('cannot open postgres://ledger/db'),
  new Error('https://svc:pw@api.example.com says no'),
  new Error("cannot read '/srv/app/config.json'"),
  'thrown from /home/svc/index.ts',
  new Error('Loading failed: ENOENT: no such file', { cause: Object.assign(new Error('ENOENT: no such file'), { code: 'ENOENT' }) }),
  new Error('Saving failed: bad row', { cause: Object.assign(new Error('bad row'), { code: '23505' }) }),
  new ToolError('The vault is sealed.', { internal: true }),
  new Error('upstream ledger.internal.corp:5432 refused'),
  new Error('no answer of ledger:5432'),
  new Error('cannot reach [fd00::5]:6379'),
  new Error('cannot reach fe80::1'),
  new Error('cannot reach ::1'),
  new Error('cannot reach 2001:db8:0:0:0:0:0:1'),
  new Error('cannot open \\\\fs01\\ledger\\x'),
  new Error('cannot open ./conf/ledger/db.sqlite'),
  new Error("cannot find module '../ledger.ts'"),
  new DOMException('ledger could not be cloned.', 'DataCloneError'),
])('internal: %s', (thrown) => {
  expect(isInternal(thrown)).toBe(true)
})

test.each([
  new Error('Order 17 is closed.'),
  new Error('The date must be later than 2026-01-01 at 10:00'),
  new Error('The profile cannot be loaded.', { cause: Object.assign(new Error('ENOENT: no such file'), { code: 'ENOENT' }) }),
  Object.assign(new Error('Slow down'), { status: 429 }),
  new Error('See https://docs.example.com/errors/17'),
  new ToolError("Folder '/srv/reports' is full.", { code: 'not_found' }),
  'No such order.',
  new Error('Order:10017 is closed: see [1: 2]'),
  new Error('Meet at 10:20:30, or between 9:15 and 10:45.'),
  new Error('Use std::vector, not Foo::bar; the ratio is 16:9.'),
  new Error('Write either./or, or ... and so on.'),
  new Error('Version 1.2.3: 45 rows'),
  new DOMException('Nobody decided in time.', 'TimeoutError'),
  undefined,
])('the words of an author: %s', (thrown) => {
  expect(isInternal(thrown)).toBe(false)
})
