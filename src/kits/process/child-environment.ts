import { delimiter } from 'node:path'
import { isRecord } from '../../schema/json-schema.ts'
import { quote } from '../../schema/quote.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'
import { absoluteFolders } from './find-program.ts'

/** The environment of a program. Nothing else is in it but `PATH`. */
export interface ProcessEnvironment {
  /** Variables that are taken over from this process, where it has them. */
  readonly inherit?: readonly string[] | undefined
  /** Variables with their values. */
  readonly set?: Readonly<Record<string, string>> | undefined
  /** Variables whose values are secrets, by their names at the secrets provider. */
  readonly secrets?: Readonly<Record<string, string>> | undefined
}

const NAMES = optionNames<ProcessEnvironment>({ inherit: true, set: true, secrets: true })

/** Windows programs do not start without them. */
const NEEDED = process.platform === 'win32' ? ['SystemRoot', 'SystemDrive', 'PATHEXT', 'ComSpec'] : []

/** The mark of a process tree: processes that left their group are found by it. */
export const MARK = 'TOOLWRIGHT_PROCESS'

export function checkEnvironment(given: ProcessEnvironment | undefined, whose: string): ProcessEnvironment {
  const environment = given ?? {}
  checkOptionNames(environment, NAMES, `The 'env' of ${whose}`)
  const { inherit = [], set = {}, secrets = {} } = environment
  if (!Array.isArray(inherit)) throw wrong(`'env.inherit' of ${whose} must be a list of names`, inherit)
  for (const [field, names] of Object.entries({ set, secrets }))
    if (!isRecord(names)) throw wrong(`'env.${field}' of ${whose} must be an object`, names)
  for (const name of [...inherit, ...Object.keys(set), ...Object.keys(secrets)])
    if (typeof name !== 'string' || name === '' || /[=\0]/.test(name))
      throw wrong(`A name in 'env' of ${whose} must be that of a variable`, name)
  for (const value of [...Object.values(set), ...Object.values(secrets)])
    if (typeof value !== 'string' || value.includes('\0')) throw wrong(`A value in 'env' of ${whose} must be a text without NUL`, value)
  return { inherit: [...inherit], set: { ...set }, secrets: { ...secrets } }
}

/** The variables of one call. `PATH` is that of this process unless it is set, without folders that depend on the working folder. */
export async function childEnvironment(
  { inherit = [], set = {}, secrets = {} }: ProcessEnvironment,
  secret: (name: string) => Promise<string>,
): Promise<Record<string, string>> {
  const made: Record<string, string> = Object.create(null) as Record<string, string>
  for (const name of ['PATH', ...NEEDED, ...inherit]) {
    const value = process.env[name]
    if (value !== undefined) made[name] = value
  }
  for (const [name, value] of Object.entries(set)) made[name] = value
  for (const [name, secretName] of Object.entries(secrets)) {
    const value = await secret(secretName)
    if (value.includes('\0') || !value.isWellFormed()) throw unusable(name, secretName)
    made[name] = value
  }
  made['PATH'] = absoluteFolders(made['PATH'] ?? '').join(delimiter)
  return made
}

/** The value itself is shown to nobody. */
function unusable(name: string, secretName: string): ToolError {
  return new ToolError(`The secret '${secretName}' holds a character that the variable ${name} cannot.`, {
    code: 'process_not_started',
    outcome: 'not_started',
    hint: 'Correct the secret at its provider: a variable is a text without NUL.',
  })
}

function wrong(what: string, given: unknown): ConfigurationError {
  return new ConfigurationError('invalid_option', `${what}, not ${quote(given)}.`)
}
