import { brand, hasBrand } from './brand.ts'

/** A reviewer stopped the run: it passes every layer and rejects the promise of `call`. */
export class ExitEarly extends Error {
  override readonly name = 'ExitEarly'
  readonly code = 'exit_early'
  /** The tool at which the run was stopped. */
  readonly tool: string

  /** With `isUndecided`, no person stopped it: nobody decided, and the request says that the run then stops. */
  constructor(tool: string, reason?: string, isUndecided = false) {
    const said = isUndecided ? `The run was stopped at '${tool}'` : `A reviewer stopped the run at '${tool}'`
    super(reason === undefined || reason === '' ? `${said}.` : `${said}: ${reason}`)
    this.tool = tool
    brand(this, 'exit_early')
  }
}

/** Recognises an ExitEarly of any copy of the package. */
export function isExitEarly(value: unknown): value is ExitEarly {
  return hasBrand(value, 'exit_early')
}
