import { isSameJson } from '../../schema/json-schema.ts'
import { quote } from '../../schema/quote.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import { type FieldName, fieldValue } from '../../tool/given/field-name.ts'
import { fieldsOfReference, isReference, type Reference } from '../../tool/given/reference.ts'
import { optionNames } from '../../tool/option-names.ts'
import { fieldRule } from './field-rule.ts'
import { type FieldRead, type Judging, pathText, type Rule, type RuleOptions } from './rule.ts'

/** The options of `among`. */
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
    judge: ([value], judged) => {
      const known = knownOf(source, { by, what }, judged)
      const isList = Array.isArray(value)
      const strange = (isList ? Array.from<unknown>(value) : [value]).findIndex((each) => !known.some((item) => isSameJson(item, each)))
      if (strange === -1) return undefined
      const [{ of, path }] = judged.places
      const says = judged.shown({ of, path: isList ? [...path, strange] : path })
      return `${judged.names[0]} ${isList ? 'has' : 'is'} ${says}, which is not in ${source.text}`
    },
  })
}

interface Source {
  /** `'ids' of the input`. */
  readonly text: string
  readonly reads: readonly FieldRead[]
  readonly items: (judging: Judging) => readonly unknown[]
  /** The place of the list; undefined if its values are given. */
  readonly place: (judging: Judging) => FieldRead | undefined
}

function sourceOf(list: unknown, what: string): Source {
  if (Array.isArray(list)) {
    const given: readonly unknown[] = [...list]
    return { text: quote(given), reads: [], items: () => given, place: () => undefined }
  }
  if (!isReference(list) || (list.path[0] !== 'input' && list.path[0] !== 'value'))
    throw new ConfigurationError(
      'invalid_option',
      `The list of ${what} must be from.input('field'), from.value('field') or a list of values, not ${quote(list)}.`,
    )
  const path = fieldsOfReference(list)
  const of = list.path[0] === 'input' ? 'input' : 'output'
  const text = `'${pathText(path)}' of the ${of}`
  const place = ({ at }: Judging): FieldRead => ({ of, path: of === 'input' ? path : [...at, ...path] })
  return {
    text,
    reads: [{ of, path }],
    place,
    items: (judging) => {
      const { value, input, shown } = judging
      const items = path.reduce<unknown>((at, step) => fieldValue(at, String(step)), of === 'input' ? input : value)
      if (Array.isArray(items)) return Array.from<unknown>(items)
      throw new ToolError(`${what} reads ${text}, which is ${shown(place(judging))}, not a list.`, { code: 'adapter_failed' })
    },
  }
}

interface Compared {
  readonly by: string | undefined
  readonly what: string
}

/** The values that are accepted. */
function knownOf(source: Source, { by, what }: Compared, judging: Judging): readonly unknown[] {
  const items = source.items(judging)
  if (by === undefined) return items
  return items.map((item, index) => {
    const key = fieldValue(item, by)
    if (key !== undefined) return key
    const list = source.place(judging)
    const says = list === undefined ? quote(item) : judging.shown({ of: list.of, path: [...list.path, index] })
    throw new ToolError(`${what} compares by '${by}', which ${says} does not have.`, { code: 'adapter_failed' })
  })
}
