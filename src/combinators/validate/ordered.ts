import { type Moment, momentOf } from '../../schema/moment-of.ts'
import type { FieldName } from '../../tool/given/field-name.ts'
import { optionNames } from '../../tool/option-names.ts'
import { fieldRule } from './field-rule.ts'
import type { Rule, RuleOptions } from './rule.ts'

/** The options of `ordered`. */
export interface OrderedOptions extends RuleOptions {
  /** The two must differ. */
  readonly strictly?: boolean | undefined
}

const NAMES = optionNames<OrderedOptions>({ severity: true, strictly: true })

/** A number is compared with numbers; a date with dates and texts. A field that may hold both is compared with any. */
type Comparable<V, E> =
  | (E extends FieldName<V, string | Date> ? string | Date : never)
  | (E extends FieldName<V, number> ? number : never)
  | (E extends FieldName<V, string | Date> | FieldName<V, number> ? never : string | number | Date)

/**
 * One time must not come after another: dates and times in ISO notation, `Date`s, or numbers. A time without an offset cannot be compared with one
 * that has an offset: that is a fault too.
 * @example
 * const flight = tool({ name: 'flight', description: 'Finds a flight.', effect: 'read', execute: () => ({ departs: '2026-03-05', lands: '2026-03-04' }) })
 * const result = await validate(flight, { rules: [ordered('departs', 'lands')] }).call('LX 8')
 * console.log(result.ok) // false
 */
export function ordered<V, const E extends FieldName<V, string | number | Date> = FieldName<V, string | number | Date>>(
  earlier: E,
  later: FieldName<V, Comparable<V, E>>,
  options: OrderedOptions = {},
): Rule<V> {
  const isStrict = (options as OrderedOptions | null)?.strictly === true
  return fieldRule({
    what: `ordered('${earlier}', '${later}')`,
    name: `${earlier} ${isStrict ? '<' : '<='} ${later}`,
    fields: [earlier as string, later as string],
    options,
    optionNames: NAMES,
    judge: ([first, second], judged) => {
      const [a, b] = [momentOf(first), momentOf(second)]
      if (a !== undefined && b !== undefined && a.scale === b.scale && (a.at < b.at || (a.at === b.at && !isStrict))) return undefined
      const { names, says } = judged
      const [one, other] = names
      if (a === undefined) return `${one} is ${says[0]}, which is not a time`
      if (b === undefined) return `${other} is ${says[1]}, which is not a time`
      if (a.scale !== b.scale)
        return `${one} (${says[0]}) and ${other} (${says[1]}) cannot be compared: one is ${SCALES[a.scale]}, the other ${SCALES[b.scale]}`
      return `${other} (${says[1]}) is ${a.at === b.at ? 'not after' : 'before'} ${one} (${says[0]})`
    },
  })
}

const SCALES: Readonly<Record<Moment['scale'], string>> = {
  number: 'a number',
  date: 'a date',
  local: 'a time without an offset',
  instant: 'a time with an offset',
  'time of day': 'a time of day',
}
