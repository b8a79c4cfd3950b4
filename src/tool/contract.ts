import { compileJsonSchema } from '../schema/compile-json-schema.ts'
import { describeExactly, describeLoosely } from '../schema/describe-schema.ts'
import type { Excess } from '../schema/excess.ts'
import { excessOf } from '../schema/excess-of.ts'
import { frozen } from '../schema/frozen.ts'
import { hasScalarFields } from '../schema/has-scalar-fields.ts'
import { isRecord, type JsonSchema, someSubschema } from '../schema/json-schema.ts'
import { makesNewValues } from '../schema/makes-new-values.ts'
import { measure } from '../schema/measure.ts'
import { privateCopy } from '../schema/private-copy.ts'
import { needsPreCheck, PreCheck } from '../schema/pre-check.ts'
import { excerpt } from '../schema/quote.ts'
import { SchemaError } from '../schema/schema-error.ts'
import { isStandardSchema, type StandardResult, type StandardSchema } from '../schema/standard-schema.ts'
import { ConfigurationError, isConfigurationError } from './errors/configuration-error.ts'
import { isExitEarly } from './errors/exit-early.ts'
import { reasonOf } from './errors/message-of.ts'

export type Validated = StandardResult<unknown> | Promise<StandardResult<unknown>>

/** A schema of any library, reduced to the needs of the door. It is untyped here, so that it does not affect the variance of a tool. */
export interface Contract {
  /** If a schema throws, that is an issue. The size of the value is measured if it is not given. */
  readonly validate: (value: unknown, size?: number) => Validated
  /** The library drops undeclared fields itself, so that the door need not look for them. */
  readonly strips: boolean
  /** The validated value shares no object with the given one; otherwise it may be the given one. */
  readonly isPrivate?: boolean | undefined
  /** It may be asked about an input that nothing was dropped from: if that fits, there was nothing to drop. */
  readonly hasScalarFields?: boolean | undefined
  /** The JSON Schema of what goes in, made on first use; `{}` stands where the library cannot say. */
  readonly input: JsonSchema
  /** The JSON Schema of what goes in, for a model: where the library cannot say, a configuration error. */
  readonly exactInput: JsonSchema
  /** The JSON Schema of what comes out, made on first use; `{}` stands where the library cannot say. */
  readonly output: JsonSchema
  /** Rules of the input that its JSON Schema does not show. */
  readonly excess?: readonly Excess[] | undefined
  /** Guarantees of the output that its JSON Schema does not show. */
  readonly promised?: readonly Excess[] | undefined
}

/** Vendors whose plain object schemas drop undeclared fields. */
const STRIPPING_VENDORS: ReadonlySet<string> = new Set(['zod', 'valibot'])

class StandardContract implements Contract {
  readonly #schema: StandardSchema
  readonly #standard: StandardSchema['~standard']
  readonly strips: boolean
  #isPrivate: boolean | undefined
  #sharesDefaults: boolean | undefined
  #exactInput: JsonSchema | undefined
  #input: JsonSchema | undefined
  #output: JsonSchema | undefined
  #excess: readonly Excess[] | undefined
  #promised: readonly Excess[] | undefined
  #preCheck: PreCheck | undefined

