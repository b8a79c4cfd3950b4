import { ToolError } from '../../../../tool/errors/tool-error.ts'
import type { Budget } from '../budget.ts'
import type { Json } from '../json.ts'
import type { SyntaxTree } from './syntax-tree.ts'

/** What one evaluation shares. */
export interface Evaluation {
  readonly budget: Budget
  /** What a reader of the answer should know. */
  readonly warnings: Set<string>
}

/** An expression that is handed to a function: `&name`. */
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
