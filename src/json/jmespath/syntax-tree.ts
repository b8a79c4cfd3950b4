import type { Json } from '../json.ts'

/** The syntax tree that the package `jmespath` makes. */
export type SyntaxTree =
  | { readonly type: 'Identity' | 'Current' }
  | { readonly type: 'Field'; readonly name: string }
  | { readonly type: 'Index'; readonly value: number }
  | { readonly type: 'Slice'; readonly children: readonly [start: number | null, end: number | null, step: number | null] }
  | { readonly type: 'Literal'; readonly value: Json }
  | { readonly type: 'Comparator'; readonly name: Comparison; readonly children: Pair }
  | {
      readonly type: 'Subexpression' | 'IndexExpression' | 'Pipe' | 'Projection' | 'ValueProjection' | 'OrExpression' | 'AndExpression'
      readonly children: Pair
    }
  | { readonly type: 'FilterProjection'; readonly children: readonly [SyntaxTree, SyntaxTree, condition: SyntaxTree] }
  | { readonly type: 'Flatten' | 'NotExpression' | 'ExpressionReference'; readonly children: readonly [SyntaxTree] }
  | { readonly type: 'MultiSelectList'; readonly children: readonly SyntaxTree[] }
  | { readonly type: 'MultiSelectHash'; readonly children: readonly KeyValuePair[] }
  | { readonly type: 'Function'; readonly name: string; readonly children: readonly SyntaxTree[] }

export type Comparison = 'EQ' | 'NE' | 'GT' | 'GTE' | 'LT' | 'LTE'

interface KeyValuePair {
  readonly type: 'KeyValuePair'
  readonly name: string
  readonly value: SyntaxTree
}

type Pair = readonly [SyntaxTree, SyntaxTree]

export interface JmespathToken {
  readonly type: string
  readonly value: unknown
  readonly start: number
}
