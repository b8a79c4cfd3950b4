import type { JsonSchema } from '../../schema/json-schema.ts'

/** What an enum, a flag or a small number may be. */
export type Literal = string | number | boolean

export function isLiteral(value: unknown): value is Literal {
  return typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
}

/** The fields that hold a number, or may. */
export type NumberField<V> = { [K in keyof V]-?: [NonNullable<V[K]>] extends [number] ? K : never }[keyof V]

/** The fields that hold one of a few literals, or may. */
export type EnumField<V> = { [K in keyof V]-?: [NonNullable<V[K]>] extends [Literal] ? K : never }[keyof V]

/** The literals of a field, as an object's keys can say them. */
export type KeyOf<L> = L extends Literal ? `${L}` : never

/** What a field may hold that no key stands for. */
export type Absent<L> = L extends null | undefined ? `${L}` : never

/** The literal that a key stands for. */
export type LiteralOf<L, K> = L extends Literal ? (`${L}` extends K ? L : never) : never

/** What is known of the input once a field has been compared: the member of a union that has it, or the field alone. */
export type Narrowed<V, K extends keyof V, C> = [Extract<V, { readonly [F in K]: C }>] extends [never]
  ? V & { readonly [F in K]: C }
  : Extract<V, { readonly [F in K]: C }>

/** An object whose field has one of these values, as a schema. */
export function withField(field: PropertyKey, values: readonly unknown[]): JsonSchema {
  return { type: 'object', properties: { [field]: { enum: values } }, required: [String(field)] }
}

/** The field of an input that a route compares. */
export function fieldOf(value: unknown, field: PropertyKey): unknown {
  return (value as Readonly<Record<PropertyKey, unknown>>)[field]
}
