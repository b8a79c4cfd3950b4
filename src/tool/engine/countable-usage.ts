import { quote } from '../../schema/quote.ts'
import type { Logger } from '../ports/logger.ts'
import { printable } from '../printable.ts'
import type { Usage } from '../result/result.ts'

/** Whose report it is, and where a warning goes. */
interface Reporter {
  readonly tool: string
  readonly path: string
  readonly log: Logger
}

/** The valid figures of a report. A figure that is not a number of at least 0 is left out with a warning: a sum must not become NaN, or decrease. */
export function countableUsage({ tokens, costUsd }: Usage, reporter: Reporter): { readonly tokens: number; readonly costUsd: number } {
  return { tokens: counted('tokens', tokens, reporter), costUsd: counted('costUsd', costUsd, reporter) }
}

function counted(name: keyof Usage, figure: unknown, { tool, path, log }: Reporter): number {
  if (figure === undefined) return 0
  if (typeof figure === 'number' && figure >= 0 && figure < Infinity) return figure
  log.warn(
    { tool, path },
    `Tool '${tool}' reported ${printable(quote(figure))} for ${name}, which is not counted: it must be a number of at least 0.`,
  )
  return 0
}
