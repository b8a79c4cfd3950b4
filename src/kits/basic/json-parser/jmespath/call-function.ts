import { describeJson, isList, isNumber, isObject, type Json } from '../json.ts'
import { type Argument, notEvaluated, Reference } from './evaluation.ts'
import { type ArgumentKind, type FunctionCall, FUNCTIONS } from './functions.ts'

interface KindOfArgument {
  readonly words: string
  readonly fits: (value: Argument) => boolean
}

const KINDS: Readonly<Record<ArgumentKind, KindOfArgument>> = {
  any: { words: 'a value', fits: (value) => !(value instanceof Reference) },
  number: { words: 'a number', fits: isNumber },
  text: { words: 'a text', fits: isText },
  list: { words: 'a list', fits: isList },
  object: { words: 'an object', fits: (value) => isObject(value) && !(value instanceof Reference) },
  numbers: { words: 'a list of numbers', fits: (value) => isList(value) && value.every(isNumber) },
  texts: { words: 'a list of texts', fits: (value) => isList(value) && value.every(isText) },
  expression: { words: 'an expression such as &name', fits: (value) => value instanceof Reference },
}

function isText(value: Argument): boolean {
  return typeof value === 'string'
}

/** Calls a function of JMESPath; a wrong argument is an error that says which and why. */
export function callFunction(name: string, given: readonly Argument[], call: FunctionCall): Json {
  const definition = FUNCTIONS.get(name)
  if (definition === undefined) throw notEvaluated(`there is no function '${name}'`)
  const { takes, many = false, run } = definition
  if (many ? given.length < takes.length : given.length !== takes.length) {
    const least = `${many ? 'at least ' : ''}${takes.length} ${takes.length === 1 ? 'argument' : 'arguments'}`
    throw notEvaluated(`${name}() takes ${least}, not ${given.length}`)
  }
  given.forEach((value, index) => {
    const kinds = (takes[Math.min(index, takes.length - 1)] ?? []).map((kind) => KINDS[kind])
    if (kinds.some(({ fits }) => fits(value))) return
    const found = value instanceof Reference ? 'an expression' : describeJson(value)
    throw notEvaluated(`argument ${index + 1} of ${name}() must be ${kinds.map(({ words }) => words).join(' or ')}, not ${found}`)
  })
  call.budget.spend(sizeOf(given))
  return run(given, call)
}

/** A function looks at every item of its lists, and at the text that it is given. */
function sizeOf(given: readonly Argument[]): number {
  return given.reduce<number>((sum, value) => sum + (isList(value) ? value.length : typeof value === 'string' ? value.length / 16 : 1), 1)
}
