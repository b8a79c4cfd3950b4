import { EXIT, type ExitCode } from './exit-code.ts'

export interface CliErrorOptions extends ErrorOptions {
  readonly hint?: string | undefined
  /** How the command ends: by default as one that was not understood. */
  readonly exit?: ExitCode | undefined
}

/** An error that ends a command and is printed without a stack. */
export class CliError extends Error {
  override readonly name = 'CliError'
  /** For machines: `unknown_tool`, `invalid_config`, ... */
  readonly code: string
  /** What the user can do next. */
  readonly hint: string | undefined
  readonly exit: ExitCode

  constructor(code: string, message: string, options: CliErrorOptions = {}) {
    super(message, options)
    this.code = code
    this.hint = options.hint
    this.exit = options.exit ?? EXIT.usage
  }
}
