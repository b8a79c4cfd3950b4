const REFERENCE: unique symbol = Symbol.for('toolwright.reference') as never

/** Leads to a field: names of fields, and positions in lists. */
export type FieldPath = readonly (string | number)[]

/** A value that is known when a step begins. The path begins in the argument of an adapter: `results`, `find_order`, `value`, `id`. */
export interface Reference<P extends FieldPath = FieldPath> {
  readonly [REFERENCE]: true
  readonly path: P
}

function reference<const P extends FieldPath>(path: P): Reference<P> {
  return Object.freeze({ [REFERENCE]: true as const, path: Object.freeze(path) })
}

/** Works for another copy of the package. */
export function isReference(value: unknown): value is Reference {
  return typeof value === 'object' && value !== null && (value as Partial<Reference>)[REFERENCE] === true
}

/** Says where a field of a step's input comes from. */
export interface From {
  /** A value of a step before, by the step's label: `from('find_order', 'latest', 'id')`. Without fields, the whole value. */
  <const L extends string, const P extends FieldPath>(step: L, ...path: P): Reference<readonly ['results', L, 'value', ...P]>
  /** A field of the input of the whole. */
  readonly input: <const P extends FieldPath>(...path: P) => Reference<readonly ['input', ...P]>
  /** A field of the value of the step just before. */
  readonly value: <const P extends FieldPath>(...path: P) => Reference<readonly ['value', ...P]>
  /** The text of a step before, as a model reads it. */
  readonly text: <const L extends string>(step: L) => Reference<readonly ['results', L, 'text']>
}

/**
 * Says where a field of a step's input comes from: from a step before, from the input of the whole, or from the value just before.
 * `check` compares the schemas of both ends, and `explain` shows it.
 * @example
 * const refundLatest = pipe(latestOrder, fill({ orderId: from('latest_order', 'id'), amount: from.value('total') }, issueRefund))
 */
export const from: From = Object.assign(
  <const L extends string, const P extends FieldPath>(step: L, ...path: P) =>
    reference<readonly ['results', L, 'value', ...P]>(['results', step, 'value', ...path]),
  {
    input: <const P extends FieldPath>(...path: P) => reference<readonly ['input', ...P]>(['input', ...path]),
    value: <const P extends FieldPath>(...path: P) => reference<readonly ['value', ...P]>(['value', ...path]),
    text: <const L extends string>(step: L) => reference<readonly ['results', L, 'text']>(['results', step, 'text']),
  },
)

/** The label of the step that it leads to; undefined for the input and for the value just before. */
export function stepOfReference({ path }: Reference): string | undefined {
  return path[0] === 'results' ? String(path[1]) : undefined
}

/** The fields within the value that it leads to. */
export function fieldsOfReference({ path }: Reference): FieldPath {
  return path.slice(path[0] === 'results' ? 3 : 1)
}

/** It leads to the text of a step, not to its value. */
export function leadsToText({ path }: Reference): boolean {
  return path[0] === 'results' && path[2] === 'text'
}
