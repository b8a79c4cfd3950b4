import { readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { type ProgramRun, root, runProgram } from '../../scripts/run-program.ts'
import { shellWord } from '../../src/tool/shell-word.ts'

/** A line of an `sh` block that a reader pastes. */
export interface ShLine {
  /** The guide and the line. */
  readonly place: string
  readonly command: string
  /** What the guide says that it prints. */
  readonly prints: string | undefined
}

/** The lines of the `sh` blocks of a guide, in order. */
export function shLinesIn(guide: string): readonly ShLine[] {
  const text = readFileSync(join(root, guide), 'utf8')
  return Array.from(text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)).flatMap((block) => {
    const first = text.slice(0, block.index).split('\n').length + 1
    return (block[1] ?? '').split('\n').flatMap((line, index) => {
      const [command = '', comment = ''] = line.split(/ +# (.*)$/)
      const prints = comment.startsWith('prints: ') ? comment.slice('prints: '.length) : undefined
      return command.trim() === '' ? [] : [{ place: `${guide}:${first + index}`, command, prints }]
    })
  })
}

/** A reader with a shell: every line is run where the one before has left them. */
export interface ShSession {
  readonly folder: string
  readonly paste: (command: string) => Promise<ProgramRun>
  readonly end: () => Promise<void>
}

export interface ShSessionOptions {
  readonly env: Readonly<Record<string, string>>
  /** A program that is run in place of `npm`; it gets the arguments, and the real one as `$REAL_NPM`. */
  readonly npm?: string | undefined
  /** When a command that hangs is ended; its exit code is 124 then. */
  readonly mostSeconds?: number | undefined
}

/** Opens a shell in the folder `toolwright` of a new folder. */
export async function openShSession({ env, npm, mostSeconds = 200 }: ShSessionOptions): Promise<ShSession> {
  const folder = await mkdtemp(join(tmpdir(), 'toolwright-reader-'))
  const bin = join(folder, 'bin')
  const noted = join(folder, 'where')
  await mkdir(bin)
  await mkdir(join(folder, 'toolwright'))
  if (npm !== undefined) {
    await writeFile(join(bin, 'npm'), `#!/bin/sh\n${npm}\nexec "$REAL_NPM" "$@"\n`)
    await chmod(join(bin, 'npm'), 0o755)
  }
  const real = (await runProgram('/bin/sh', ['-c', 'command -v npm'])).stdout.trim()
  let where = join(folder, 'toolwright')
  return {
    folder,
    paste: async (command) => {
      // The shell of a reader does not see the programs of this repository.
      const path = `PATH=${shellWord(bin)}${delimiter}"$READER_PATH"`
      const script = `${path}; cd ${shellWord(where)} || exit 99\n${command}\ncode=$?; pwd > ${shellWord(noted)}; exit $code`
      const READER_PATH = (process.env['PATH'] ?? '')
        .split(delimiter)
        .filter((each) => !each.startsWith(root))
        .join(delimiter)
      const run = await runProgram('timeout', [String(mostSeconds), 'bash', '-c', script], {
        env: { ...env, READER_PATH, REAL_NPM: real, npm_config_loglevel: 'error' },
      })
      // A command that was ended has left the reader where they were.
      if (run.code !== 124) where = (await readFile(noted, 'utf8')).trim()
      return run
    },
    end: () => rm(folder, { recursive: true, force: true }),
  }
}
