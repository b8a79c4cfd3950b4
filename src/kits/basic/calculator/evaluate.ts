import { CONSTANTS, FUNCTIONS } from './functions.ts'
import { power } from './power.ts'
import { Problem } from './problem.ts'
import { add, divide, multiply, negate, type Rational, remainder, subtract, ZERO } from './rational.ts'

export type Operator = '+' | '-' | '*' | '/' | '%' | '^'

/** A parsed expression. `at` is the place of the number, the name or the operator. */
export type Expression =
  | { readonly kind: 'number'; readonly at: number; readonly value: Rational }
  | { readonly kind: 'constant'; readonly at: number; readonly name: string }
  | { readonly kind: 'sign'; readonly at: number; readonly negative: boolean; readonly operand: Expression }
  | { readonly kind: 'operation'; readonly at: number; readonly operator: Operator; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'call'; readonly at: number; readonly name: string; readonly arguments: readonly Expression[] }

const OPERATIONS: Readonly<Record<Operator, (a: Rational, b: Rational) => Rational>> = {
  '+': add,
  '-': subtract,
  '*': multiply,
  '/': divide,
  '%': remainder,
  '^': power,
}

/** Calculates an expression; what has no value is a Problem at its place. */
export function evaluate(expression: Expression): Rational {
  switch (expression.kind) {
    case 'number':
      return expression.value
    case 'constant':
      return CONSTANTS.get(expression.name) ?? ZERO
    case 'sign': {
      const value = evaluate(expression.operand)
      return expression.negative ? negate(value) : value
    }
    case 'operation': {
      const left = evaluate(expression.left)
      const right = evaluate(expression.right)
      return Problem.at(expression.at, () => OPERATIONS[expression.operator](left, right))
    }
    case 'call': {
      const given = expression.arguments.map(evaluate)
      return Problem.at(expression.at, () => FUNCTIONS.get(expression.name)?.apply(given) ?? ZERO)
    }
  }
}
