import { excerpt } from '../../schema/quote.ts'
import { classifyError } from '../../tool/errors/classify-error.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import type { ToolContext } from '../../tool/context.ts'
import { type ReturnedSuccess, success } from '../../tool/result/returned.ts'
import type { ResultIssue } from '../../tool/result/result.ts'
import { systemCode } from '../../files/explain-failure.ts'
import { childEnvironment, type ProcessEnvironment } from './child-environment.ts'
import type { MakeCommandLine } from './command-line.ts'
import { type ExitMeaning, exitFailure } from './exit-codes.ts'
import type { Program } from './find-program.ts'
import type { CheckedLimits } from './process-limits.ts'
import { type ProcessEnd, type ProcessRequest, runProcess } from './run-process.ts'
import type { WorkingFolder } from './working-folder.ts'

/** What all calls of a process tool share. */
export interface PreparedProcess {
  readonly program: Program
  readonly make: MakeCommandLine
  readonly folder: WorkingFolder
  readonly environment: ProcessEnvironment
  readonly meanings: ReadonlyMap<number, 'success' | ExitMeaning>
  readonly limits: CheckedLimits
  readonly timeoutMs: number | undefined
  readonly isJson: boolean
  readonly readsOnly: boolean
  readonly tellsProgress: boolean
}

/** One call: starts the program, waits, and judges its end. */
export async function processCall(prepared: PreparedProcess, input: unknown, context: ToolContext): Promise<ReturnedSuccess<unknown>> {
  const { program, make, environment, limits, timeoutMs, tellsProgress } = prepared
  const { args, stdin } = make(input)
  const env = await childEnvironment(environment, context.secret)
  const file = program.find(env['PATH'] ?? '')
  if (file === undefined) throw notStarted(program, 'it is in no folder of PATH.')
  const { signal, ids } = context
  const onLine = tellsProgress ? (line: string): void => context.progress(line) : undefined
  const request = { file, args, env, stdin, mark: ids(), signal, timeoutMs, limits, onLine }
  return judged(prepared, await started(prepared, input, request))
}

/** The folder is held only while the program is started: its own process holds it from then on. */
async function started({ program, folder }: PreparedProcess, input: unknown, request: Omit<ProcessRequest, 'cwd'>): Promise<ProcessEnd> {
  const held = folder.hold(input)
  let running: Promise<ProcessEnd>
  try {
    running = runProcess({ ...request, cwd: held.path })
  } finally {
    held.close()
  }
  try {
    return await running
  } catch (error) {
    throw unstarted(program, error)
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file.',
  EACCES: 'this process may not run it.',
  EPERM: 'this process may not run it.',
  ENOEXEC: 'it is no program of this system.',
  E2BIG: 'its arguments and its environment are too long.',
  EINVAL: 'the system does not start it without a shell.',
}

function unstarted(program: Program, error: unknown): unknown {
  const code = systemCode(error)
  // Node repeats the value that it refuses, which may be a secret.
  if (code === undefined) return notStarted(program, 'the system cannot take one of its arguments, its variables or its folder.')
  const reason = REASONS[code]
  if (reason !== undefined) return notStarted(program, reason)
  const { code: own, retryable } = classifyError(error)
  return new ToolError(`${program.command} could not be started: the system says ${code}.`, {
    code: own,
    retryable,
    outcome: 'not_started',
  })
}

function notStarted({ command }: Program, why: string): ToolError {
  return new ToolError(`${command} could not be started: ${why}`, { code: 'process_not_started', outcome: 'not_started' })
}

const LONGEST_SAID = 2000

function judged(prepared: PreparedProcess, end: ProcessEnd): ReturnedSuccess<unknown> {
  const { program, meanings, readsOnly } = prepared
  const { exitCode, stopped } = end
  const meaning = exitCode === undefined ? undefined : meanings.get(exitCode)
  if (stopped !== undefined || exitCode === undefined) throw stoppedFailure(prepared, end)
  if (meaning === 'success') return output(prepared, end, exitCode)
  throw exitFailure({ command: program.command, exitCode, meaning, said: saidBy(end), readsOnly })
}

/** Nobody knows how far a program came that was stopped. */
function stoppedFailure({ program, limits, timeoutMs, readsOnly }: PreparedProcess, end: ProcessEnd): ToolError {
  const said = saidBy(end)
  const wrote = said === '' ? '' : ` It wrote: ${said}`
  const outcome = readsOnly ? 'failed' : 'unknown'
  const { command } = program
  switch (end.stopped) {
    case 'timeout':
      return new ToolError(`${command} did not end within ${timeoutMs} ms and was ended.${wrote}`, { code: 'deadline_exceeded', outcome })
    case 'output':
      return new ToolError(`${command} wrote more than ${limits.totalBytes} bytes and was ended.${wrote}`, {
        code: 'process_failed',
        outcome,
        hint: 'Ask it for less.',
      })
    case 'cancelled':
      return new ToolError(`${command} was ended, since the call was over.`, { code: 'cancelled', outcome })
    default:
      return new ToolError(`${command} was ended by ${end.signal ?? 'the system'}.${wrote}`, {
        code: 'process_failed',
        class: 'server',
        outcome,
      })
  }
}

/** The end of what it wrote, of the error output first. */
function saidBy({ stdout, stderr }: ProcessEnd): string {
  const text = (stderr.total > 0 ? stderr : stdout).text().text.trim()
  return text.length <= LONGEST_SAID ? text : `... ${text.slice(-LONGEST_SAID).toWellFormed()}`
}

function output({ program, isJson, readsOnly }: PreparedProcess, end: ProcessEnd, exitCode: number): ReturnedSuccess<unknown> {
  const { stdout, stderr } = end
  const issues = issuesOf(end)
  const { text, dropped } = stdout.text()
  if (!isJson) return success({ stdout: text, stderr: stderr.text().text, exitCode, droppedBytes: dropped }, { text, issues })
  const invalid = (why: string): ToolError =>
    new ToolError(`The output of ${program.command} ${why}`, { code: 'invalid_output', outcome: readsOnly ? 'failed' : 'unknown' })
  if (!stdout.isWhole) throw invalid(`is longer than 'limits.stdoutBytes' allows: ${stdout.total} bytes.`)
  try {
    // Some programs begin with the mark of UTF-8, which is no part of JSON.
    return success(JSON.parse(text.replace(/^\uFEFF/, '')) as unknown, { issues })
  } catch {
    throw invalid(`is not JSON: ${excerpt(text.trim(), 200)}`)
  }
}

function issuesOf({ stdout, leftInput, leftBehind }: ProcessEnd): readonly ResultIssue[] {
  const { dropped, isMended } = stdout.text()
  return [
    ...(dropped > 0 ? [warning(`${dropped} bytes in the middle of the output were left out.`)] : []),
    ...(isMended ? [warning('The output is not all UTF-8; what is not was replaced.')] : []),
    ...(leftInput ? [warning('The program did not read all of its input.')] : []),
    ...(leftBehind ? [warning('Something that the program had started still ran when it ended, and was ended.')] : []),
  ]
}

function warning(message: string): ResultIssue {
  return { severity: 'warning', message }
}
