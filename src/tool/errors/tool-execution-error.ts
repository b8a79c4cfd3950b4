import { brand } from './brand.ts'

/** What `tool.execute` throws to a peer when the call failed: the message is what the model should read. */
export class ToolExecutionError<Result> extends Error {
  override readonly name = 'ToolExecutionError'
  readonly result: Result

  constructor(message: string, result: Result, cause: unknown) {
    super(message, { cause })
    this.result = result
    brand(this, 'execution')
  }
}
