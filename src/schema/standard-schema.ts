/**
 * The part of the Standard Schema v1 protocol that Toolwright reads: validation, and JSON Schema output where the library offers it.
 * zod, arktype and others satisfy it structurally; nothing has to be imported from them.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    readonly jsonSchema?: StandardJsonSchema | undefined
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
  }
}

/** Gives a Standard Schema as JSON Schema. */
export interface StandardJsonSchema {
  readonly input: (options: StandardJsonSchemaOptions) => Record<string, unknown>
  readonly output: (options: StandardJsonSchemaOptions) => Record<string, unknown>
}

/** The options with which a Standard Schema gives its JSON Schema. */
export interface StandardJsonSchemaOptions {
  readonly target: 'draft-2020-12'
  readonly libraryOptions?: Record<string, unknown> | undefined
}

/** The answer of a Standard Schema: the value that fits, or the problems. */
export type StandardResult<Output> = { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] }

/** One problem that a Standard Schema found in a value. */
export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** Recognises a Standard Schema: an object or a function with a `~standard` that validates. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || !('~standard' in value)) return false
  const standard = value['~standard']
  return typeof standard === 'object' && standard !== null && 'validate' in standard && typeof standard.validate === 'function'
}
