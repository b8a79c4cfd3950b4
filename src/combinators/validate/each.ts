import { quote } from '../../schema/quote.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import { type FieldName, fieldSteps, fieldValue } from '../../tool/given/field-name.ts'
import { type FieldRead, isRule, ownRule, type OwnRule, pathText, type Rule } from './rule.ts'

type ItemOf<V, K> = K extends keyof V ? (NonNullable<V[K]> extends readonly (infer Item)[] ? Item : never) : unknown

/**
 * Rules for every item of a list.
 * @example
 * const hits = tool({ name: 'hits', description: 'Searches.', effect: 'read', execute: () => ({ hits: [{ score: 0.9 }, { score: 7 }] }) })
 * const result = await validate(hits, { rules: [each('hits', [within('score', { min: 0, max: 1 })])] }).call('x')
 * console.log(result.text) // Error: Tool 'hits' gave an output that is not plausible: 'hits[1].score' is 7, and must be at most 1.
 */
export function each<V, I, const K extends FieldName<V, readonly unknown[]>>(
  field: K,
  rules: readonly Rule<ItemOf<V, K>, I>[],
): Rule<V, I> {
  const what = `each('${field}')`
  if (typeof field !== 'string' || field === '')
    throw new ConfigurationError('invalid_option', `The field of each must be a name, not ${quote(field)}.`)
  if (!Array.isArray(rules) || rules.length === 0 || !rules.every(isRule))
    throw new ConfigurationError('invalid_option', `${what} needs a list of rules, not ${quote(rules)}.`)
  const inside = rules.map(ownRule)
  const own: OwnRule = {
    name: `each of ${field}: ${inside.map(({ name }) => name).join(', ')}`,
    reads: [{ of: 'output', path: field.split('.') }, ...inside.flatMap(({ reads }) => reads.map((read) => below(field, read)))],
    readsInput: inside.some(({ readsInput }) => readsInput),
    runsCode: inside.some(({ runsCode }) => runsCode),
    faults: (judging) => {
      const { value, at, isDeclared, shown } = judging
      const path = [...at, ...fieldSteps(value, field)]
      const items = fieldValue(value, field)
      if ((items === undefined || items === null) && isDeclared(path)) return []
      if (!Array.isArray(items))
        throw new ToolError(`${what} reads the field '${pathText(path)}', which is ${shown({ of: 'output', path })}, not a list.`, {
          code: 'adapter_failed',
        })
      // A hole of a list is an item too.
      return Array.from<unknown>(items).flatMap((item, index) =>
        inside.flatMap(({ faults }) => faults({ ...judging, value: item, at: [...path, index] })),
      )
    },
  }
  return { rule: own }
}

function below(field: string, { of, path }: FieldRead): FieldRead {
  return of === 'input' ? { of, path } : { of, path: [...field.split('.'), 0, ...path] }
}
