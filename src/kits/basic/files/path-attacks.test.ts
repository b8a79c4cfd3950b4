import { execFileSync } from 'node:child_process'
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fileReadIn } from './file-read.ts'
import { fileWriteIn } from './file-write.ts'
import { RootedFolder } from '../../../files/rooted-folder.ts'

const SECRET = 'a secret that lies outside'

let home: string
let root: string
let outside: string

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-files-')))
  root = join(home, 'root')
  outside = join(home, 'outside')
  for (const folder of [root, join(root, 'sub'), outside, join(outside, 'dir'), join(home, 'root-too')]) mkdirSync(folder)
  writeFileSync(join(root, 'inside.txt'), 'inside')
  writeFileSync(join(root, 'sub', 'deep.txt'), 'inside')
  for (const folder of [outside, join(outside, 'dir'), join(home, 'root-too')]) writeFileSync(join(folder, 'secret.txt'), SECRET)
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

/** What every attack is after. They aim at nothing but this folder: with a defect in the tool, these tests must not harm the machine that they run on. */
const target = (): string => join(outside, 'secret.txt')

interface Attack {
  readonly name: string
  readonly path: string | (() => string)
  readonly arrange?: (() => void) | undefined
  /** What reading comes to: refused, or taken for a name that is not there. */
  readonly read: 'path_refused' | 'not_found'
}

const link = (to: string, name: string) => (): void => symlinkSync(join(home, to), join(root, name))

/** Entries that Node itself cannot make. */
const special = (program: string, ...given: readonly string[]): unknown => execFileSync(program, given)

const climbs: readonly Attack[] = [
  ['one step up', '../outside/secret.txt'],
  ['through a folder and up', 'sub/../../outside/secret.txt'],
  ['through a folder that is not there', 'none/../../outside/secret.txt'],
  ['to a sibling whose name begins like the root', '../root-too/secret.txt'],
  ['out and in again', '../root/inside.txt'],
  ['up at the end', 'sub/../..'],
  ['with doubled slashes', '..//sub//..//outside//secret.txt'],
  ['with dots between', './.././outside/secret.txt'],
  ['with backslashes', '..\\outside\\secret.txt'],
  ['with mixed slashes', 'sub\\../../outside/secret.txt'],
].map(([name = '', path = '']) => ({ name, path, read: 'path_refused' }))

const forms: readonly Attack[] = [
  { name: 'an absolute path', path: () => target(), read: 'path_refused' },
  { name: 'an absolute path into the root', path: () => join(root, 'inside.txt'), read: 'path_refused' },
  { name: 'far up and down again', path: () => `${'../'.repeat(40)}${target().slice(1)}`, read: 'path_refused' },
  { name: 'the root of the process', path: () => `/proc/self/root${target()}`, read: 'path_refused' },
  { name: 'its working folder', path: () => `/proc/self/cwd/${relative(process.cwd(), target())}`, read: 'path_refused' },
  { name: 'two slashes at the beginning', path: () => `/${target()}`, read: 'path_refused' },
  { name: 'a file URL', path: () => `file://${outside}/secret.txt`, read: 'path_refused' },
  { name: 'the home folder', path: () => `~/${relative(homedir(), target())}`, read: 'path_refused' },
  { name: 'a drive', path: 'C:/Windows/win.ini', read: 'path_refused' },
  { name: 'a drive with backslashes', path: 'C:\\Windows\\win.ini', read: 'path_refused' },
  { name: 'a UNC path', path: '\\\\server\\share\\x', read: 'path_refused' },
  { name: 'a device path of Windows', path: '\\\\?\\C:\\x', read: 'path_refused' },
  { name: 'nothing', path: '', read: 'path_refused' },
  { name: 'the root itself', path: '.', read: 'path_refused' },
  { name: 'a folder', path: 'sub', read: 'path_refused' },
  { name: 'a slash at the end', path: 'inside.txt/', read: 'path_refused' },
  { name: 'a file taken for a folder', path: 'inside.txt/x', read: 'path_refused' },
  { name: 'a file taken for a folder, and up', path: 'inside.txt/../../outside/secret.txt', read: 'path_refused' },
  { name: 'a NUL in the name', path: 'inside.txt\0../outside/secret.txt', read: 'path_refused' },
  { name: 'a line feed in the name', path: 'inside.txt\nx', read: 'path_refused' },
  { name: 'half a character', path: 'x\udc00', read: 'path_refused' },
  { name: 'a name that is too long', path: 'x'.repeat(300), read: 'path_refused' },
  { name: 'a path that is too long', path: 'a/'.repeat(3000), read: 'path_refused' },
]

