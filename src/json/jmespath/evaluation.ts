import { ToolError } from '../../tool/errors/tool-error.ts'
import type { Budget } from '../budget.ts'
import { compareNumbers } from '../exact-number.ts'
import { isList, isNumber, isObject, type Json } from '../json.ts'
import type { SyntaxTree } from './syntax-tree.ts'

/** The state of one evaluation. */
export interface Evaluation {
  readonly budget: Budget
  /** Notes for the reader of the answer. */
  readonly warnings: Set<string>
}

/** An expression as the argument of a function: `&name`. */
export class Reference {
  readonly tree: SyntaxTree

  constructor(tree: SyntaxTree) {
    this.tree = tree
  }
}

export type Argument = Json | Reference

export function notEvaluated(message: string): ToolError {
  return new ToolError(`The JMESPath expression cannot be evaluated: ${message}.`, {
    code: 'invalid_request',
    hint: 'Correct the expression in jsonPath and call again.',
  })
}

/** `false`, `null` and empty values are false; 0 is not. */
export function isTrue(value: Json): boolean {
  if (isList(value)) return value.length > 0
  if (isObject(value)) return Object.keys(value).length > 0
  return value !== '' && value !== false && value !== null
}

/** The same value, with keys in any order. */
export function isEqual(a: Json, b: Json, budget: Budget): boolean {
  budget.spend(1)
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b) === 0
  if (isList(a) && isList(b)) return a.length === b.length && a.every((each, index) => isEqual(each, b[index] ?? null, budget))
  if (isObject(a) && isObject(b)) {
    const keys = Object.keys(a)
    if (keys.length !== Object.keys(b).length) return false
    return keys.every((key) => Object.hasOwn(b, key) && isEqual(a[key] ?? null, b[key] ?? null, budget))
  }
  return a === b
}

/** Negative, zero or positive for two numbers or two texts; undefined for anything else. */
export function order(a: Json, b: Json): number | undefined {
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b)
  return typeof a === 'string' && typeof b === 'string' ? (a < b ? -1 : a > b ? 1 : 0) : undefined
}
