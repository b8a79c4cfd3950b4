import { inspect } from 'node:util'
import { InboxError } from '../review/inbox-error.ts'
import { isConfigurationError } from '../tool/errors/configuration-error.ts'
import { isExitEarly } from '../tool/errors/exit-early.ts'
import { isToolError } from '../tool/errors/tool-error.ts'
import { endAll } from './at-end.ts'
import { CliError } from './cli-error.ts'
import type { Command, CommonOptions } from './command.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { guardNotes, isOutputGone, writeNow } from './guard-output.ts'
import { Output, told } from './output.ts'
import { withoutCredentials } from './without-credentials.ts'

export interface CommandRun {
  readonly load: () => Promise<Command<never>>
  readonly words: readonly string[]
  readonly options: CommonOptions
  /** Standard output carries a protocol, so that not even an error is printed there. */
  readonly speaksProtocol: boolean
}

/** Runs a command from its loading to the end of the process. Handles that the user's modules left open do not delay the end. */
export async function runCommand({ load, words, options, speaksProtocol }: CommandRun): Promise<void> {
  const output = new Output(options.json === true && !speaksProtocol)
  output.claimStream()
  guardNotes()
  let ended = false
  process.on('uncaughtException', (error) => {
    ended = true
    const code = reportError(error, output, options)
    void output.flush().then(() => process.exit(code))
  })
  process.once('exit', (code) => {
    if (!ended && code === EXIT.ok && !isOutputGone()) process.exitCode = tellUnsettled(output)
  })
  const command = (await load()) as Command
  const code = await command({ words, options, output }).catch((error: unknown) => reportError(error, output, options))
  ended = true
  process.exitCode = code
  await endAll()
  await output.flush()
  process.exit(code)
}

const UNSETTLED =
  'Something was waited for that can no longer happen. Look for an await at the top of the configuration or of a tool module.'

/** The event loop is empty, and a promise is still awaited. The process ends now: only synchronous writes arrive. */
function tellUnsettled({ json }: Output): number {
  if (json) writeNow(1, `${JSON.stringify({ ok: false, error: { code: 'unsettled', message: UNSETTLED } })}\n`)
  writeNow(2, `error: ${UNSETTLED}\n`)
  return EXIT.usage
}

/** Prints an error: as text for a person, as JSON for a program. The stack is printed with --debug only. */
function reportError(error: unknown, output: Output, { debug = false }: Pick<CommonOptions, 'debug'>): ExitCode {
  const { code, exit, ...texts } = verdict(error)
  const message = withoutCredentials(texts.message)
  const hint = texts.hint === undefined ? undefined : withoutCredentials(texts.hint)
  if (output.json) output.printJson({ ok: false, error: { code, message, ...(hint === undefined ? {} : { hint }) } })
  // The hint of a tool is the text of its author, or of a server.
  const advice = hint === undefined ? '' : isToolError(error) ? told(`\n${hint}`) : `\n${told(hint)}`
  output.note(`${output.paintNote('red', 'error:')} ${told(message)}${advice}`)
  if (debug || (process.env['TOOLWRIGHT_DEBUG'] ?? '') !== '') output.note(told(withoutCredentials(inspect(error))))
  return exit
}

interface Verdict {
  readonly code: string
  readonly message: string
  readonly hint?: string | undefined
  readonly exit: ExitCode
}

/** The command is right, but the run or the key is in a state that forbids it. */
const STATES: ReadonlySet<string> = new Set(['run_not_open', 'nothing_to_settle', 'key_conflict'])

function verdict(error: unknown): Verdict {
  if (error instanceof CliError) return { code: error.code, message: error.message, hint: error.hint, exit: error.exit }
  if (isConfigurationError(error))
    return { code: error.code, message: error.message, exit: STATES.has(error.code) ? EXIT.failed : EXIT.usage }
  if (isToolError(error)) return { code: error.code, message: error.message, hint: error.hint, exit: EXIT.failed }
  if (error instanceof InboxError) return { code: error.code, message: error.message, exit: EXIT.failed }
  if (isExitEarly(error)) return { code: error.code, message: error.message, exit: EXIT.failed }
  const message = error instanceof Error ? `${error.name}: ${error.message}` : inspect(error)
  return { code: 'unexpected', message, hint: 'Add --debug to see where it was thrown.', exit: EXIT.failed }
}
