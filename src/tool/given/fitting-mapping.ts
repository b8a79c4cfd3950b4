import type { Adapted, DeepReadonly, Plain } from './adapted.ts'
import type { Reference } from './reference.ts'

/** A field of a mapping: a reference, a constant, or a list or record of such. */
export type MappingField =
  | Reference
  | string
  | number
  | boolean
  | null
  | readonly MappingField[]
  | { readonly [field: string]: MappingField }

/** The input of a step as data: where each of its fields comes from. A lone reference is the whole input. */
export type Mapping = Reference | { readonly [field: string]: MappingField }

/** The bound of a mapping that the compiler infers: `Mapping` would be too deep to compute with. */
export type MappingShape = Reference | Readonly<Record<string, unknown>>

/** The value that a mapping makes of the argument of an adapter. */
export type Mapped<M, G> = M extends Reference<infer P> ? At<G, P> : M extends Plain ? M : { readonly [K in keyof M]: Mapped<M[K], G> }

/** The compiler shows this if a reference leads nowhere. */
export interface NoSuchField<K, Known> {
  readonly 'There is no such step or field': { readonly name: K; readonly known: Known }
}

/** The compiler shows this if a value does not fit the field. */
export interface FieldMisfit<K, Gives, Takes> {
  readonly 'This value does not fit the field': { readonly field: K; readonly gives: Gives; readonly takes: Takes }
}

/** The compiler shows this if a step has no field of this name. */
export interface FieldNotTaken<K, Takes> {
  readonly 'The step takes no such field': { readonly field: K; readonly known: Takes }
}

/** The compiler shows this if the fields of a mapping do not fit together. */
export interface MappingMisfit<Gives, Takes> {
  readonly 'The step does not take these fields': { readonly gives: Gives; readonly takes: Takes }
}

/** The type at the end of a path. What is not there is undefined, as it is when it runs. */
type At<T, P> = P extends readonly [infer K, ...infer Rest]
  ? [T] extends [NonNullable<T>]
    ? Step<T, K, Rest>
    : Step<NonNullable<T>, K, Rest> | undefined
  : T

type Step<T, K, Rest> = T extends readonly unknown[]
  ? K extends number
    ? At<number extends T['length'] ? T[number] | undefined : T[K], Rest>
    : NoSuchField<K, number>
  : K extends keyof T
    ? At<T[K], Rest>
    : NoSuchField<K, keyof T>

/** The part of a type that says that a reference leads nowhere. */
type Nowhere<V> = Extract<V, NoSuchField<unknown, unknown>>

type KeysOf<T> = T extends unknown ? keyof T : never

/**
 * `unknown` if what the mapping makes of `G` fits a step that takes `Takes`, so that it adds nothing to an intersection. Otherwise a type
 * that names each wrong field.
 */
export type FittingMapping<M, G, Takes, Accepted = Adapted<Takes>> = M extends Reference
  ? FittingReference<Mapped<M, G>, Takes, Accepted>
  : [Mapped<M, G>] extends [Accepted]
    ? [Exclude<keyof M, KeysOf<Takes>>] extends [never]
      ? unknown
      : [Takes] extends [string]
        ? unknown
        : WrongFields<M, G, Takes>
    : WrongFields<M, G, Takes> & Pick<Takes, Exclude<keyof Takes, keyof M>> & MappingMisfit<Mapped<M, G>, Takes>

type FittingReference<V, Takes, Accepted> = [Nowhere<V>] extends [never]
  ? [V] extends [Accepted]
    ? unknown
    : MappingMisfit<V, Takes>
  : Nowhere<V>

type WrongFields<M, G, Takes> = {
  readonly [K in keyof M]: K extends KeysOf<Takes>
    ? FittingField<K, Mapped<M[K], G>, Takes[K & keyof Takes]>
    : FieldNotTaken<K, KeysOf<Takes>>
}

type FittingField<K, V, Takes> = [Nowhere<V>] extends [never]
  ? [V] extends [DeepReadonly<Takes>]
    ? unknown
    : FieldMisfit<K, V, Takes>
  : Nowhere<V>

/** `unknown` if every reference of a mapping leads to a field of `G`, whatever takes it. */
export type LeadingMapping<M, G> = M extends Reference ? Leading<Mapped<M, G>> : { readonly [K in keyof M]: Leading<Mapped<M[K], G>> }

type Leading<V> = [Nowhere<V>] extends [never] ? unknown : Nowhere<V>