/** Names that only look like something: they lead to a file of that name under the root, or to nothing. */
const names: readonly Attack[] = [
  ['encoded dots', '%2e%2e/outside/secret.txt'],
  ['encoded twice', '%252e%252e%252foutside'],
  ['an encoded slash', '..%2foutside%2fsecret.txt'],
  ['dots in overlong UTF-8, decoded by somebody', '\u00c0\u00ae\u00c0\u00ae/secret.txt'],
  ['fullwidth dots', '\uff0e\uff0e/outside/secret.txt'],
  ['two dots in one character', '\u2025/outside/secret.txt'],
  ['a fullwidth slash', '..\uff0foutside\uff0fsecret.txt'],
  ['a division slash', '..\u2215outside'],
  ['right-to-left text', '\u202etxt.terces'],
  ['dots with something invisible between', '.\u200b./outside/secret.txt'],
  ['dots and a space', '.. /outside/secret.txt'],
  ['three dots', '.../outside/secret.txt'],
  ['another case', 'INSIDE.TXT'],
  ['composed letters', 'caf\u00e9.txt'],
  ['decomposed letters', 'cafe\u0301.txt'],
  ['a dot at the end', 'inside.txt.'],
  ['a space at the end', 'inside.txt '],
  ['what a shell would expand', '$(cat secret.txt)'],
  ['a variable', '$TMPDIR/x'],
  ['a wildcard', '*.txt'],
  ['an option', '--output=x'],
  ['proc without the slash', 'proc/self/cwd/x'],
  ['a name out of an object', '__proto__/constructor'],
].map(([name = '', path = '']) => ({ name, path, read: 'not_found' }))

const entries: readonly Attack[] = [
  { name: 'a link to a file', path: 'l', arrange: link('outside/secret.txt', 'l'), read: 'path_refused' },
  { name: 'a relative link', path: 'l', arrange: () => symlinkSync('../outside/secret.txt', join(root, 'l')), read: 'path_refused' },
  { name: 'a link to a folder', path: 'l/secret.txt', arrange: link('outside', 'l'), read: 'path_refused' },
  { name: 'a link to a folder deeper down', path: 'sub/l/dir/secret.txt', arrange: link('outside', 'sub/l'), read: 'path_refused' },
  { name: 'a link to the root of all', path: () => `l${target()}`, arrange: () => symlinkSync('/', join(root, 'l')), read: 'path_refused' },
  {
    name: 'a link into proc',
    path: () => `l${target()}`,
    arrange: () => symlinkSync('/proc/self/root', join(root, 'l')),
    read: 'path_refused',
  },
  { name: 'a link to the parent', path: 'l/outside/secret.txt', arrange: () => symlinkSync('..', join(root, 'l')), read: 'path_refused' },
  { name: 'a link that stays inside', path: 'l', arrange: link('root/inside.txt', 'l'), read: 'path_refused' },
  { name: 'a link to nothing, outside', path: 'l', arrange: link('outside/new.txt', 'l'), read: 'path_refused' },
  { name: 'a link to no folder', path: 'l/new.txt', arrange: link('outside/none', 'l'), read: 'path_refused' },
  {
    name: 'a chain of links',
    path: 'a',
    arrange: () => {
      symlinkSync('b', join(root, 'a'))
      symlinkSync('c', join(root, 'b'))
      symlinkSync('../outside/secret.txt', join(root, 'c'))
    },
    read: 'path_refused',
  },
  { name: 'a link to itself', path: 'a', arrange: () => symlinkSync('a', join(root, 'a')), read: 'path_refused' },
  {
    name: 'links in a ring, as folders',
    path: 'a/b/x',
    arrange: () => {
      symlinkSync('b', join(root, 'a'))
      symlinkSync('a', join(root, 'b'))
    },
    read: 'path_refused',
  },
  { name: 'a link and up', path: 'l/../secret.txt', arrange: link('outside/dir', 'l'), read: 'not_found' },
  {
    name: 'a hard link',
    path: 'h.txt',
    arrange: () => linkSync(join(outside, 'secret.txt'), join(root, 'h.txt')),
    read: 'path_refused',
  },
  { name: 'a pipe', path: 'p', arrange: () => special('mkfifo', join(root, 'p')), read: 'path_refused' },
  {
    name: 'a link to a pipe',
    path: 'p',
    arrange: () => {
      special('mkfifo', join(outside, 'p'))
      symlinkSync(join(outside, 'p'), join(root, 'p'))
    },
    read: 'path_refused',
  },
  { name: 'a link to an endless device', path: 'z', arrange: () => symlinkSync('/dev/zero', join(root, 'z')), read: 'path_refused' },
  { name: 'a link to a terminal', path: 't', arrange: () => symlinkSync('/dev/tty', join(root, 't')), read: 'path_refused' },
]

/** Only root may make one. */
const devices: readonly Attack[] =
  process.getuid?.() === 0
    ? [{ name: 'a device', path: 'z', arrange: () => special('mknod', join(root, 'z'), 'c', '1', '5'), read: 'path_refused' }]
    : []

const ATTACKS: readonly Attack[] = [...climbs, ...forms, ...names, ...entries, ...devices]

