import type { Command, CommonOptions } from './command-request.ts'
import { EXIT } from './exit-code.ts'
import { Output } from './output.ts'
import { reportError } from './report-error.ts'
import { guardNotes, isOutputGone } from './standard-output.ts'
import { writeNow } from './write-now.ts'

export interface Errand {
  readonly load: () => Promise<Command<never>>
  readonly words: readonly string[]
  readonly options: CommonOptions
  /** Standard output is for a protocol, so that even an error is not told there. */
  readonly speaksProtocol: boolean
}

/** Runs a command from its loading to the end of the process. What the user's modules left open does not hold it up. */
export async function runCommand({ load, words, options, speaksProtocol }: Errand): Promise<void> {
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
  await output.flush()
  process.exit(code)
}

const UNSETTLED =
  'Something was waited for that can no longer happen. Look for an await at the top of the configuration or of a tool module.'

/** Nothing is left that could go on, and yet somebody waits. The process ends here: only what is written at once is seen. */
function tellUnsettled({ json }: Output): number {
  if (json) writeNow(1, `${JSON.stringify({ ok: false, error: { code: 'unsettled', message: UNSETTLED } })}\n`)
  writeNow(2, `error: ${UNSETTLED}\n`)
  return EXIT.usage
}
