import { execFile } from 'node:child_process'
import { createDecipheriv, createSecretKey } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { copyFile, cp, mkdir, mkdtemp, open, readdir, readFile, readlink, rename, rm, rmdir, symlink, writeFile } from 'node:fs/promises'
import { constants } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { PassThrough, Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { type RealError, realErrors } from './real-error.ts'

const run = promisify(execFile)

/** A folder with a file `a`, a folder `full` that holds a file, and a link `around` to itself. */
async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'tw-errors-'))
  try {
    await writeFile(join(folder, 'a'), 'text')
    await mkdir(join(folder, 'full'))
    await writeFile(join(folder, 'full', 'b'), 'text')
    await symlink('around', join(folder, 'around'))
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

const FILES = realErrors('node:fs', [
  ['no such file', 'not_found', 'failed', () => inFolder((at) => readFile(join(at, 'none')))],
  ['no such folder to write to', 'not_found', 'failed', () => inFolder((at) => writeFile(join(at, 'none', 'c'), ''))],
  ['no such folder to list', 'not_found', 'failed', () => inFolder((at) => readdir(join(at, 'none')))],
  ['a folder in place of a file', 'invalid_request', 'failed', () => inFolder((at) => readFile(at))],
  ['a folder that is written to', 'invalid_request', 'failed', () => inFolder((at) => writeFile(at, ''))],
  ['a file in place of a folder', 'not_found', 'failed', () => inFolder((at) => readdir(join(at, 'a')))],
  ['a path through a file', 'not_found', 'failed', () => inFolder((at) => readFile(join(at, 'a', 'b')))],
  ['a folder that exists', 'conflict', 'failed', () => inFolder((at) => mkdir(join(at, 'full')))],
  ['a file that exists', 'conflict', 'failed', () => inFolder((at) => writeFile(join(at, 'a'), '', { flag: 'wx' }))],
  [
    'a copy that exists',
    'conflict',
    'failed',
    () => inFolder((at) => copyFile(join(at, 'a'), join(at, 'full', 'b'), constants.COPYFILE_EXCL)),
  ],
  ['a folder that is not empty', 'conflict', 'failed', () => inFolder((at) => rmdir(join(at, 'full')))],
  [
    'a folder moved over one that is not empty',
    'conflict',
    'failed',
    () => inFolder((at) => mkdir(join(at, 'c')).then(() => rename(join(at, 'c'), join(at, 'full')))),
  ],
  ['a link to itself', 'invalid_request', 'failed', () => inFolder((at) => readFile(join(at, 'around')))],
  ['a name that is too long', 'invalid_request', 'failed', () => inFolder((at) => readFile(join(at, 'x'.repeat(300))))],
  ['no link', 'invalid_request', 'failed', () => inFolder((at) => readlink(join(at, 'a')))],
  ['a path with a null character', 'invalid_request', 'failed', () => readFile('a\0b')],
  ['a folder copied as a file', 'invalid_request', 'failed', () => inFolder((at) => cp(join(at, 'full'), join(at, 'c')))],
  [
    'a handle that was closed',
    'tool_crashed',
    'failed',
    () =>
      inFolder(async (at) => {
        const file = await open(join(at, 'a'))
        await file.close()
        await file.read()
      }),
  ],
])

const SCRIPT = ['--eval']
const PROGRAMS = realErrors('node:child_process', [
  ['an exit code', 'tool_failed', 'failed', () => run(process.execPath, [...SCRIPT, 'process.exit(3)'])],
  ['no such program', 'not_found', 'failed', () => run('no-such-program-anywhere')],
  ['no such working folder', 'not_found', 'failed', () => run(process.execPath, [], { cwd: '/no/such/folder' })],
  ['a file that is no program', 'access_denied', 'failed', () => inFolder((at) => run(join(at, 'a')))],
  [
    'out of time',
    'service_unavailable',
    'unknown',
    () => run(process.execPath, [...SCRIPT, 'setInterval(() => {}, 1000)'], { timeout: 40 }),
  ],
  ['killed by somebody', 'upstream_error', 'unknown', () => run(process.execPath, [...SCRIPT, 'process.kill(process.pid, "SIGKILL")'])],
  [
    'the caller has gone',
    'cancelled',
    'unknown',
    () => run(process.execPath, [...SCRIPT, 'setInterval(() => {}, 1000)'], { signal: AbortSignal.abort() }),
  ],
])

const STREAMS = realErrors('node:stream', [
  [
    'closed before its end',
    'service_unavailable',
    'unknown',
    async () => {
      const source = new PassThrough()
      setImmediate(() => source.destroy())
      await pipeline(source, new PassThrough().resume())
    },
  ],
  [
    'written after its end',
    'tool_crashed',
    'failed',
    () =>
      new Promise((_resolve, reject) => {
        const target = new Writable({ write: (_part, _encoding, done) => done() })
        target.on('error', reject)
        target.end()
        target.write('x')
      }),
  ],
  ['the caller has gone', 'cancelled', 'unknown', () => pipeline(Readable.from(['a']), new PassThrough(), { signal: AbortSignal.abort() })],
])

const zipped = gzipSync('a text that is long enough to be cut in the middle of itself')
const LANGUAGE = [
  ...realErrors('node:zlib', [
    ['no zipped data', 'upstream_error', 'unknown', () => gunzipSync('not zipped')],
    ['zipped data that is cut off', 'upstream_error', 'unknown', () => gunzipSync(zipped.subarray(0, 20))],
    [
      'zipped data that was changed',
      'upstream_error',
      'unknown',
      () => gunzipSync(Buffer.concat([zipped.subarray(0, -8), Buffer.alloc(8)])),
    ],
    ['no Brotli data', 'upstream_error', 'unknown', () => brotliDecompressSync('not zipped')],
  ]),
  ...realErrors('the language', [
    ['a property of undefined', 'tool_crashed', 'failed', () => (JSON.parse('{}') as { a: { b: string } }).a.b],
    ['no function', 'tool_crashed', 'failed', () => (JSON.parse('{}') as { a: () => void }).a()],
    ['a name that is not declared', 'tool_crashed', 'failed', () => new Function('return nowhereDeclared')()],
    ['a recursion without an end', 'tool_crashed', 'failed', () => deeper(0)],
    ['a text of a wrong length', 'tool_crashed', 'failed', () => 'x'.repeat(-1)],
    ['no JSON', 'upstream_error', 'unknown', () => JSON.parse('{a:1}')],
    ['JSON with a tail', 'upstream_error', 'unknown', () => JSON.parse('{"a":1}}')],
    ['JSON with a broken escape', 'upstream_error', 'unknown', () => JSON.parse(String.raw`"\x"`)],
    [
      'a circle as JSON',
      'tool_crashed',
      'failed',
      () => {
        const circle: { self?: unknown } = {}
        circle.self = circle
        return JSON.stringify(circle)
      },
    ],
    ['a pattern that is none', 'invalid_request', 'failed', () => new RegExp(['(', 'a'].join(''))],
    ['a percent sign that encodes nothing', 'invalid_request', 'failed', () => decodeURIComponent('%')],
    ['a URL that is none', 'invalid_request', 'failed', () => new URL('no url')],
    ['no base64', 'invalid_request', 'failed', () => atob('a')],
    ['bytes that are no text', 'upstream_error', 'unknown', () => new TextDecoder('utf8', { fatal: true }).decode(Buffer.from([0xff]))],
    ['a function to be copied', 'tool_crashed', 'failed', () => structuredClone(() => undefined)],
    ['an AbortSignal that ended', 'cancelled', 'unknown', () => AbortSignal.abort().throwIfAborted()],
    ['a pause that was ended', 'cancelled', 'unknown', () => pause(1000, undefined, { signal: AbortSignal.abort() })],
    ['an event that was given up', 'cancelled', 'unknown', () => once(new EventEmitter(), 'x', { signal: AbortSignal.abort() })],
    [
      'a key of a wrong length',
      'tool_crashed',
      'failed',
      () => createDecipheriv('aes-256-gcm', createSecretKey(Buffer.alloc(3)), Buffer.alloc(12)),
    ],
    ['a module that is not installed', 'tool_crashed', 'failed', () => import(['no-such', 'package-here'].join('-'))],
    [
      'all of several at once',
      'service_unavailable',
      'not_started',
      () => Promise.any([fetch('http://a.invalid'), fetch('http://b.invalid')]),
    ],
    ['a bare text', 'tool_failed', 'failed', () => Promise.reject('It went wrong.')],
    ['nothing', 'tool_failed', 'failed', () => Promise.reject(undefined)],
    ['an object of a client', 'not_found', 'failed', () => Promise.reject({ message: 'No such user.', status: 404 })],
  ]),
]

function deeper(depth: number): number {
  return deeper(depth + 1) + 1
}

/** A database with a table of orders, of which number 1 exists. */
function withDatabase<T>(work: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(':memory:')
  try {
    database.exec('create table customers (id integer primary key) strict')
    database.exec(
      'create table orders (id integer primary key, number int not null unique, total int check (total > 0), customer int references customers) strict',
    )
    database.exec('insert into orders values (1, 1, 1, null)')
    return work(database)
  } finally {
    if (database.isOpen) database.close()
  }
}

const inserts = (values: string) => () => withDatabase((database) => database.exec(`insert into orders values (${values})`))
const SQLITE = realErrors('node:sqlite', [
  ['a primary key twice', 'conflict', 'failed', inserts('1, 2, 1, null')],
  ['a unique value twice', 'conflict', 'failed', inserts('2, 1, 1, null')],
  ['a required value that is missing', 'invalid_request', 'failed', inserts('2, null, 1, null')],
  ['a check that fails', 'invalid_request', 'failed', inserts('2, 2, -1, null')],
  ['a row that does not exist', 'conflict', 'failed', inserts('2, 2, 1, 77')],
  ['a value of another type', 'invalid_request', 'failed', inserts("2, 'two', 1, null")],
  ['no SQL', 'invalid_request', 'failed', () => withDatabase((database) => database.exec('selec 1'))],
  ['no such table', 'invalid_request', 'failed', () => withDatabase((database) => database.exec('select * from nowhere'))],
  ['no such column', 'invalid_request', 'failed', () => withDatabase((database) => database.exec('select nothing from orders'))],
  ['too few values', 'invalid_request', 'failed', inserts('2')],
  [
    'a database that is closed',
    'tool_crashed',
    'failed',
    () =>
      withDatabase((database) => {
        database.close()
        database.exec('select 1')
      }),
  ],
  [
    'a database that only reads',
    'access_denied',
    'failed',
    () =>
      inFolder(async (at) => {
        new DatabaseSync(join(at, 'd')).close()
        const database = new DatabaseSync(join(at, 'd'), { readOnly: true })
        try {
          database.exec('create table b (id)')
        } finally {
          database.close()
        }
      }),
  ],
  [
    'a database that somebody else has locked',
    'service_unavailable',
    'failed',
    () =>
      inFolder(async (at) => {
        const databases = [new DatabaseSync(join(at, 'd')), new DatabaseSync(join(at, 'd'))]
        try {
          for (const database of databases) database.exec('begin exclusive')
        } finally {
          for (const database of databases) database.close()
        }
      }),
  ],
  [
    'a file that is no database',
    'tool_crashed',
    'failed',
    () =>
      inFolder(async (at) => {
        await writeFile(join(at, 'd'), 'x'.repeat(5000))
        const database = new DatabaseSync(join(at, 'd'))
        try {
          database.exec('select * from sqlite_master')
        } finally {
          database.close()
        }
      }),
  ],
])

export const NODE_ERRORS: readonly RealError[] = [...FILES, ...PROGRAMS, ...STREAMS, ...LANGUAGE, ...SQLITE]
