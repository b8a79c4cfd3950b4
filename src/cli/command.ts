import type { ExitCode } from './exit-code.ts'
import type { Output } from './output.ts'
import type { ToolSources } from './workspace.ts'

/** What every command can be told. */
export interface CommonOptions extends ToolSources {
  readonly json?: boolean | undefined
  readonly debug?: boolean | undefined
}

/** What a command is asked to do. */
interface CommandRequest<Options extends CommonOptions = CommonOptions> {
  /** The words that are no options. */
  readonly words: readonly string[]
  readonly options: Options
  readonly output: Output
}

/** Does what was asked, and says how it ended. */
export type Command<Options extends CommonOptions = CommonOptions> = (request: CommandRequest<Options>) => Promise<ExitCode>
