import { cp, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { root, runProgram } from '../../scripts/run-program.ts'
import { temporaryHome } from '../fixtures/store/temporary-home.ts'
import { openShSession, shLinesIn } from './sh-session.ts'

const home = temporaryHome()

/** These very tests: they are not run inside of themselves. */
const NO_TESTS = `[ "$(basename "$PWD") $*" = 'toolwright test' ] && exit 0`

test.each(['README.md', 'docs/guides/start.md'])(
  'in a fresh copy of the repository, with real installations, every command of %s works',
  async (guide) => {
    const session = await openShSession({
      env: { TOOLWRIGHT_HOME: home, DATABASE_URL: '', TOOLWRIGHT_APP: '' },
      npm: NO_TESTS,
      mostSeconds: 1200,
    })
    try {
      const { stdout: files } = await runProgram('git', ['ls-files', '--cached', '--others', '--exclude-standard'])
      for (const file of files.trim().split('\n')) {
        const copy = join(session.folder, 'toolwright', file)
        await mkdir(dirname(copy), { recursive: true })
        await cp(join(root, file), copy)
      }
      const isInstalled = shLinesIn(guide).some(({ command }) => command.includes('npm ci'))
      const lines = [...(isInstalled ? [] : [{ place: guide, command: 'npm ci', prints: undefined }]), ...shLinesIn(guide)]
      for (const { place, command, prints } of lines) {
        const { code, stdout, stderr } = await session.paste(command)
        expect(code, `${place}: ${command}\n${stdout}${stderr}`).toBe(0)
        expect(stdout, `${place}: ${command}`).toContain(prints ?? '')
      }
    } finally {
      await session.end()
    }
  },
  3_600_000,
)
