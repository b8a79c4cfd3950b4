import { didYouMean } from '../schema/did-you-mean.ts'
import { nearestNames } from '../schema/nearest-names.ts'
import { ToolError } from '../tool/errors/tool-error.ts'

/** Values for `{{name}}` in the texts of agents and tasks. */
export type TemplateVariables = Readonly<Record<string, string | number | boolean>>

const PLACE = /\{\{\s*([A-Za-z_]\w*)\s*\}\}/g

/** The names that a text asks for, each once. */
export function variablesIn(texts: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(texts.flatMap((text = '') => Array.from(text.matchAll(PLACE), ([, name = '']) => name)))]
}

/** The text with its values, which are data: a `{{name}}` in a value stays as it is. All names must have been given. */
export function filled(text: string, variables: TemplateVariables): string {
  return text.replace(PLACE, (place, name: string) => (Object.hasOwn(variables, name) ? String(variables[name]) : place))
}

/** Throws before anything begins, with all names that are missing. */
export function checkVariables(needed: readonly string[], given: TemplateVariables, whose: string): void {
  const missing = needed.filter((name) => !Object.hasOwn(given, name))
  if (missing.length === 0) return
  const unused = Object.keys(given).filter((name) => !needed.includes(name))
  const near = missing.length === 1 ? nearestNames(missing[0] ?? '', unused) : []
  const names = missing.map((name) => `'${name}'`).join(' and ')
  const example = missing.map((name) => `${name}: ...`).join(', ')
  const hint = didYouMean(near, `Pass them as variables: { ${example} }.`)
  throw new ToolError(`The texts of ${whose} need ${missing.length === 1 ? 'the variable' : 'the variables'} ${names}. ${hint}`, {
    code: 'invalid_input',
    outcome: 'not_started',
    hint,
  })
}
