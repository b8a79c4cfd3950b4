import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { embeddedFolders } from './embedded-folders.ts'
import { formerHome, homeFolder } from './home-folder.ts'

let root: string
let shared: string

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'home-')))
  shared = join(root, 'data')
  vi.stubEnv('TOOLWRIGHT_HOME', '')
  vi.stubEnv('XDG_DATA_HOME', shared)
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  rmSync(root, { recursive: true, force: true })
})

const project = (path: string, name = 'orders'): string => {
  const folder = join(root, path)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name }))
  return folder
}
const homeFrom = (folder: string): string => {
  vi.spyOn(process, 'cwd').mockReturnValue(folder)
  return homeFolder()
}

describe.runIf(process.platform === 'linux')('the home of a project', () => {
  test('is its own, the same from every folder in it and by every path to it', () => {
    const one = project('one')
    const other = project('other')
    mkdirSync(join(one, 'src/deep'), { recursive: true })
    symlinkSync(one, join(root, 'link'))
    const home = homeFrom(one)
    expect(home).toMatch(new RegExp(`^${shared}/toolwright/orders-[0-9a-f]{8}$`))
    expect(homeFrom(join(one, 'src/deep'))).toBe(home)
    expect(homeFrom(join(root, 'link'))).toBe(home)
    expect(homeFrom(other)).not.toBe(home)
    expect(homeFrom(project('one/packages/mail', 'mail'))).toMatch(/mail-[0-9a-f]{8}$/)
  })

  test('has a short and harmless name, whatever the package is called', () => {
    for (const name of ['@acme/../../orders', '..', 'x'.repeat(214), '订单', '.hidden'])
      expect(homeFrom(project('odd', name)).slice(`${shared}/toolwright/`.length)).toMatch(/^[\w.-]{0,20}-[0-9a-f]{8}$/)
  })

  test('gives way to TOOLWRIGHT_HOME and to one that is given; outside of projects it is that of the user', () => {
    expect(homeFrom(root)).toBe(join(shared, 'toolwright'))
    const one = project('one')
    vi.stubEnv('TOOLWRIGHT_HOME', join(root, 'chosen'))
    expect(homeFrom(one)).toBe(join(root, 'chosen'))
    expect(homeFolder(join(root, 'given'))).toBe(join(root, 'given'))
  })

  test('is looked for from the folder of the project if its path is relative, wherever the program is started', () => {
    const one = project('one')
    mkdirSync(join(one, 'src/deep'), { recursive: true })
    symlinkSync(one, join(root, 'link'))
    for (const folder of [one, join(one, 'src/deep'), join(root, 'link', 'src')]) {
      vi.spyOn(process, 'cwd').mockReturnValue(folder)
      vi.stubEnv('TOOLWRIGHT_HOME', '')
      expect(homeFolder('./data')).toBe(join(one, 'data'))
      vi.stubEnv('TOOLWRIGHT_HOME', 'kept')
      expect(homeFolder()).toBe(join(one, 'kept'))
    }
    expect(homeFolder('data', project('other'))).toBe(join(root, 'other/data'))
    expect(homeFolder('data', root)).toBe(join(root, 'data'))
  })

  test('leaves a database of the user where it is, and names it', () => {
    const home = homeFrom(project('one'))
    const user = join(shared, 'toolwright')
    expect(formerHome(home)).toBeUndefined()
    const { data } = embeddedFolders(user)
    mkdirSync(data, { recursive: true })
    writeFileSync(join(data, 'PG_VERSION'), '18')
    expect(formerHome(home)).toBe(user)
    expect(formerHome(user)).toBeUndefined()
    expect(formerHome(join(root, 'chosen'))).toBeUndefined()
  })
})
