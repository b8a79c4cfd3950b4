import type { JsonSchema } from './json-schema.ts'
import type { StandardSchema } from './standard-schema.ts'

/** The type of `inputSchema` and `outputSchema`: a Standard Schema (zod, valibot, arktype, ...) or a JSON Schema as data. */
export type AnySchema = StandardSchema<never, unknown> | StandardSchema | JsonSchema

type StandardTypes<S> = S extends { readonly '~standard': { readonly types?: infer T } } ? NonNullable<T> : never

/** The type of the input, before defaults and transforms. */
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

/** Before validation a field with a default may be missing; after it, it is there. */
type Side = 'input' | 'output'

/**
 * The TypeScript type that a literal JSON Schema describes. It reads `type`, `properties`, `required`, `items`, `prefixItems`,
 * `additionalProperties`, `enum`, `const`, `anyOf`, `oneOf`, `nullable` and, for `'output'`, `default`; anything else is `unknown`. For what it cannot
 * read, name the type with `jsonSchema<T>(schema)`.
 */
export type FromJsonSchema<S, D extends Side = 'input'> = S extends { readonly const: infer C }
  ? C
  : S extends { readonly enum: readonly (infer E)[] }
    ? E
    : S extends { readonly anyOf: readonly (infer U)[] }
      ? FromJsonSchema<U>
      : S extends { readonly oneOf: readonly (infer U)[] }
        ? FromJsonSchema<U>
        : S extends { readonly type: readonly (infer T)[] }
          ? FromType<S, T, D> | Nullable<S>
          : S extends { readonly type: infer T }
            ? FromType<S, T, D> | Nullable<S>
            : unknown

type Nullable<S> = S extends { readonly nullable: true } ? null : never

type FromType<S, T, D extends Side> = T extends 'string'
  ? string
  : T extends 'number' | 'integer'
    ? number
    : T extends 'boolean'
      ? boolean
      : T extends 'null'
        ? null
        : T extends 'array'
          ? FromArray<S, D>
          : T extends 'object'
            ? FromObject<S, D>
            : unknown

type FromArray<S, D extends Side> = S extends { readonly prefixItems: infer P extends readonly unknown[] }
  ? S extends { readonly items: false }
    ? FromTuple<P, D>
    : [...FromTuple<P, D>, ...unknown[]]
  : S extends { readonly items: infer I }
    ? FromJsonSchema<I, D>[]
    : unknown[]

type FromTuple<P extends readonly unknown[], D extends Side> = { -readonly [K in keyof P]: FromJsonSchema<P[K], D> }

type FromObject<S, D extends Side> = S extends { readonly properties: infer P }
  ? Flat<
      { -readonly [K in keyof P as K extends Present<S, P, D> ? K : never]: FromJsonSchema<P[K], D> } & {
        -readonly [K in keyof P as K extends Present<S, P, D> ? never : K]?: FromJsonSchema<P[K], D>
      }
    >
  : S extends { readonly additionalProperties: infer V extends JsonSchema }
    ? Record<string, FromJsonSchema<V, D>>
    : Record<string, unknown>

/** The fields that are there for certain. */
type Present<S, P, D extends Side> = Required<S> | (D extends 'output' ? Defaulted<P> : never)

type Required<S> = S extends { readonly required: readonly (infer K)[] } ? K : never

type Defaulted<P> = { [K in keyof P]: P[K] extends { readonly default: unknown } ? K : never }[keyof P]

/** One object type in place of an intersection, so that it reads well. */
type Flat<T> = { [K in keyof T]: T[K] }
