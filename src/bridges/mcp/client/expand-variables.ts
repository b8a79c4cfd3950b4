import { isRecord } from '../../../schema/json-schema.ts'
import { ConfigurationError } from '../../../tool/errors/configuration-error.ts'
import { printable } from '../../../tool/printable.ts'

const REFERENCE = /\$\{([^{}]*)\}/g
const VARIABLE = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s

/** The variables that settings of MCP servers may name. */
export type Variables = Readonly<Record<string, string | undefined>>

/** The fields of a server in which variables stand. */
const EXPANDED = ['command', 'args', 'env', 'cwd', 'url', 'headers'] as const

/**
 * Puts variables of the environment into the fields of a server, as desktop clients do: `${NAME}`, `${env:NAME}`, and `${NAME:-otherwise}`. A
 * variable that is not set is an error: a program that is started with an empty key fails later, and says less.
 */
export function expandVariables<T extends object>(entry: T, variables: Variables, where: string): T {
  const expanded = EXPANDED.flatMap((field) => {
    const value: unknown = Reflect.get(entry, field)
    return value === undefined ? [] : [[field, expand(value, variables, `'${field}' of ${where}`)] as const]
  })
  return { ...entry, ...Object.fromEntries(expanded) }
}

function expand(value: unknown, variables: Variables, where: string): unknown {
  if (typeof value === 'string') return value.replaceAll(REFERENCE, (_whole, inner: string) => valueOf(inner, variables, where))
  if (Array.isArray(value)) return value.map((each) => expand(each, variables, where))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, expand(each, variables, where)]))
}

function valueOf(inner: string, variables: Variables, where: string): string {
  const [, name, otherwise] = VARIABLE.exec(inner) ?? []
  const shown = printable(inner.slice(0, 40))
  if (name === undefined)
    throw new ConfigurationError(
      'invalid_option',
      `\${${shown}} in ${where} is no variable of the environment. Write \${NAME} or \${NAME:-otherwise}.`,
    )
  const value = Object.hasOwn(variables, name) ? variables[name] : undefined
  if (value !== undefined && (value !== '' || otherwise === undefined)) return value
  if (otherwise !== undefined) return otherwise
  throw new ConfigurationError(
    'invalid_option',
    `The variable ${name}, which stands in ${where}, is not set. Set it, or write \${${name}:-otherwise}.`,
  )
}
