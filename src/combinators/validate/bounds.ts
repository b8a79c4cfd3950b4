import { quote } from '../../schema/quote.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import type { FieldName } from '../../tool/given/field-name.ts'
import { optionNames } from '../../tool/option-names.ts'
import { fieldRule } from './field-rule.ts'
import type { Rule, RuleOptions } from './rule.ts'

/** At least one of the two. */
export interface BoundsOptions extends RuleOptions {
  readonly min?: number | undefined
  readonly max?: number | undefined
}

const NAMES = optionNames<BoundsOptions>({ severity: true, min: true, max: true })

/**
 * A number must lie between two bounds, both included.
 * @example
 * const total = validate(latestOrder, { rules: [within('total', { min: 0, max: 10_000 })] })
 * const result = await total.call({ email: 'ada@example.com' })
 * console.log(result.ok) // true
 */
export function within<V>(field: FieldName<V, number>, options: BoundsOptions): Rule<V> {
  const what = `within('${field}')`
  return fieldRule({
    what,
    name: `${field} ${boundsText(options, what)}`,
    fields: [field as string],
    options,
    optionNames: NAMES,
    judge: ([value], judged) => {
      const [name] = judged.names
      if (typeof value !== 'number' || Number.isNaN(value)) return `${name} is ${judged.says[0]}, which is not a number`
      return beyond(value, options, { is: () => `${name} is ${judged.says[0]}`, must: 'must be' })
    },
  })
}

/**
 * A list must have a number of items between two bounds, both included.
 * @example
 * const found = tool({ name: 'found', description: 'Finds pages.', effect: 'read', execute: () => ({ pages: [] as string[] }) })
 * const result = await validate(found, { rules: [counted('pages', { min: 1 })] }).call('x')
 * console.log(result.text) // Error: Tool 'found' gave an output that is not plausible: 'pages' has 0 items, and must have at least 1.
 */
export function counted<V>(field: FieldName<V, readonly unknown[]>, options: BoundsOptions): Rule<V> {
  const what = `counted('${field}')`
  return fieldRule({
    what,
    name: `${field} has ${boundsText(options, what)} items`,
    fields: [field as string],
    options,
    optionNames: NAMES,
    judge: ([value], judged) => {
      const [name] = judged.names
      if (!Array.isArray(value)) return `${name} is ${judged.says[0]}, which is not a list`
      const { length } = value
      return beyond(length, options, { is: () => `${name} has ${length} item${length === 1 ? '' : 's'}`, must: 'must have' })
    },
  })
}

interface Words {
  readonly is: () => string
  readonly must: string
}

function beyond(value: number, { min = -Infinity, max = Infinity }: BoundsOptions, { is, must }: Words): string | undefined {
  if (value < min) return `${is()}, and ${must} at least ${min}`
  return value > max ? `${is()}, and ${must} at most ${max}` : undefined
}

function boundsText(options: BoundsOptions | null | undefined, what: string): string {
  const { min, max } = options ?? {}
  for (const [name, bound] of Object.entries({ min, max }))
    if (bound !== undefined && (typeof bound !== 'number' || Number.isNaN(bound)))
      throw new ConfigurationError('invalid_option', `'${name}' of ${what} must be a number, not ${quote(bound)}.`)
  if (min === undefined && max === undefined) throw new ConfigurationError('invalid_option', `${what} needs a bound: min, max or both.`)
  if (min !== undefined && max !== undefined && min > max)
    throw new ConfigurationError('invalid_option', `'min' of ${what} is ${min}, above 'max', which is ${max}.`)
  return max === undefined ? `at least ${min}` : min === undefined ? `at most ${max}` : `${min} to ${max}`
}
