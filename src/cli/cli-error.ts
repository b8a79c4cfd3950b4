/** Something that keeps a command from doing its work, told without a stack. */
export class CliError extends Error {
  override readonly name = 'CliError'
  /** For machines: `unknown_tool`, `invalid_config`, ... */
  readonly code: string
  /** What to do about it. */
  readonly hint: string | undefined

  constructor(code: string, message: string, options: ErrorOptions & { readonly hint?: string | undefined } = {}) {
    super(message, options)
    this.code = code
    this.hint = options.hint
  }
}
