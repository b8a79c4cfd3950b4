import { brand } from './brand.ts'

/** Thrown by `tool.execute` to a peer if the call failed: the message is for the model. */
export class ToolExecutionError<Result> extends Error {
  override readonly name = 'ToolExecutionError'
  readonly result: Result

  constructor(message: string, result: Result, cause: unknown) {
    super(message, { cause })
    this.result = result
    brand(this, 'execution')
  }
}
