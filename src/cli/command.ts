import type { ExitCode } from './exit-code.ts'
import type { Output } from './output.ts'
import type { ToolSources } from './workspace.ts'

/** The options of every command. */
export interface CommonOptions extends ToolSources {
  readonly json?: boolean | undefined
  readonly debug?: boolean | undefined
}

/** The arguments of a command. */
interface CommandRequest<Options extends CommonOptions = CommonOptions> {
  /** The arguments that are not options. */
  readonly words: readonly string[]
  readonly options: Options
  readonly output: Output
}

/** Runs a command and returns its exit code. */
export type Command<Options extends CommonOptions = CommonOptions> = (request: CommandRequest<Options>) => Promise<ExitCode>
