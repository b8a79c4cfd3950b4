import type { FromJsonSchema, JsonSchema } from './json-schema.ts'
import type { StandardSchema } from './standard-schema.ts'

/** What `inputSchema` and `outputSchema` take: a Standard Schema (zod, valibot, arktype, ...) or a JSON Schema as data. */
export type AnySchema = StandardSchema<never, unknown> | StandardSchema | JsonSchema

type StandardTypes<S> = S extends { readonly '~standard': { readonly types?: infer T } } ? NonNullable<T> : never

/** The type that a caller hands over, before defaults and transforms. */
export type SchemaInput<S> = S extends { readonly '~standard': unknown }
  ? StandardTypes<S> extends { readonly input: infer I }
    ? I
    : unknown
  : FromJsonSchema<S>

/** The type after validation: what `execute` receives. */
export type SchemaOutput<S> = S extends { readonly '~standard': unknown }
  ? StandardTypes<S> extends { readonly output: infer O }
    ? O
    : unknown
  : FromJsonSchema<S, 'output'>
