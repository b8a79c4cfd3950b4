import { spawn } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'

/** The folder that holds package.json. */
export const root = dirname(import.meta.dirname)

export interface ProgramRun {
  readonly ok: boolean
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface ProgramOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** Shows the output as it comes instead of keeping it. */
  readonly show?: boolean
}

/** Runs a program of node_modules/.bin, or one of the system, on the Node that runs this script. Never throws. */
export function runProgram(name: string, flags: readonly string[], options: ProgramOptions = {}): Promise<ProgramRun> {
  const { cwd = root, env = {}, show = false } = options
  const path = [dirname(process.execPath), join(root, 'node_modules', '.bin'), process.env['PATH']].join(delimiter)
  return new Promise((resolve) => {
    const output = show ? 'inherit' : 'pipe'
    const child = spawn(name, flags, { cwd, env: { ...process.env, ...env, PATH: path }, stdio: ['ignore', output, output] })
    let stdout = ''
    let stderr = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    child.on('error', (error) => resolve({ ok: false, code: 1, stdout, stderr: `${name}: ${error.message}` }))
    child.on('close', (code) => resolve({ ok: code === 0, code: code ?? 1, stdout, stderr }))
  })
}
