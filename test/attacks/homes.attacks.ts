import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { inspect } from 'node:util'
import pg from 'pg'
import { openStore, stopEmbedded, type Store } from 'toolwright/store'
import { expect } from 'vitest'
import { fillHome } from '../fixtures/prepared.ts'
import type { Attack } from './attack.ts'

const isRoot = process.getuid?.() === 0
const ME = process.getuid?.() ?? 0
/** Somebody else. Only root can prepare something that is theirs. */
const OTHER = 12_345

/** A folder for one attack, which is removed behind it. */
async function inFolder(work: (folder: string) => void | Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'home-'))
  chmodSync(folder, 0o755)
  try {
    await work(folder)
  } finally {
    await stopEmbedded(join(folder, 'home'))
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

interface UsedHome {
  readonly home: string
  readonly password: string
}

let used: Promise<UsedHome> | undefined

/** A home that was used and whose server is stopped: `kept` is a table in it. Making the data takes longest, so it is made once. */
function usedHome(): Promise<UsedHome> {
  used ??= (async () => {
    const folder = mkdtempSync(join(tmpdir(), 'used-'))
    chmodSync(folder, 0o755)
    const home = join(folder, 'home')
    fillHome(home)
    const store = await openStore({ home })
    await store.pool.query('create table kept as select 7 as seven')
    await store.close()
    await stopEmbedded(home)
    return { home, password: String(store.connection.password) }
  })()
  return used
}

/** A copy of the used home, with the owners and modes of its files. */
async function copiedHome(folder: string): Promise<UsedHome> {
  const { home: from, password } = await usedHome()
  const home = join(folder, 'home')
  execFileSync('cp', ['-a', from, home])
  return { home, password }
}

async function isRefused(home: string, cure: string): Promise<void> {
  const before = readdirSync(home, { recursive: true }).toSorted()
  const error: unknown = await openStore({ home, connectTimeout: '20s' }).then(
    async (store) => {
      await store.close()
      return 'it was opened'
    },
    (thrown: unknown) => thrown,
  )
  expect(error).toMatchObject({ name: 'ConfigurationError', code: 'unsafe_home' })
  expect((error as Error).message).toContain(cure)
  expect(readdirSync(home, { recursive: true }).toSorted()).toEqual(before)
}

const MODES = [0o777, 0o775, 0o757, 0o722, 0o770, 0o702, 0o1777, 0o2775]

const modeRows: readonly Attack[] = MODES.flatMap((mode) =>
  ['', 'postgres'].map((below) => ({
    name: `others may write to ${below === '' ? 'the home' : `the folder ${below} in it`}: mode ${mode.toString(8)}`,
    before: 'fell',
    attempt: () =>
      inFolder(async (folder) => {
        const home = join(folder, 'home')
        mkdirSync(join(home, below), { recursive: true, mode: 0o755 })
        chmodSync(join(home, below), mode)
        await isRefused(home, `chmod go-w ${join(home, below)}`)
      }),
  })),
)

/** Rows that only root can prepare. */
function asRoot(name: string, before: Attack['before'], attempt: (folder: string) => Promise<void>): Attack {
  return { name, before, attempt: () => (isRoot ? inFolder(attempt) : undefined) }
}

const ownerRows: readonly Attack[] = [
  ...['', 'postgres'].flatMap((below) =>
    [OTHER, 65_534].map((owner) =>
      asRoot(`user ${owner} owns ${below === '' ? 'the home' : `the folder ${below} in it`}`, 'fell', async (folder) => {
        const home = join(folder, 'home')
        mkdirSync(join(home, below), { recursive: true, mode: 0o755 })
        chownSync(join(home, below), owner, owner)
        await isRefused(home, `chown ${ME} ${join(home, below)}`)
      }),
    ),
  ),
  asRoot('somebody else has made a link to a folder of ours', 'fell', async (folder) => {
    const [home, ours] = [join(folder, 'home'), join(folder, 'ours')]
    mkdirSync(ours, { mode: 0o700 })
    symlinkSync(ours, home)
    const { lchownSync } = await import('node:fs')
    lchownSync(home, OTHER, OTHER)
    await isRefused(home, `rm ${home}`)
    expect(statSync(ours).mode & 0o777).toBe(0o700)
  }),
  asRoot('a link leads to a folder of somebody else', 'fell', async (folder) => {
    const [home, theirs] = [join(folder, 'home'), join(folder, 'theirs')]
    mkdirSync(theirs, { mode: 0o755 })
    chownSync(theirs, OTHER, OTHER)
    symlinkSync(theirs, home)
    await isRefused(home, 'belongs to user')
  }),
  {
    name: 'a link leads to a folder that others may write',
    before: 'fell',
    attempt: () =>
      inFolder(async (folder) => {
        const [home, shared] = [join(folder, 'home'), join(folder, 'shared')]
        mkdirSync(shared)
        chmodSync(shared, 0o777)
        symlinkSync(shared, home)
        await isRefused(home, 'chmod go-w')
      }),
  },
]

/** A home with data that root has copied, and what an attacker has put among them. */
async function withCopiedData(folder: string, prepare: (data: string) => void): Promise<void> {
  const { home } = await copiedHome(folder)
  const data = join(home, 'postgres', 'data')
  for (const entry of ['', ...readdirSync(data, { recursive: true, encoding: 'utf8' })]) chownSync(join(data, entry), 0, 0)
  prepare(data)
  await openStore({ home, connectTimeout: '20s' }).then(
    (store) => store.close(),
    () => {},
  )
}

const linkRows: readonly Attack[] = [
  asRoot('a link among the data leads to a folder of root', 'fell', async (folder) => {
    const victim = join(folder, 'victim')
    mkdirSync(join(victim, 'deeper'), { recursive: true })
    writeFileSync(join(victim, 'deeper', 'file'), '')
    await withCopiedData(folder, (data) => symlinkSync(victim, join(data, 'pg_tblspc', '1')))
    for (const path of [victim, join(victim, 'deeper'), join(victim, 'deeper', 'file')]) expect(lstatSync(path).uid).toBe(0)
  }),
  asRoot('a link among the data leads to a file of root', 'held', async (folder) => {
    const victim = join(folder, 'victim')
    writeFileSync(victim, '')
    await withCopiedData(folder, (data) => symlinkSync(victim, join(data, 'file')))
    expect(lstatSync(victim).uid).toBe(0)
  }),
  asRoot('the data are a link to a folder of root', 'fell', async (folder) => {
    const victim = join(folder, 'victim')
    await withCopiedData(folder, (data) => {
      renameSync(data, victim)
      symlinkSync(victim, data)
    })
    expect(lstatSync(victim).uid).toBe(0)
    expect(lstatSync(join(victim, 'PG_VERSION')).uid).toBe(0)
  }),
  asRoot('the log is a link to a file of root', 'held', async (folder) => {
    const victim = join(folder, 'victim')
    writeFileSync(victim, 'precious')
    const { home } = await copiedHome(folder)
    rmSync(join(home, 'postgres', 'server.log'))
    symlinkSync(victim, join(home, 'postgres', 'server.log'))
    await expect(openStore({ home, connectTimeout: '20s' })).rejects.toMatchObject({ name: 'ConfigurationError' })
    expect(lstatSync(victim).uid).toBe(0)
    expect(readFileSync(victim, 'utf8')).toBe('precious')
  }),
  asRoot('the log is a second name of a file of root', 'fell', async (folder) => {
    const victim = join(folder, 'victim')
    writeFileSync(victim, 'precious')
    const { home } = await copiedHome(folder)
    rmSync(join(home, 'postgres', 'server.log'))
    linkSync(victim, join(home, 'postgres', 'server.log'))
    await expect(openStore({ home, connectTimeout: '20s' })).rejects.toMatchObject({ code: 'unsafe_home' })
    expect(lstatSync(victim).uid).toBe(0)
    expect(readFileSync(victim, 'utf8')).toBe('precious')
  }),
  asRoot('the home is a link to a private folder of root', 'fell', async (folder) => {
    const [home, victim] = [join(folder, 'home'), join(folder, 'victim')]
    mkdirSync(victim, { mode: 0o700 })
    symlinkSync(victim, home)
    await openStore({ home, connectTimeout: '20s' }).then(
      (store) => store.close(),
      () => {},
    )
    expect(statSync(victim).mode & 0o777).toBe(0o700)
  }),
]

interface Served {
  readonly home: string
  readonly data: string
  readonly store: Store
  readonly host: string
}

let serving: Promise<Served> | undefined

/** One server for all attacks that do not change it. */
function served(): Promise<Served> {
  serving ??= (async () => {
    const folder = mkdtempSync(join(tmpdir(), 'served-'))
    chmodSync(folder, 0o755)
    const { home } = await copiedHome(folder)
    const store = await openStore({ home, idleStop: '10m' })
    return { home, data: join(home, 'postgres', 'data'), store, host: store.connection.host ?? '' }
  })()
  return serving
}

/** To be called when the attacks are over. */
export async function closeServed(): Promise<void> {
  const server = await serving
  await server?.store.close()
  if (server !== undefined) await stopEmbedded(server.home)
  for (const { home } of [server, await used].filter((each) => each !== undefined))
    rmSync(dirname(home), { recursive: true, force: true, maxRetries: 5 })
}

/** Whether somebody at the socket gets in. Root reaches every socket, so this is what the server itself lets in. */
async function getsIn(host: string, more: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client({ host, port: 5432, user: 'toolwright', database: 'postgres', ssl: false, ...more })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

const STRANGERS: Readonly<Record<string, pg.ClientConfig>> = {
  'without a password': {},
  'with an empty password': { password: '' },
  'with a guessed password': { password: 'toolwright' },
  'as another role': { user: 'postgres', password: 'postgres' },
  'as the user of the system': { user: 'nobody' },
  'to another database': { database: 'template1' },
  'for replication': { replication: 'database' } as pg.ClientConfig,
}

const doorRows: readonly Attack[] = [
  ...Object.entries(STRANGERS).map(([name, config]): Attack => ({
    name: `somebody who shares the user of the server connects ${name}`,
    before: name === 'as another role' || name === 'as the user of the system' || name === 'for replication' ? 'held' : 'fell',
    attempt: async () => {
      const { host, store } = await served()
      expect(await getsIn(host, { password: store.connection.password as string })).toBe(true)
      expect(await getsIn(host, config)).toBe(false)
    },
  })),
  {
    name: 'the user of the server lets everybody in, among the data',
    before: 'fell',
    attempt: async () => {
      const { host, data, store } = await served()
      const file = join(data, 'pg_hba.conf')
      const before = readFileSync(file)
      writeFileSync(file, 'local all all trust\n')
      await store.pool.query('select pg_reload_conf()')
      await expect.poll(async () => getsIn(host, { password: store.connection.password as string })).toBe(true)
      expect(await getsIn(host, {})).toBe(false)
      writeFileSync(file, before)
    },
  },
  {
    name: 'somebody reads the password in the list of processes',
    before: 'fell',
    attempt: async () => {
      const { store } = await served()
      const { password } = store.connection
      expect(password).toMatch(/^[\w-]{40,}$/)
      if (process.platform !== 'linux') return
      const told = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && lineOf(pid).includes(String(password)))
      expect(told).toEqual([])
    },
  },
  {
    name: 'somebody reads the password in what is printed of a store',
    before: 'held',
    attempt: async () => {
      const { store } = await served()
      const { password = 'none' } = store.connection
      expect(inspect(store, { depth: 8 })).not.toContain(String(password))
    },
  },
  {
    name: 'another user reads the file of the password',
    before: 'fell',
    attempt: async () => {
      const { data } = await served()
      const { mode, uid } = statSync(join(data, 'toolwright.password'))
      expect([mode & 0o777, uid]).toEqual([0o600, ME])
    },
  },
  {
    name: 'another user changes who may connect',
    before: 'fell',
    attempt: async () => {
      const { home } = await served()
      const { mode, uid } = statSync(join(home, 'postgres', 'access.conf'))
      expect([mode & 0o022, uid]).toEqual([0, ME])
    },
  },
]

function lineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

/** What stands in place of the file of the password while the server is stopped: it is not used, and a new one is set. */
const PASSWORDS: Readonly<Record<string, (file: string, folder: string) => void>> = {
  'is gone, as in a home of an earlier version': (file) => rmSync(file),
  'is empty': (file) => writeFileSync(file, ''),
  'can be read by others': (file) => chmodSync(file, 0o644),
  'is a link': (file, folder) => {
    renameSync(file, join(folder, 'moved'))
    symlinkSync(join(folder, 'moved'), file)
  },
  'has a second name': (file, folder) => linkSync(file, join(folder, 'second')),
}

const passwordRows: readonly Attack[] = Object.entries(PASSWORDS).map(([name, change]) => ({
  name: `the file of the password ${name}`,
  before: 'fell',
  attempt: () =>
    inFolder(async (folder) => {
      const { home, password } = await copiedHome(folder)
      const file = join(home, 'postgres', 'data', 'toolwright.password')
      change(file, folder)
      const second = await openStore({ home })
      const { host = '' } = second.connection
      expect(second.connection.password).not.toBe(password)
      expect((await second.pool.query('select seven from kept')).rows).toEqual([{ seven: 7 }])
      expect(await getsIn(host, {})).toBe(false)
      expect(await getsIn(host, { password })).toBe(false)
      expect(statSync(file).mode & 0o777).toBe(0o600)
      await second.close()
    }),
}))

const running: Attack = {
  name: 'a server runs whose password nobody here knows',
  before: 'fell',
  attempt: () =>
    inFolder(async (folder) => {
      const { home } = await copiedHome(folder)
      const first = await openStore({ home })
      const file = join(home, 'postgres', 'data', 'toolwright.password')
      if (existsSync(file)) rmSync(file)
      await expect(openStore({ home, connectTimeout: '20s' })).rejects.toMatchObject({
        code: 'store_credentials',
        message: expect.stringContaining('kill -INT'),
      })
      await first.close()
    }),
}

/** The home of the embedded database, and the door of its server. */
export const HOME_ATTACKS: readonly Attack[] = [...modeRows, ...ownerRows, ...linkRows, ...doorRows, ...passwordRows, running]
