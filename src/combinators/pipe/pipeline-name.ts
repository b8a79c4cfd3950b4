import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { digest } from '../../tool/journal/hash.ts'

const LONGEST = 64
const SUFFIX = 8

/** `a_then_b_then_c`; a name that grows too long keeps its beginning and gets a suffix made of the whole, the same every time. */
export function pipelineName(names: readonly string[]): string {
  const name = names.join('_then_')
  if (name.length <= LONGEST) return name
  const suffix = digest(name)
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .slice(0, SUFFIX)
  return `${name.slice(0, LONGEST - SUFFIX - 1)}_${suffix}`
}

export function pipelineDescription(names: readonly string[]): string {
  return `Pipeline: ${names.join(' -> ')}`
}

/** A pipeline of nothing would be a tool without a schema, a name or a result. */
export function checkNotEmpty(steps: readonly unknown[]): void {
  if (steps.length === 0) throw new ConfigurationError('invalid_definition', 'A pipeline needs at least one step.')
}
