import { quote } from '../../schema/quote.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import { fieldSteps, fieldValue } from '../../tool/given/field-name.ts'
import type { FieldPath } from '../../tool/given/reference.ts'
import { checkOptionNames } from '../../tool/option-names.ts'
import { checkSeverity, type FieldRead, type Judging, pathText, type Rule, type RuleOptions } from './rule.ts'

export interface FieldRule<F extends readonly string[]> {
  /** The call, for messages: `within('price')`. */
  readonly what: string
  /** In words, for plans: `price from 0 to 100`. */
  readonly name: string
  readonly fields: F
  readonly options: RuleOptions
  readonly optionNames: readonly string[]
  /** Other lists that it reads. */
  readonly reads?: readonly FieldRead[] | undefined
  /** The fault of the values of the fields, if there is one. Names of fields in it are paths from the output. */
  readonly judge: (values: { readonly [K in keyof F]: unknown }, judged: Judged<F>) => string | undefined
}

interface Judged<F extends readonly string[]> extends Judging {
  /** The fields as a message names them: `'items[3].price'`. */
  readonly names: { readonly [K in keyof F]: string }
  /** The values of the fields as a message may show them. */
  readonly says: { readonly [K in keyof F]: string }
  /** The places of the fields. */
  readonly places: { readonly [K in keyof F]: FieldRead & { readonly of: 'output' } }
}

/** A rule over fields. A field that the schema allows to be absent, and that is, is not judged; one that nobody declared is a mistake of the rule. */
export function fieldRule<const F extends readonly string[]>(given: FieldRule<F>): Rule<unknown> {
  const { what, name, fields, options, reads = [], judge } = given
  for (const field of fields)
    if (typeof field !== 'string' || field === '')
      throw new ConfigurationError('invalid_option', `A field of ${what} must be a name, not ${quote(field)}.`)
  checkOptionNames(options, given.optionNames, `The options of ${what}`)
  const severity = checkSeverity(options.severity, what)
  return {
    rule: {
      name,
      reads: [...fields.map((field): FieldRead => ({ of: 'output', path: field.split('.') })), ...reads],
      readsInput: reads.some(({ of }) => of === 'input'),
      runsCode: false,
      faults: (judging: Judging) => {
        const { value, at } = judging
        const values = fields.map((field) => fieldValue(value, field))
        const paths = fields.map((field): FieldPath => [...at, ...fieldSteps(value, field)])
        if (isAbsent({ what, values, paths }, judging)) return []
        const names = paths.map((path) => `'${pathText(path)}'`)
        const places = paths.map((path): FieldRead => ({ of: 'output', path }))
        const judged = {
          ...judging,
          names,
          places,
          get says() {
            return places.map(judging.shown)
          },
        }
        const message = judge(values as never, judged as unknown as Judged<F>)
        return message === undefined ? [] : [{ severity, message, path: pathText(paths[0] ?? []) }]
      },
    },
  }
}

interface Found {
  readonly what: string
  readonly values: readonly unknown[]
  readonly paths: readonly FieldPath[]
}

function isAbsent({ what, values, paths }: Found, { isDeclared }: Judging): boolean {
  const absent = paths.filter((_path, index) => values[index] === undefined || values[index] === null)
  const odd = absent.find((path) => !isDeclared(path))
  if (odd === undefined) return absent.length > 0
  throw new ToolError(`${what} reads the field '${pathText(odd)}', which the output does not have.`, { code: 'adapter_failed' })
}
