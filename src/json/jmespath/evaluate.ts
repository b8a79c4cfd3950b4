import type { Budget } from '../budget.ts'
import { describeJson, emptyObject, isList, isNumber, isObject, type Json } from '../json.ts'
import { sliceIndexes } from '../slice-indexes.ts'
import { type Argument, type Evaluation, isEqual, isTrue, notEvaluated, order, Reference } from './evaluation.ts'
import { type ArgumentKind, type FunctionCall, FUNCTIONS } from './functions.ts'
import type { Comparison, SyntaxTree } from './syntax-tree.ts'

/**
 * Evaluates an expression. The package's own evaluator is not used: it cannot be stopped, knows no exact numbers, finds keys on prototypes,
 * and sorts numbers as texts.
 */
export function evaluate(tree: SyntaxTree, value: Json, evaluation: Evaluation): Json {
  const { budget } = evaluation
  budget.spend(1)
  switch (tree.type) {
    case 'Identity':
    case 'Current':
      return value
    case 'Literal':
      return tree.value
    case 'Field':
      return isObject(value) && Object.hasOwn(value, tree.name) ? (value[tree.name] ?? null) : null
    case 'Index':
      return isList(value) ? (value.at(tree.value) ?? null) : null
    case 'Slice':
      return slice(tree.children, value, budget)
    case 'Subexpression': {
      const left = evaluate(tree.children[0], value, evaluation)
      return left === null ? null : evaluate(tree.children[1], left, evaluation)
    }
    case 'IndexExpression':
    case 'Pipe':
      return evaluate(tree.children[1], evaluate(tree.children[0], value, evaluation), evaluation)
    case 'Projection': {
      const list = evaluate(tree.children[0], value, evaluation)
      return isList(list) ? project(list, tree.children[1], evaluation) : null
    }
    case 'ValueProjection': {
      const object = evaluate(tree.children[0], value, evaluation)
      return isObject(object) ? project(Object.values(object), tree.children[1], evaluation) : null
    }
    case 'FilterProjection': {
      const list = evaluate(tree.children[0], value, evaluation)
      const [, right, condition] = tree.children
      return isList(list)
        ? project(
            list.filter((each) => isTrue(evaluate(condition, each, evaluation))),
            right,
            evaluation,
          )
        : null
    }
    case 'Flatten': {
      const list = evaluate(tree.children[0], value, evaluation)
      return isList(list) ? flatten(list, budget) : null
    }
    case 'MultiSelectList':
      return value === null ? null : tree.children.map((child) => evaluate(child, value, evaluation))
    case 'MultiSelectHash': {
      if (value === null) return null
      const object = emptyObject()
      for (const { name, value: child } of tree.children) object[name] = evaluate(child, value, evaluation)
      return object
    }
    case 'Comparator': {
      const [left, right] = tree.children.map((child) => evaluate(child, value, evaluation))
      return compare(tree.name, [left ?? null, right ?? null], budget)
    }
    case 'OrExpression': {
      const left = evaluate(tree.children[0], value, evaluation)
      return isTrue(left) ? left : evaluate(tree.children[1], value, evaluation)
    }
    case 'AndExpression': {
      const left = evaluate(tree.children[0], value, evaluation)
      return isTrue(left) ? evaluate(tree.children[1], value, evaluation) : left
    }
    case 'NotExpression':
      return !isTrue(evaluate(tree.children[0], value, evaluation))
    case 'Function':
      return callFunction(
        tree.name,
        tree.children.map((child): Argument => argument(child, value, evaluation)),
        { ...evaluation, apply: (reference, each) => evaluate(reference.tree, each, evaluation) },
      )
    case 'ExpressionReference':
      throw notEvaluated("'&' stands only before an argument of a function")
  }
}

function argument(tree: SyntaxTree, value: Json, evaluation: Evaluation): Argument {
  return tree.type === 'ExpressionReference' ? new Reference(tree.children[0]) : evaluate(tree, value, evaluation)
}

/** Null results are left out. */
function project(list: readonly Json[], tree: SyntaxTree, evaluation: Evaluation): readonly Json[] {
  return list.map((each) => evaluate(tree, each, evaluation)).filter((each) => each !== null)
}

function flatten(list: readonly Json[], budget: Budget): readonly Json[] {
  const flat: Json[] = []
  for (const each of list) {
    const items = isList(each) ? each : [each]
    budget.spend(1 + items.length)
    for (const item of items) flat.push(item)
  }
  return flat
}

function slice([start, end, step]: readonly (number | null)[], value: Json, budget: Budget): Json {
  if (step === 0) throw notEvaluated('the step of a slice must not be 0')
  if (!isList(value)) return null
  const indexes = sliceIndexes(value.length, { start: start ?? undefined, end: end ?? undefined, step: step ?? 1 })
  budget.spend(indexes.length)
  return indexes.map((index) => value[index] ?? null)
}

function compare(comparison: Comparison, [a, b]: readonly [Json, Json], budget: Budget): Json {
  if (comparison === 'EQ') return isEqual(a, b, budget)
  if (comparison === 'NE') return !isEqual(a, b, budget)
  const ordered = order(a, b)
  if (ordered === undefined) return null
  return { GT: ordered > 0, GTE: ordered >= 0, LT: ordered < 0, LTE: ordered <= 0 }[comparison]
}

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
function callFunction(name: string, given: readonly Argument[], call: FunctionCall): Json {
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
