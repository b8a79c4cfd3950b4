import { spawn, spawnSync } from 'node:child_process'
import { onTestFinished } from 'vitest'
import { shellWord } from '../../src/tool/shell-word.ts'
import { cliCommand, type CliOptions } from './run-cli.ts'

/** Why there is no pseudo terminal here, or undefined. The program `script` of util-linux makes one. */
export const noTerminal: string | undefined = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux')
  ? undefined
  : "the program 'script' of util-linux is not installed"

export const KEYS = { down: '\u001B[B', enter: '\r', escape: '\u001B', interrupt: '\u0003', endOfInput: '\u0004' } as const

export interface TerminalRun {
  /** Resolves with what was shown since the last call up to this text, when it is shown. */
  readonly until: (wanted: string) => Promise<string>
  /** The same, for a question that waits for an answer. One that is answered is shown once more, with another sign before it. */
  readonly asked: (question: string) => Promise<string>
  readonly type: (...keys: readonly string[]) => void
  /** The exit code. */
  readonly ended: Promise<number | null>
  /** All that was shown. */
  readonly shown: () => string
}

export interface TerminalOptions extends Pick<CliOptions, 'cwd' | 'env'> {
  /** The terminal does not say how large it is. */
  readonly hasNoSize?: boolean
}

/** Runs the program on a pseudo terminal, where a person would sit. */
export function runOnTerminal(flags: readonly string[], { cwd, env: given = {}, hasNoSize = false }: TerminalOptions = {}): TerminalRun {
  const { command, args, env } = cliCommand(flags, { TERM: 'xterm', NO_COLOR: '1', ...given })
  const line = [hasNoSize ? 'stty cols 0 rows 0;' : 'stty cols 120 rows 40;', ...[command, ...args].map(shellWord)].join(' ')
  const child = spawn('script', ['--quiet', '--flush', '--return', '--command', line, '/dev/null'], { cwd, env })
  onTestFinished(() => void child.kill('SIGKILL'))
  let shown = ''
  let from = 0
  let tell = (): void => {}
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += plain(text)
    tell()
  })
  child.stdin.on('error', () => {})
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const until = async (wanted: string): Promise<string> => {
    while (!shown.slice(from).includes(wanted)) {
      const { promise, resolve } = Promise.withResolvers<void>()
      tell = resolve
      const over = await Promise.race([promise.then(() => false), ended.then(() => true)])
      if (over && !shown.slice(from).includes(wanted)) throw new Error(`It ended without showing ${JSON.stringify(wanted)}:\n${shown}`)
    }
    const end = shown.indexOf(wanted, from) + wanted.length
    const piece = shown.slice(from, end)
    from = end
    return piece
  }
  return {
    until,
    asked: (question) => until(`◆  ${question}`),
    type: (...keys) => void child.stdin.write(keys.join('')),
    ended,
    shown: () => shown,
  }
}

/** Without the codes that move the cursor and erase. */
function plain(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/\u001B\[[\d;?]*[A-Za-z]/g, '').replaceAll('\r', '')
}
