import { DIALECT_TARGETS, type DialectTarget, isDialectTarget } from '../schema/dialects/dialect-rules.ts'
import { CliError } from './cli-error.ts'

/** The target that a person named after `--dialect`. */
export function dialectTarget(given: string): DialectTarget {
  if (isDialectTarget(given)) return given
  throw new CliError('usage', `There is no dialect '${given}'.`, { hint: `Use one of: ${DIALECT_TARGETS.join(', ')}.` })
}
