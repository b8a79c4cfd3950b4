import { isSameJson } from '../../schema/json-schema.ts'
import { quote } from '../../schema/quote.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import { type FieldName, fieldValue } from '../../tool/given/field-name.ts'
import { fieldsOfReference, isReference, type Reference } from '../../tool/given/reference.ts'
import { optionNames } from '../../tool/option-names.ts'
import { fieldRule } from './field-rule.ts'
import { type FieldRead, type Judging, pathText, type Rule, type RuleOptions } from './rule.ts'

export interface AmongOptions extends RuleOptions {
  /** The items of the list are records, and the value is one of these fields of theirs: `id`. */
  readonly by?: string | undefined
}

const NAMES = optionNames<AmongOptions>({ severity: true, by: true })

/** A list of the input, a list of the output, or the values themselves. */
export type AmongList<V, I> =
  | Reference<readonly ['input', FieldName<I, readonly unknown[]>]>
  | Reference<readonly ['value', FieldName<V, readonly unknown[]>]>
  | readonly (string | number | boolean)[]

/**
 * A value must be one of a list: of the input (`from.input('names')`), of the output (`from.value('names')`), or of given values. Of a value
 * that is a list, every item must be.
 * @example
 * const ids = z.object({ ids: z.array(z.string()) })
 * const choose = tool({ name: 'choose', description: 'Chooses.', inputSchema: ids, effect: 'read', execute: () => ({ chosen: 'c' }) })
 * const result = await validate(choose, { rules: [among('chosen', from.input('ids'))] }).call({ ids: ['a', 'b'] })
 * console.log(result.text) // Error: Tool 'choose' gave an output that is not plausible: 'chosen' is "c", which is not in 'ids' of the input.
 */
export function among<V, I>(field: FieldName<V>, list: AmongList<V, I>, options: AmongOptions = {}): Rule<V, I> {
  const what = `among('${field}')`
  const { by } = (options as AmongOptions | null) ?? {}
  if (by !== undefined && typeof by !== 'string')
    throw new ConfigurationError('invalid_option', `'by' of ${what} must be the name of a field, not ${quote(by)}.`)
  const source = sourceOf(list, what)
  return fieldRule({
    what,
    name: `${field} among ${source.text}${by === undefined ? '' : `, by ${by}`}`,
    fields: [field as string],
    options,
    optionNames: NAMES,
    reads: source.reads,
    judge: ([value], { names: [name], ...judging }) => {
      const known = source.items(judging).map((item) => (by === undefined ? item : keyOf(item, by, what)))
      const isList = Array.isArray(value)
      const [strange] = (isList ? value : [value]).filter((each: unknown) => !known.some((item) => isSameJson(item, each))).map(quote)
      return strange === undefined ? undefined : `${name} ${isList ? 'has' : 'is'} ${strange}, which is not in ${source.text}`
    },
  })
}

interface Source {
  /** `'ids' of the input`. */
  readonly text: string
  readonly reads: readonly FieldRead[]
  readonly items: (judging: Judging) => readonly unknown[]
}

function sourceOf(list: unknown, what: string): Source {
  if (Array.isArray(list)) {
    const given: readonly unknown[] = [...list]
    return { text: quote(given), reads: [], items: () => given }
  }
  if (!isReference(list) || (list.path[0] !== 'input' && list.path[0] !== 'value'))
    throw new ConfigurationError(
      'invalid_option',
      `The list of ${what} must be from.input('field'), from.value('field') or a list of values, not ${quote(list)}.`,
    )
  const path = fieldsOfReference(list)
  const of = list.path[0] === 'input' ? 'input' : 'output'
  const text = `'${pathText(path)}' of the ${of}`
  return {
    text,
    reads: [{ of, path }],
    items: ({ value, input }) => {
      const items = path.reduce<unknown>((at, step) => fieldValue(at, String(step)), of === 'input' ? input : value)
      if (Array.isArray(items)) return items
      throw new ToolError(`${what} reads ${text}, which is ${quote(items)}, not a list.`, { code: 'adapter_failed' })
    },
  }
}

function keyOf(item: unknown, by: string, what: string): unknown {
  const key = fieldValue(item, by)
  if (key !== undefined) return key
  throw new ToolError(`${what} compares by '${by}', which ${quote(item)} does not have.`, { code: 'adapter_failed' })
}
