import { brand, hasBrand } from './brand.ts'
import { keepRefusalReason } from './refusal-reason.ts'

/** Who stopped a run, if anybody did. */
export interface StopDetails {
  /** Who stopped it. */
  readonly by?: string | undefined
  /** No person stopped it: nobody decided, and the request says that the run then stops. */
  readonly isUndecided?: boolean | undefined
}

/** A reviewer stopped the run: it passes every layer and rejects the promise of `call`. */
export class ExitEarly extends Error {
  override readonly name = 'ExitEarly'
  readonly code = 'exit_early'
  /** The tool at which the run was stopped. */
  readonly tool: string

  constructor(tool: string, reason?: string, { by = '', isUndecided = false }: StopDetails = {}) {
    const who = by === '' ? 'A reviewer' : `Reviewer ${by}`
    const said = isUndecided ? `The run was stopped at '${tool}'` : `${who} stopped the run at '${tool}'`
    super(reason === undefined || reason === '' ? `${said}.` : `${said}: ${reason}`)
    this.tool = tool
    brand(this, 'exit_early')
    keepRefusalReason(this, reason)
  }
}

/** Recognises an ExitEarly of any copy of the package. */
export function isExitEarly(value: unknown): value is ExitEarly {
  return hasBrand(value, 'exit_early')
}

/** The same stop from its recorded message. */
export function exitEarlyOf(message: string): ExitEarly {
  const [, tool = ''] = / at '([^']*)'(?:\.$|: )/.exec(message) ?? []
  return Object.assign(new ExitEarly(tool), { message })
}
