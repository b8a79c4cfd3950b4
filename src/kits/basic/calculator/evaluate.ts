import { add, divide, multiply, negate, remainder, subtract } from './arithmetic.ts'
import { CONSTANTS } from './constants.ts'
import type { Expression, Operator } from './expression.ts'
import { FUNCTIONS } from './functions.ts'
import { power } from './powers.ts'
import { Problem } from './problem.ts'
import { type Rational, ZERO } from './rational.ts'

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