/** All there is outside the root: names, kinds, modes, times and contents. */
function pictureOf(folder: string): readonly string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    const stats = lstatSync(path, { bigint: true })
    if (path === root) return []
    const own = `${path} ${stats.mode} ${stats.isFile() ? `${stats.mtimeNs} ${readFileSync(path, 'utf8')}` : ''}`
    return stats.isDirectory() ? [own, ...pictureOf(path)] : [own]
  })
}

const isLinux = process.platform === 'linux'

describe.each([...(isLinux ? [['held by descriptors', true] as const] : []), ['by their paths', false]] as const)(
  'with folders %s',
  (_name, how) => {
    test('there are more than forty attacks [T17]', () => expect(ATTACKS.length).toBeGreaterThan(40))

    test.each(ATTACKS)('$name: nothing outside is read or touched [T17]', async ({ path: given, arrange, read: code }) => {
      arrange?.()
      const path = typeof given === 'string' ? given : given()
      const before = pictureOf(home)
      const folder = new RootedFolder(root, how)
      const [read, write, makes] = [fileReadIn(folder, {}), fileWriteIn(folder, {}), fileWriteIn(folder, { parents: true })]

      const results: unknown[] = [await read.call({ path, encoding: 'base64' })]
      const plain = await read.call({ path })
      for (const mode of ['create', 'append', 'overwrite'] as const) {
        results.push(await write.call({ path, content: 'written', mode, parents: true }))
        results.push(await makes.call({ path, content: 'written', mode }))
        expect(pictureOf(home), mode).toEqual(before)
      }

      expect(plain).toMatchObject({ ok: false, error: { code } })
      const told = JSON.stringify([plain, ...results])
      expect(told).not.toContain(SECRET)
      expect(told).not.toContain(Buffer.from(SECRET).toString('base64'))
      expect(told).not.toContain('/proc/self/fd')
      expect(readdirSync(root).filter((name) => name.startsWith('.toolwright-'))).toEqual([])
    })

    test.each(names)('$name: is a plain name under the root [T17]', async ({ path }) => {
      const folder = new RootedFolder(root, how)
      const written = await fileWriteIn(folder, {}).call({ path: String(path), content: 'mine', parents: true })
      expect(written).toMatchObject({ ok: true, value: { path } })
      expect(realpathSync(join(root, String(path)))).toBe(join(root, String(path)))
      expect(await fileReadIn(folder, {}).call({ path: String(path) })).toMatchObject({ ok: true, value: { content: 'mine' } })
    })

    test('a socket is refused [T17]', async () => {
      const server = await new Promise<Server>((resolve) => {
        const listening = createServer().listen(join(root, 's'), () => resolve(listening))
      })
      const folder = new RootedFolder(root, how)
      expect(await fileReadIn(folder, {}).call({ path: 's' })).toMatchObject({ error: { code: 'path_refused' } })
      await new Promise((resolve) => server.close(resolve))
    })

    test('to overwrite a hard link breaks it, and leaves the file under its other name alone [T17]', async () => {
      linkSync(join(outside, 'secret.txt'), join(root, 'h.txt'))
      const write = fileWriteIn(new RootedFolder(root, how), {})
      expect(await write.call({ path: 'h.txt', content: 'mine', mode: 'append' })).toMatchObject({ error: { code: 'path_refused' } })
      expect(await write.call({ path: 'h.txt', content: 'mine', mode: 'overwrite' })).toMatchObject({ ok: true })
      expect(readFileSync(join(root, 'h.txt'), 'utf8')).toBe('mine')
      expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe(SECRET)
    })

    test('a root that is given by a link is the folder that it leads to [T17]', async () => {
      symlinkSync(root, join(home, 'door'))
      const folder = new RootedFolder(join(home, 'door'), how)
      expect(await fileReadIn(folder, {}).call({ path: 'inside.txt' })).toMatchObject({ ok: true, text: 'inside' })
      expect(existsSync(join(home, 'door'))).toBe(true)
    })

    test('no attack leaves a descriptor open [T17]', async () => {
      const openNow = (): number => (isLinux ? readdirSync('/proc/self/fd').length : 0)
      symlinkSync(outside, join(root, 'l'))
      const folder = new RootedFolder(root, how)
      const [read, write] = [fileReadIn(folder, {}), fileWriteIn(folder, {})]
      const round = async (): Promise<void> => {
        for (const path of ['l', 'l/x', 'sub', 'none/x', 'inside.txt/x', 'sub/deep.txt', '../x']) {
          await read.call({ path })
          await write.call({ path, content: 'x' })
          await write.call({ path, content: 'x', mode: 'append' })
          await write.call({ path, content: 'x', mode: 'overwrite' })
        }
      }
      await round()
      const before = openNow()
      for (let count = 0; count < 5; count++) await round()
      expect(openNow()).toBe(before)
    })
  },
)
