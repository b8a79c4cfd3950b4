import type { Ajv, SchemaValidateFunction } from 'ajv'
import { isRecord, type JsonSchema } from './json-schema.ts'
import { isSameJson } from './same-json.ts'

/** Schemas in which objects and lists are compared with one another. */
export function comparesObjects(schema: JsonSchema): boolean {
  const { const: constant, enum: options } = schema
  return schema['uniqueItems'] === true || isComposite(constant) || (Array.isArray(options) && options.some(isComposite))
}

function isComposite(value: unknown): boolean {
  return isRecord(value) || Array.isArray(value)
}

/** Gives an engine a comparison for any JSON: its own calls the methods of objects, which may be missing, or fields that somebody sent. */
export function compareByFields(engine: Ajv): Ajv {
  const rules = {
    const: rule('const', (expected, value) =>
      isSameJson(expected, value) ? undefined : { message: 'must be equal to constant', params: { allowedValue: expected } },
    ),
    enum: rule('enum', (options, value) =>
      (options as readonly unknown[]).some((each) => isSameJson(each, value))
        ? undefined
        : { message: 'must be equal to one of the allowed values', params: { allowedValues: options } },
    ),
    uniqueItems: rule('uniqueItems', (isOn, value) => (isOn === true && Array.isArray(value) ? duplicate(value) : undefined)),
  }
  for (const [keyword, validate] of Object.entries(rules)) engine.removeKeyword(keyword).addKeyword({ keyword, validate, errors: true })
  return engine
}

interface Misfit {
  readonly message: string
  readonly params: Record<string, unknown>
}

/** The engine reads what is wrong off the function. */
function rule(keyword: string, judge: (schema: unknown, value: unknown) => Misfit | undefined): SchemaValidateFunction {
  const validate: SchemaValidateFunction = (schema: unknown, value: unknown) => {
    const misfit = judge(schema, value)
    validate.errors = misfit === undefined ? [] : [{ keyword, ...misfit }]
    return misfit === undefined
  }
  return validate
}

/** Items other than objects and lists are looked up; these are compared one with the other. */
function duplicate(items: readonly unknown[]): Misfit | undefined {
  const simple = new Map<unknown, number>()
  const composite: number[] = []
  for (const [index, item] of items.entries()) {
    const before = isComposite(item) ? composite.find((each) => isSameJson(items[each], item)) : simple.get(item)
    if (before !== undefined) {
      const message = `must NOT have duplicate items (items ## ${before} and ${index} are identical)`
      return { message, params: { i: index, j: before } }
    }
    if (isComposite(item)) composite.push(index)
    else simple.set(item, index)
  }
  return undefined
}
