/** A JSON Schema (2020-12 or draft-07) as plain data. */
export interface JsonSchema {
  readonly [keyword: string]: unknown
}

/**
 * The TypeScript type that a literal JSON Schema describes. It reads `type`, `properties`, `required`, `items`, `enum`, `const`,
 * `anyOf` and `oneOf`; anything else is `unknown`. For what it cannot read, name the type with `jsonSchema<T>(schema)`.
 */
export type FromJsonSchema<S> = S extends { readonly const: infer C }
  ? C
  : S extends { readonly enum: readonly (infer E)[] }
    ? E
    : S extends { readonly anyOf: readonly (infer U)[] }
      ? FromJsonSchema<U>
      : S extends { readonly oneOf: readonly (infer U)[] }
        ? FromJsonSchema<U>
        : S extends { readonly type: readonly (infer T)[] }
          ? FromType<S, T>
          : S extends { readonly type: infer T }
            ? FromType<S, T>
            : unknown

type FromType<S, T> = T extends 'string'
  ? string
  : T extends 'number' | 'integer'
    ? number
    : T extends 'boolean'
      ? boolean
      : T extends 'null'
        ? null
        : T extends 'array'
          ? S extends { readonly items: infer I }
            ? FromJsonSchema<I>[]
            : unknown[]
          : T extends 'object'
            ? FromObject<S>
            : unknown

type FromObject<S> = S extends { readonly properties: infer P }
  ? { [K in keyof P as K extends Required<S> ? K : never]: FromJsonSchema<P[K]> } & {
      [K in keyof P as K extends Required<S> ? never : K]?: FromJsonSchema<P[K]>
    }
  : Record<string, unknown>

type Required<S> = S extends { readonly required: readonly (infer K)[] } ? K : never

/** `{ a: 1 }`, not an array and not null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
