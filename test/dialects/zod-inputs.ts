import { z } from 'zod'

const Node: z.ZodType = z.object({
  value: z.number(),
  get left() {
    return Node.optional()
  },
})
const Json: z.ZodType = z.lazy(() => z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(Json), z.record(z.string(), Json)]))

/** Inputs as authors write them. */
export const ZOD_INPUTS: Readonly<Record<string, z.ZodType>> = {
  search: z.object({ query: z.string().min(1).max(200), limit: z.int().min(1).max(50).default(10), cursor: z.string().optional() }),
  email: z.object({ to: z.array(z.email()).min(1).max(20), subject: z.string(), body: z.string().nullish() }),
  contact: z.object({ url: z.url(), id: z.uuid(), at: z.iso.datetime(), day: z.iso.date().optional() }),
  refund: z.object({
    orderId: z.string().regex(/^ord_[0-9]+$/),
    amount: z.number().positive().multipleOf(0.01),
    reason: z.enum(['late', 'broken']),
  }),
  event: z.discriminatedUnion('type', [
    z.object({ type: z.literal('click'), x: z.number(), y: z.number() }),
    z.object({ type: z.literal('key'), code: z.string(), shift: z.boolean().optional() }),
  ]),
  nestedUnion: z.object({ filter: z.union([z.string(), z.object({ field: z.string(), op: z.enum(['eq', 'lt']) })]) }),
  headers: z.object({ url: z.string(), headers: z.record(z.string(), z.string()).optional() }),
  settings: z.object({ flags: z.record(z.enum(['a', 'b', 'c']), z.boolean()) }),
  partial: z.object({ flags: z.partialRecord(z.enum(['a', 'b', 'c']), z.int()) }),
  point: z.object({ at: z.tuple([z.number(), z.number()]) }),
  polygon: z.object({ points: z.array(z.tuple([z.number(), z.number()])).min(3) }),
  rest: z.object({ command: z.tuple([z.string()], z.string()) }),
  tree: z.object({ root: Node }),
  json: z.object({ data: Json }),
  anything: z.object({ payload: z.any(), extra: z.unknown().optional() }),
  loose: z.looseObject({ id: z.string() }),
  strict: z.strictObject({ id: z.string(), note: z.string().nullable().optional() }),
  catchall: z.object({ id: z.string() }).catchall(z.number()),
  intersection: z.object({ both: z.intersection(z.object({ a: z.string() }), z.object({ b: z.number().optional() })) }),
  literals: z.object({ mode: z.literal(['fast', 'slow']), level: z.union([z.literal(1), z.literal(2)]), on: z.literal(true) }),
  nullable: z.object({ a: z.string().nullable(), b: z.string().nullish(), c: z.enum(['x']).nullable().default(null) }),
  dates: z.object({ from: z.iso.datetime({ offset: true }), to: z.iso.datetime().optional(), zone: z.string().default('UTC') }),
  numbers: z.object({ a: z.int(), b: z.number().gt(0).lt(1), c: z.number().min(-5).optional(), d: z.int32() }),
  strings: z.object({ a: z.string().length(3), b: z.string().startsWith('x'), c: z.ipv4(), d: z.base64(), e: z.jwt().optional() }),
  arrays: z.object({ a: z.array(z.string()), b: z.array(z.array(z.int())).optional(), c: z.array(z.any()) }),
  deepOptional: z.object({ a: z.object({ b: z.object({ c: z.string().optional() }).optional() }).optional() }),
  coerced: z.object({ a: z.coerce.number(), b: z.stringbool().optional() }),
  transformed: z.object({ a: z.string().transform((text) => text.length), b: z.preprocess((value) => value, z.string()) }),
  prefault: z.object({ a: z.string().prefault('x'), b: z.number().catch(3) }),
  readonlyList: z.object({ a: z.array(z.object({ id: z.int(), tags: z.array(z.string()).optional() })).readonly() }),
  unionOfObjects: z.object({
    to: z.union([z.object({ user: z.string() }), z.object({ group: z.string(), notify: z.boolean().optional() })]),
  }),
  unionOfLists: z.object({ ids: z.union([z.string(), z.array(z.string())]) }),
  optionalUnion: z.object({ a: z.union([z.string(), z.number(), z.null()]).optional() }),
  empty: z.object({}),
  oneField: z.object({ input: z.string().describe('The text') }),
  described: z.object({ a: z.string().describe('A.').meta({ title: 'First' }), b: z.object({ c: z.int() }).describe('B') }).describe('All'),
  wide: z.object(Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`field_${index}`, z.string().optional()]))),
  pick: z.object({ a: z.string(), b: z.number() }).partial(),
  mapOfObjects: z.object({ users: z.record(z.string(), z.object({ name: z.string(), age: z.int().optional() })) }),
  stringList: z.array(z.string()).min(1),
  text: z.string(),
  templated: z.object({ a: z.templateLiteral(['id-', z.number()]) }),
}
