/** The same with readonly fields and lists: a schema does not say whether a value may be changed. */
export type DeepReadonly<T> = unknown extends T ? T : T extends Plain ? T : { readonly [K in keyof T]: DeepReadonly<T[K]> }

/** Values without fields to map. */
export type Plain = string | number | bigint | boolean | symbol | null | undefined | ((...given: never) => unknown)

/** The values from which the input of a step that takes `I` can be made: null is the empty text, and a text for a typed step is parsed as JSON. */
export type Adapted<I> = [I] extends [string] ? unknown : DeepReadonly<I> | string | null
