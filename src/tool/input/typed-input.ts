import { ToolError } from '../errors/tool-error.ts'
import type { Contract } from '../schema/contract.ts'
import { describeIssues } from '../schema/describe-issues.ts'
import { dropUndeclared } from '../schema/drop-undeclared.ts'
import { isRecord, type JsonSchema } from '../schema/json-schema.ts'
import type { StandardResult } from '../schema/standard-schema.ts'
import { excerpt, toJsonText } from '../text-of.ts'
import { type ModelArguments, parseArguments } from './arguments.ts'
import type { InputPort } from './input-port.ts'

/** A tool with a schema: parsed and validated before it runs. */
export class TypedInput implements InputPort {
  readonly #contract: Contract
  #parameters: JsonSchema | undefined

  constructor(contract: Contract) {
    this.#contract = contract
  }

  get schema(): JsonSchema {
    return this.#contract.input
  }

  /** Models can only send objects: any other root is wrapped as `{ input }`. */
  get parameters(): JsonSchema {
    return (this.#parameters ??= this.#isWrapped
      ? { type: 'object', properties: { input: this.schema }, required: ['input'] }
      : this.schema)
  }

  accept(input: unknown, toolName: string): unknown {
    if (this.#contract.strips) {
      const first = this.#validate(input, toolName)
      if (first instanceof Promise) return first.then((result) => this.#judge(result, input, toolName))
      return this.#judge(first, input, toolName)
    }
    const cleaned = dropUndeclared(input, this.schema)
    const only = this.#validate(cleaned, toolName)
    if (only instanceof Promise) return only.then((result) => valueOf(result, cleaned, toolName))
    return valueOf(only, cleaned, toolName)
  }

  unwrap(given: ModelArguments, toolName: string): unknown {
    const value = given.text === undefined ? given.value : parseArguments(given.text, toolName)
    if (this.#isWrapped) return isRecord(value) && Object.hasOwn(value, 'input') ? value['input'] : value
    if (!isRecord(value)) throw notAnObject(value, toolName)
    return value
  }

  get #isWrapped(): boolean {
    const { schema } = this
    return schema['type'] !== 'object' && !isUnionOfObjects(schema)
  }

  /** Most inputs pass at once; one that does not gets a second look without undeclared fields and stray nulls. */
  #judge(first: StandardResult<unknown>, input: unknown, toolName: string): unknown {
    if (first.issues === undefined) return first.value
    const cleaned = dropUndeclared(input, this.schema)
    if (cleaned === input) return valueOf(first, input, toolName)
    const second = this.#validate(cleaned, toolName)
    if (second instanceof Promise) return second.then((result) => valueOf(result, cleaned, toolName))
    return valueOf(second, cleaned, toolName)
  }

  #validate(input: unknown, toolName: string): StandardResult<unknown> | Promise<StandardResult<unknown>> {
    try {
      return this.#contract.validate(input)
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause)
      throw invalidInput(`Invalid input for tool '${toolName}': it could not be checked (${excerpt(why, 200)}).`, cause)
    }
  }
}

function valueOf(result: StandardResult<unknown>, input: unknown, toolName: string): unknown {
  if (result.issues === undefined) return result.value
  throw invalidInput(`Invalid input for tool '${toolName}': ${describeIssues(result.issues, input)}.`)
}

function invalidInput(message: string, cause?: unknown): ToolError {
  return new ToolError(message, { code: 'invalid_input', outcome: 'not_started', ...(cause === undefined ? {} : { cause }) })
}

function notAnObject(value: unknown, toolName: string): ToolError {
  const kind = Array.isArray(value) ? 'an array' : value === null ? 'null' : `a ${typeof value}`
  return new ToolError(`The arguments of tool '${toolName}' must be one JSON object, not ${kind}: ${excerpt(toJsonText(value), 80)}`, {
    code: 'invalid_arguments',
    outcome: 'not_started',
  })
}

function isUnionOfObjects(schema: JsonSchema): boolean {
  const options = schema['anyOf'] ?? schema['oneOf'] ?? schema['allOf']
  return (
    Array.isArray(options) &&
    options.length > 0 &&
    options.every((option) => isRecord(option) && (option['type'] === 'object' || isUnionOfObjects(option)))
  )
}
