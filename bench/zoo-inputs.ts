/** A hostile value of at most 64 KB as JSON. */
export interface ZooInput {
  readonly name: string
  readonly value: unknown
}

const MOST_BYTES = 65_536

/** A value inside `depth` others. */
function nested(depth: number, around: (inner: unknown) => unknown, leaf: unknown = 1): unknown {
  let value = leaf
  for (let level = 0; level < depth; level++) value = around(value)
  return value
}

/** As many items as fit into 64 KB. */
function filled(item: (index: number) => unknown): readonly unknown[] {
  const items: unknown[] = []
  for (let bytes = 10, index = 0; ; index++) {
    const next = item(index)
    bytes += JSON.stringify(next).length + 1
    if (bytes > MOST_BYTES) return items
    items.push(next)
  }
}

/** As many fields as fit into 64 KB. */
function filledFields(field: (index: number) => readonly [string, unknown]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(filled(field) as readonly (readonly [string, unknown])[])
}

const list = (inner: unknown): unknown => [inner]
const field = (inner: unknown): unknown => ({ a: inner })
const tagged = (inner: unknown): unknown => ({ a: inner, tag: 1 })
const tree = (inner: unknown): unknown => ({ left: inner, right: inner })
const besides = (inner: unknown): unknown => ({ l: 1, r: inner })
const pair = (inner: unknown): unknown => [inner, inner]

export const zooInputs: readonly ZooInput[] = [
  ...[8, 12, 25, 60, 190].flatMap((depth) => [
    { name: `lists ${depth} deep`, value: nested(depth, list) },
    { name: `objects ${depth} deep`, value: nested(depth, field) },
    { name: `tagged objects ${depth} deep`, value: nested(depth, tagged, 'x') },
    { name: `objects ${depth} deep with a wrong field each`, value: nested(depth, besides) },
  ]),
  { name: 'lists 3,000 deep', value: nested(3000, list) },
  { name: 'a tree of objects', value: nested(11, tree) },
  { name: 'a tree of lists', value: nested(13, pair) },
  { name: 'a tree of lists that ends in texts', value: nested(12, pair, 'x') },
  { name: '32,000 numbers', value: filled(() => 1) },
  { name: 'objects', value: filled(() => ({ a: 1 })) },
  { name: 'lists', value: filled(() => [1]) },
  { name: 'nulls', value: filled(() => null) },
  { name: 'different objects', value: filled((index) => ({ a: index, b: [index] })) },
  { name: 'texts', value: filled((index) => `text ${index}`) },
  { name: 'deep lists', value: filled(() => nested(7, list)) },
  { name: 'deep objects', value: filled(() => nested(6, field, 'x')) },
  { name: 'fields', value: filledFields((index) => [`k${index}`, `k${index}`]) },
  { name: 'numbers 180 deep', value: nested(180, list, filled(() => 1).slice(0, 15_000)) },
  { name: 'chains of lists', value: filled(() => nested(100, list)) },
  { name: 'empty objects', value: filled(() => ({})) },
  { name: 'tagged items', value: filled((index) => ({ kind: `k${index % 50}`, v: 1 })) },
  { name: 'short fields', value: filledFields((index) => [`k${index}`, 1]) },
  { name: 'fields with long names', value: filledFields((index) => [`${'k'.repeat(200)}${index}`, 1]) },
  { name: 'a long name and many items', value: { ['k'.repeat(32_000)]: filled(() => 1).slice(0, 15_000) } },
  { name: 'a long text', value: `${'a'.repeat(MOST_BYTES - 100)}!` },
  { name: 'a long text of parts', value: 'ab1 -_'.repeat(10_900) },
  { name: 'a long text of letters', value: 'abc'.repeat(21_800) },
  { name: 'a long text of pairs', value: '\u{1F600}'.repeat(16_000) },
  { name: 'spaces', value: `${' '.repeat(MOST_BYTES - 100)}x` },
  { name: 'a long text far down', value: nested(12, list, 'a'.repeat(MOST_BYTES - 200)) },
]
