/** What a zod schema, or a check of one, was made from. zod shows it for tools like this one. */
export interface ZodDefinition {
  readonly type?: unknown
  readonly check?: unknown
  readonly checks?: readonly unknown[] | undefined
  readonly coerce?: unknown
  readonly shape?: Readonly<Record<string, unknown>> | undefined
  readonly items?: readonly unknown[] | undefined
  readonly element?: unknown
  readonly rest?: unknown
  readonly catchall?: unknown
  readonly keyType?: unknown
  readonly valueType?: unknown
  readonly innerType?: unknown
  readonly options?: readonly unknown[] | undefined
  readonly left?: unknown
  readonly right?: unknown
  readonly getter?: (() => unknown) | undefined
  readonly in?: unknown
  readonly out?: unknown
  readonly transform?: unknown
  readonly fn?: unknown
  readonly format?: unknown
  readonly pattern?: unknown
  readonly protocol?: unknown
  readonly hostname?: unknown
  readonly alg?: unknown
}

interface ZodLike {
  readonly _zod?: { readonly def?: ZodDefinition | undefined } | undefined
}

/** Undefined for what zod has not made. */
export function zodDefinition(made: unknown): ZodDefinition | undefined {
  return (made as ZodLike | null | undefined)?._zod?.def
}
