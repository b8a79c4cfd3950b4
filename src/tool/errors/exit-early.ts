import { brand, hasBrand } from './brand.ts'

/** A reviewer stopped the run: it passes every layer and rejects the promise of `call`. */
export class ExitEarly extends Error {
  override readonly name = 'ExitEarly'
  readonly code = 'exit_early'
  /** The tool at which the run was stopped. */
  readonly tool: string

  constructor(tool: string, reason?: string) {
    super(
      reason === undefined || reason === ''
        ? `A reviewer stopped the run at '${tool}'.`
        : `A reviewer stopped the run at '${tool}': ${reason}`,
    )
    this.tool = tool
    brand(this, 'exit_early')
  }
}

/** Recognises an ExitEarly of any copy of the package. */
export function isExitEarly(value: unknown): value is ExitEarly {
  return hasBrand(value, 'exit_early')
}