  constructor(schema: StandardSchema) {
    this.#schema = schema
    this.#standard = schema['~standard']
    this.strips = STRIPPING_VENDORS.has(this.#standard.vendor)
  }

  validate(value: unknown, size = measure(value)): Validated {
    const refusal = needsPreCheck(size) ? this.#refusal(value, size) : undefined
    if (refusal !== undefined) return refusal
    try {
      const result = this.#standard.validate(value)
      if (result instanceof Promise) return result.then((each) => this.#withOwnDefaults(each)).catch(unchecked)
      return this.isPrivate ? result : this.#withOwnDefaults(result)
    } catch (thrown) {
      return unchecked(thrown)
    }
  }

  /** A library gives the objects inside a default to every call: without a copy, what one call writes there another one would read. */
  #withOwnDefaults(result: StandardResult<unknown>): StandardResult<unknown> {
    if (result.issues !== undefined) return result
    this.#sharesDefaults ??= !this.isPrivate && someSubschema(this.input, hasObjectDefault)
    return this.#sharesDefaults ? { value: privateCopy(result.value) } : result
  }

  get isPrivate(): boolean {
    return (this.#isPrivate ??= makesNewValues(this.#schema))
  }

  get hasScalarFields(): boolean {
    return hasScalarFields(this.#schema)
  }

  get exactInput(): JsonSchema {
    return (this.#exactInput ??= frozen(inDefinition(() => describeExactly(this.#schema, 'input'))))
  }

  get input(): JsonSchema {
    return (this.#input ??= frozen(this.#exactOrLooseInput()))
  }

  get output(): JsonSchema {
    return (this.#output ??= frozen(describeLoosely(this.#schema, 'output')))
  }

  get excess(): readonly Excess[] {
    return (this.#excess ??= excessOf(this.#schema, 'input'))
  }

  get promised(): readonly Excess[] {
    return (this.#promised ??= excessOf(this.#schema, 'output'))
  }

  #refusal(value: unknown, size: number): StandardResult<unknown> | undefined {
    try {
      this.#preCheck ??= new PreCheck({ schema: this.input, vendor: this.#standard.vendor, excess: this.excess })
      return this.#preCheck.refusal(value, size)
    } catch (thrown) {
      return unchecked(thrown)
    }
  }

  #exactOrLooseInput(): JsonSchema {
    try {
      return this.exactInput
    } catch (error) {
      if (isConfigurationError(error) && error.code === 'missing_package') throw error
      return describeLoosely(this.#schema, 'input')
    }
  }
}

function hasObjectDefault({ default: value }: JsonSchema): boolean {
  return typeof value === 'object' && value !== null
}

const contracts = new WeakMap<StandardSchema, Contract>()

/** A schema that many tools share is described once. */
function sharedContract(schema: StandardSchema): Contract {
  let contract = contracts.get(schema)
  if (contract === undefined) {
    contract = new StandardContract(schema)
    contracts.set(schema, contract)
  }
  return contract
}

/** Accepts a Standard Schema or a raw JSON Schema; anything else is a configuration error. */
export function contractOf(schema: unknown, role: string): Contract {
  if (isStandardSchema(schema)) return sharedContract(schema)
  if (isRecord(schema)) return rawContract(inDefinition(() => compileJsonSchema(schema, role)))
  const kind = Array.isArray(schema) ? 'an array' : schema === null ? 'null' : `a ${typeof schema}`
  throw new ConfigurationError('invalid_schema', `${role} must be a Standard Schema or a JSON Schema object, not ${kind}.`)
}

function rawContract({ validate, description }: ReturnType<typeof compileJsonSchema>): Contract {
  const shown = frozen(description)
  return { validate: guarded(validate), strips: false, isPrivate: true, input: shown, exactInput: shown, output: shown }
}

/**
 * Gives a raw JSON Schema a TypeScript type of your choice.
 * @example
 * const Point = jsonSchema<{ x: number }>({ type: 'object', properties: { x: { type: 'number' } }, required: ['x'] })
 */
export function jsonSchema<T>(schema: JsonSchema): StandardSchema<T, T> {
  const compiled = inDefinition(() => compileJsonSchema(schema, 'jsonSchema'))
  const { validate, description } = compiled
  const describe = (): Record<string, unknown> => structuredClone(description)
  const typed: StandardSchema<T, T> = frozen({
    '~standard': {
      version: 1,
      vendor: 'json-schema',
      validate: (value) => validate(value) as StandardResult<T>,
      jsonSchema: { input: describe, output: describe },
    },
  })
  contracts.set(typed, rawContract(compiled))
  return typed
}

/** An unusable schema is a mistake in the program. A ConfigurationError of the library itself is thrown on. */
function inDefinition<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error
    if (isConfigurationError(error.cause)) throw error.cause
    throw new ConfigurationError(error.code, error.message, error)
  }
}

function guarded(validate: Contract['validate']): Contract['validate'] {
  return (value, size) => {
    try {
      return validate(value, size)
    } catch (thrown) {
      return unchecked(thrown)
    }
  }
}

const LONGEST_REASON = 200

/** A schema that throws has not accepted the value. Fatal errors are thrown on. */
function unchecked(thrown: unknown): StandardResult<unknown> {
  if (isConfigurationError(thrown) || isExitEarly(thrown)) throw thrown
  const message = reasonOf(thrown)
  const why = message.includes('call stack') ? 'it is nested too deeply' : message
  return { issues: [{ message: `it could not be checked (${excerpt(why, LONGEST_REASON)})` }] }
}
