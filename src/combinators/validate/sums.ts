import { quote } from '../../schema/quote.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { type FieldName, fieldValue } from '../../tool/given/field-name.ts'
import { optionNames } from '../../tool/option-names.ts'
import { MASK } from '../../tool/secrets/mask-text.ts'
import { fieldRule } from './field-rule.ts'
import type { FieldRead, Rule, RuleOptions } from './rule.ts'

/** The options of `sums`. */
export interface SumsOptions extends RuleOptions {
  /** The largest difference that is not a fault; by default that of the rounding of binary numbers. */
  readonly tolerance?: number | undefined
  /** The items of the list are records, and this field of theirs is added. */
  readonly by?: string | undefined
}

const NAMES = optionNames<SumsOptions>({ severity: true, tolerance: true, by: true })

/** The relative error of adding many binary numbers. */
const ROUNDING = 1e-9

/**
 * A number must be the sum of others: of fields, or of the items of a list.
 * @example
 * const bill = tool({ name: 'bill', description: 'Reads a bill.', effect: 'read', execute: () => ({ net: 10, tax: 2, total: 13 }) })
 * const result = await validate(bill, { rules: [sums('total', ['net', 'tax'], { tolerance: 0.01 })] }).call('x')
 * console.log(result.text) // Error: Tool 'bill' gave an output that is not plausible: 'total' is 13, and 'net' + 'tax' is 12.
 */
export function sums<V>(
  total: FieldName<V, number>,
  of: readonly FieldName<V, number>[] | FieldName<V, readonly unknown[]>,
  options: SumsOptions = {},
): Rule<V> {
  const what = `sums('${total}')`
  const { tolerance, by } = (options as SumsOptions | null) ?? {}
  if (tolerance !== undefined && !(typeof tolerance === 'number' && tolerance >= 0))
    throw new ConfigurationError('invalid_option', `'tolerance' of ${what} must be a number of at least 0, not ${quote(tolerance)}.`)
  if (by !== undefined && typeof by !== 'string')
    throw new ConfigurationError('invalid_option', `'by' of ${what} must be the name of a field, not ${quote(by)}.`)
  const isList = typeof of === 'string'
  const parts = (isList ? [of] : of) as readonly string[]
  if (!Array.isArray(parts) || parts.length === 0)
    throw new ConfigurationError('invalid_option', `${what} needs the fields that are added, or a list, not ${quote(of)}.`)
  return fieldRule({
    what,
    name: `${total} = ${isList ? `sum of ${of}${by === undefined ? '' : `, by ${by}`}` : parts.join(' + ')}`,
    fields: [total as string, ...parts],
    options,
    optionNames: NAMES,
    judge: ([whole, ...values], judged) => {
      const [name, ...others] = judged.names
      const items = isList ? values[0] : values
      if (!Array.isArray(items)) return `${others[0]} is ${judged.says[1]}, which is not a list`
      const added = Array.from<unknown>(items).map((item) => (isList && by !== undefined ? fieldValue(item, by) : item))
      const [place, ...parted] = judged.places as readonly [FieldRead, ...FieldRead[]]
      const places = isList ? added.map((_item, index) => itemPlace(parted[0] as FieldRead, index, by)) : parted
      const text = isList ? `the sum of ${others[0]}` : others.join(' + ')
      const odd = [whole, ...added].findIndex((each) => typeof each !== 'number' || Number.isNaN(each))
      if (odd !== -1 || typeof whole !== 'number')
        return `${name} and ${text} cannot be compared: ${judged.shown([place, ...places][odd] ?? place)} is not a number`
      const numbers = added as readonly number[]
      const sum = numbers.reduce((so, each) => so + each, 0)
      const largest = numbers.reduce((so, each) => so + Math.abs(each), Math.abs(whole))
      if (Math.abs(whole - sum) <= (tolerance ?? 0) + largest * ROUNDING) return undefined
      // The sum of secrets would tell them.
      return `${name} is ${judged.says[0]}, and ${text} is ${places.some(judged.isSecret) ? MASK : rounded(sum)}`
    },
  })
}

function itemPlace({ of, path }: FieldRead, index: number, by: string | undefined): FieldRead {
  return { of, path: [...path, index, ...(by === undefined ? [] : by.split('.'))] }
}

/** 0.1 + 0.2 reads 0.3. */
function rounded(sum: number): number {
  return Number(sum.toPrecision(12))
}
