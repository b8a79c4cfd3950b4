import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { shortName } from '../../tool/short-name.ts'

/** `a_then_b_then_c`, shortened where it grows too long. A pipeline of one step is another tool than its step, and says so. */
export function pipelineName(names: readonly string[]): string {
  return shortName(names.length === 1 ? `only_${names[0]}` : names.join('_then_'))
}

export function pipelineDescription(names: readonly string[]): string {
  return `Pipeline: ${names.join(' -> ')}`
}

/** A pipeline of nothing would be a tool without a schema, a name or a result. */
export function checkNotEmpty(steps: readonly unknown[]): void {
  if (steps.length === 0) throw new ConfigurationError('invalid_definition', 'A pipeline needs at least one step.')
}
