import { TOO_COSTLY } from '../../schema/compile-json-schema.ts'
import { describeIssues } from '../../schema/describe-issues.ts'
import { dropUndeclared } from '../../schema/drop-undeclared.ts'
import type { Excess } from '../../schema/excess.ts'
import { isRecord, type JsonSchema, someSubschema } from '../../schema/json-schema.ts'
import { FLAT, isFlat, mayHaveNull, measure, nodesIn } from '../../schema/measure.ts'
import { TooCostly } from '../../schema/meter.ts'
import { type ModelParameters, modelParameters } from '../../schema/model-parameters.ts'
import { kindAndSize, quote } from '../../schema/quote.ts'
import type { StandardResult } from '../../schema/standard-schema.ts'
import type { Contract, Validated } from '../contract.ts'
import { ToolError } from '../errors/tool-error.ts'
import { type ModelArguments, parseArguments } from './arguments.ts'
import { decodedArguments, withIssues } from './decoded-arguments.ts'
import type { InputPort } from './input-port.ts'

/** A tool with a schema: parsed and validated before it runs. */
export class TypedInput implements InputPort {
  readonly #contract: Contract
  readonly isPrivate: boolean
  readonly #hasScalarFields: boolean
  #model: ModelParameters | undefined
  #looksAtFields: boolean | undefined

  constructor(contract: Contract) {
    this.#contract = contract
    this.isPrivate = contract.isPrivate === true
    this.#hasScalarFields = contract.hasScalarFields === true
  }

  get schema(): JsonSchema {
    return this.#contract.input
  }

  get parsed(): JsonSchema {
    return this.#contract.output
  }

  get excess(): readonly Excess[] | undefined {
    return this.#contract.excess
  }

  get promised(): readonly Excess[] | undefined {
    return this.#contract.promised
  }

  get parameters(): JsonSchema {
    return this.#forModel.parameters
  }

  /** Most calls need only the first lines. */
  accept(input: unknown, toolName: string): unknown {
    if (this.#hasScalarFields) {
      const result = this.#contract.validate(input, FLAT)
      if (!(result instanceof Promise) && result.issues === undefined) return result.value
    }
    return this.#acceptOther(input, toolName)
  }

  /** A flat input has nothing that must go before it is validated, unless the fields are looked at. */
  #acceptOther(input: unknown, toolName: string): unknown {
    if (this.#looksAtFields !== false || !isFlat(input)) return this.#clean(input, toolName)
    return accepted(this.#contract.validate(input, FLAT), input, toolName)
  }

  /** Undeclared fields and stray nulls go first, so that the schema sees the input once: a transform must not run twice. */
  #clean(input: unknown, toolName: string): unknown {
    this.#looksAtFields ??= !this.#contract.strips || someSubschema(this.schema, isStrict)
    const size = measure(input)
    const cleaned = this.#looksAtFields || mayHaveNull(size) ? this.#cleaned(input, size, toolName) : input
    return accepted(this.#contract.validate(cleaned, size), cleaned, toolName)
  }

  #cleaned(input: unknown, size: number, toolName: string): unknown {
    try {
      return dropUndeclared(input, this.schema, nodesIn(size))
    } catch (error) {
      if (error instanceof TooCostly) return valueOf(TOO_COSTLY, input, toolName)
      throw error
    }
  }

  unwrap(given: ModelArguments, toolName: string): unknown {
    const { wrapped } = this.#forModel
    const read = given.text === undefined ? given.value : parseArguments(given.text, toolName)
    const sent = wrapped ? read : decodedTwice(read, toolName)
    const value = given.decoder === undefined ? sent : decodedArguments(given, sent, { toolName, wrapped })
    if (wrapped) return this.#unwrapped(value, toolName)
    if (!isRecord(value)) throw notAnObject(value, toolName)
    return value
  }

  /** If a model leaves out the wrapper, the input is still read if it can be. */
  #unwrapped(value: unknown, toolName: string): unknown {
    if (!isRecord(value)) return value
    if (Object.hasOwn(value, 'input')) {
      const beside = Object.keys(value).filter((name) => name !== 'input' && value[name] !== null && value[name] !== undefined)
      if (beside.length > 0) throw invalidInput(`Invalid input for tool '${toolName}': ${besideText(beside)}`)
      return value['input']
    }
    if (SIMPLE_TYPES.has(this.schema['type'])) throw invalidInput(`Invalid input for tool '${toolName}': 'input' is missing.`)
    return value
  }

  /** A copy for the model: changes to it do not affect the validation. */
  get #forModel(): ModelParameters {
    return (this.#model ??= modelParameters(structuredClone(this.#contract.exactInput)))
  }
}

/** Some models encode their arguments twice. Where an object is taken, a text that is one has no other meaning. It is decoded once. */
function decodedTwice(sent: unknown, toolName: string): unknown {
  if (typeof sent !== 'string' || !/^\s*\{/.test(sent)) return sent
  try {
    const inside = parseArguments(sent, toolName)
    return isRecord(inside) ? inside : sent
  } catch {
    return sent
  }
}

const MOST_NAMES = 3

/** The tool would never see them. */
function besideText(names: readonly string[]): string {
  const some = names
    .slice(0, MOST_NAMES)
    .map((name) => quote(name))
    .join(', ')
  const rest = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : ''
  return `there must be nothing beside 'input', but there is ${some}${rest}. Put all of it into 'input', or leave it out.`
}

const SIMPLE_TYPES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'array'])

/** A schema that refuses undeclared fields, though its library would drop them elsewhere. */
function isStrict(schema: JsonSchema): boolean {
  return schema['additionalProperties'] === false
}

function accepted(result: Validated, input: unknown, toolName: string): unknown {
  return result instanceof Promise ? acceptedLater(result, input, toolName) : valueOf(result, input, toolName)
}

async function acceptedLater(result: Promise<StandardResult<unknown>>, input: unknown, toolName: string): Promise<unknown> {
  return valueOf(await result, input, toolName)
}

function valueOf(result: StandardResult<unknown>, input: unknown, toolName: string): unknown {
  if (result.issues === undefined) return result.value
  throw withIssues(invalidInput(`Invalid input for tool '${toolName}': ${describeIssues(result.issues, input)}.`), result.issues)
}

function invalidInput(message: string): ToolError {
  return new ToolError(message, { code: 'invalid_input', outcome: 'not_started' })
}

/** Nothing tells what in such arguments is secret, so that the failure does not repeat them. */
function notAnObject(value: unknown, toolName: string): ToolError {
  return new ToolError(`The arguments of tool '${toolName}' must be one JSON object, not ${kindAndSize(value)}.`, {
    code: 'invalid_arguments',
    outcome: 'not_started',
  })
}
