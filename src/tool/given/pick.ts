import { from, type Reference } from './reference.ts'

/** A mapping that takes these fields of the value just before. */
export type Picked<K extends string> = { readonly [F in K]: Reference<readonly ['value', F]> }

/**
 * Chooses fields of the value just before, for a mapping: alone, or spread beside other fields.
 * @example
 * const note = tool({ name: 'note', description: 'Notes a total.', inputSchema: z.object({ total: z.number() }), execute: ({ total }) => total })
 * const noted = pipe(latestOrder, fill(pick('total'), note))
 */
export function pick<const K extends readonly string[]>(...fields: K): Picked<K[number]> {
  return Object.fromEntries(fields.map((field) => [field, from.value(field)])) as Picked<K[number]>
}
