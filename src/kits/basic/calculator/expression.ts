import type { Rational } from './rational.ts'

export type Operator = '+' | '-' | '*' | '/' | '%' | '^'

/** What an expression means. `at` is the place of the number, the name or the operator. */
export type Expression =
  | { readonly kind: 'number'; readonly at: number; readonly value: Rational }
  | { readonly kind: 'constant'; readonly at: number; readonly name: string }
  | { readonly kind: 'sign'; readonly at: number; readonly negative: boolean; readonly operand: Expression }
  | { readonly kind: 'operation'; readonly at: number; readonly operator: Operator; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'call'; readonly at: number; readonly name: string; readonly arguments: readonly Expression[] }
