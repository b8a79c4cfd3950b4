import assert from 'node:assert/strict'
import {
  type AgentTool,
  branch,
  cache,
  corroborate,
  createInbox,
  createRuntime,
  fallback,
  gate,
  loop,
  map,
  parallel,
  pipe,
  type ReviewRequest,
  retry,
  saga,
  tool,
  when,
} from 'toolwright'
import { memoryRuns, recordingReview } from 'toolwright/testing'
import { z } from 'zod'
import type { Attack } from './attack.ts'
import { ADA, BOB } from './staff.ts'

type AnyTool = AgentTool<unknown, unknown>

/** A field, what a model gives for it, and what runs. Nothing is given where it is undefined. */
const FIELDS: Readonly<Record<string, readonly [schema: z.ZodType, given: unknown, runs: unknown]>> = {
  'a default': [z.string().default('everybody'), undefined, 'everybody'],
  'a coerced number': [z.coerce.number(), '0x7fffffff', 2_147_483_647],
  'a coerced boolean': [z.coerce.boolean(), 'false', true],
  'a replacement': [z.string().catch('everybody'), 7, 'everybody'],
  'a prepared list': [z.preprocess((list) => (Array.isArray(list) ? list.join(' ') : list), z.string()), ['rm', '-rf'], 'rm -rf'],
  'a trimmed text': [z.string().trim(), '  everybody ', 'everybody'],
  'a check that waits': [
    z
      .string()
      .refine(async () => Promise.resolve(true))
      .default('everybody'),
    undefined,
    'everybody',
  ],
}

const described = { description: 'd', effect: 'read' } as const

function plain(name: string, fails = false): AnyTool {
  const execute = (): { readonly v: string } => {
    if (fails) throw new Error('It is down.')
    return { v: 'done' }
  }
  return tool({ ...described, name, inputSchema: z.looseObject({}), execute }) as AnyTool
}

/** Nothing is known of the types of these wholes. */
const any = (value: unknown): never => value as never

/** Wholes whose part gets the input of the whole, and the path of that part. */
const WHOLES: Readonly<Record<string, (part: AnyTool) => unknown>> = {
  'a parallel of several': (part) => parallel(any({ part, beside: plain('beside') }), { name: 'whole' }),
  'a parallel with a schema of its own': (part) =>
    parallel(any({ part, beside: plain('beside') }), { name: 'whole', inputSchema: any(z.looseObject({})) }),
  'a parallel of equal ones': (part) => parallel(any({ part, again: part }), { name: 'whole' }),
  'the second level of a fallback': (part) => fallback(any({ name: 'whole', description: 'd' }), any([plain('first', true), part])),
  'a level of a fallback with a schema of its own': (part) =>
    fallback(any({ name: 'whole', description: 'd', inputSchema: z.looseObject({}) }), any([plain('first', true), part])),
  'a later route of a branch': (part) =>
    branch(any({ name: 'whole', description: 'd' }), any([when(() => false, any(plain('first'))), when(() => true, any(part))])),
  'the first step of a pipeline': (part) => pipe(part, any(plain('last'))) as AnyTool,
  'a source of a corroboration': (part) =>
    corroborate(any({ part, beside: plain('beside') }), any({ name: 'whole', description: 'd', fields: { v: {} } })),
  'a step of a saga': (part) =>
    any(
      saga(any({ name: 'whole', description: 'd', inputSchema: z.looseObject({}) }))
        .step('part', any(part))
        .build(),
    ),
  'a turn of a loop': (part) => loop(any(part), any({ name: 'whole', description: 'd', until: () => true, maxTurns: 1 })),
  'a parallel behind layers': (part) =>
    retry(cache(parallel(any({ part, beside: plain('beside') }), { name: 'whole' }) as unknown as AnyTool, { ttl: '1h' }), {
      attempts: 2,
      base: 0,
    }),
  'a parallel in a parallel': (part) =>
    parallel(any({ inner: parallel(any({ part, beside: plain('beside') }), { name: 'inner' }), other: plain('other') }), { name: 'whole' }),
}

interface Played {
  readonly request: ReviewRequest
  readonly ran: readonly unknown[]
  readonly paths: readonly string[]
}
type Play = (make: (part: AnyTool) => unknown, schema: z.ZodType, input: unknown) => Promise<Played>

function recording(schema: z.ZodType): { readonly part: AnyTool; readonly ran: unknown[]; readonly paths: string[] } {
  const [ran, paths]: [unknown[], string[]] = [[], []]
  const part = tool({
    ...described,
    name: 'part',
    inputSchema: schema,
    execute: (input, { path }) => (ran.push(input), paths.push(path), { v: 'done' }),
  })
  return { part: part as AnyTool, ran, paths }
}

const inMemory: Play = async (make, schema, input) => {
  const { part, ran, paths } = recording(schema)
  const review = recordingReview()
  await gate<unknown, unknown, string>(any(make(part))).call(input, { review })
  const [request] = review.requests
  assert.ok(request)
  return { request, ran, paths }
}

const inARun: Play = async (make, schema, input) => {
  const runs = memoryRuns()
  const first = gate<unknown, unknown, string>(any(make(recording(schema).part)))
  await createRuntime({ tools: [first], database: runs }).start(first, input)
  await runs.idle()
  runs.crash()
  const { part, ran, paths } = recording(schema)
  const runtime = createRuntime({ tools: [gate<unknown, unknown, string>(any(make(part)))], database: runs })
  const { inbox } = await runtime.runs()
  const [item] = await inbox.list()
  assert.ok(item)
  await inbox.approve(item.request.id)
  await runs.idle()
  await runtime.close()
  return { request: item.request, ran, paths }
}

/** The input that the request shows for a call: its own, if it is shown apart, or that of a call around it. */
function shownAt({ input, parts = [] }: ReviewRequest, path: string): unknown {
  const around = parts
    .filter((each) => `${path}/`.startsWith(`${each.path}/`))
    .toSorted((one, other) => other.path.length - one.path.length)
  return around.length === 0 ? input : around[0]?.input
}

const PLACES = { 'in memory': inMemory, 'in a durable run': inARun }
/** The input of these is the input of their first part. */
const HELD = new Set(['the first step of a pipeline', 'a turn of a loop'])

const shown: readonly Attack[] = Object.entries(PLACES).flatMap(([place, play]) =>
  Object.entries(WHOLES).flatMap(([where, make]) =>
    Object.entries(FIELDS).map(([what, [field, given, runs]]): Attack => ({
      name: `${what} of ${where} runs unseen, ${place}`,
      before: HELD.has(where) ? 'held' : 'fell',
      attempt: async () => {
        const { request, ran, paths } = await play(make, z.object({ id: z.string(), field }), {
          id: 'a',
          ...(given === undefined ? {} : { field: given }),
        })
        assert.ok(ran.length > 0)
        for (const input of ran) assert.deepEqual(input, { id: 'a', field: runs })
        for (const path of paths) assert.deepEqual(shownAt(request, path), { id: 'a', field: runs })
      },
    })),
  ),
)

const items: readonly Attack[] = Object.entries(PLACES).flatMap(([place, play]) =>
  Object.entries(FIELDS).map(([what, [field, given, runs]]): Attack => ({
    name: `${what} of an item of a map runs unseen, ${place}`,
    before: 'fell',
    attempt: async () => {
      const item = { id: 'a', ...(given === undefined ? {} : { field: given }) }
      const { request, ran } = await play((part) => map(part) as AnyTool, z.object({ id: z.string(), field }), [item, { ...item, id: 'b' }])
      assert.deepEqual(request.input, ran)
      assert.deepEqual(ran, [
        { id: 'a', field: runs },
        { id: 'b', field: runs },
      ])
    },
  })),
)

const Payment = z.object({ to: z.string(), amount: z.coerce.number().default(1000), apiKey: z.string().default('k-secret-123456') })

function paying(ran: unknown[]): AnyTool {
  const pay = tool({ ...described, name: 'pay', inputSchema: Payment, execute: (input) => (ran.push(input), 'paid') }) as AnyTool
  return parallel(any({ pay, note: plain('note') }), { name: 'whole' }) as unknown as AnyTool
}

const others: readonly Attack[] = [
  {
    name: 'the default of a part is not shown, or its secret is',
    before: 'fell',
    attempt: async () => {
      const review = recordingReview()
      await gate(paying([])).call({ to: 'bob' }, { review })
      assert.deepEqual(
        review.requests[0]?.parts?.map(({ input }) => input),
        [{ to: 'bob', amount: 1000, apiKey: '••••••' }],
      )
    },
  },
  {
    name: 'an event of the request repeats the secret of a part',
    before: 'held',
    attempt: async () => {
      const events: string[] = []
      await gate(paying([])).call(
        { to: 'bob', apiKey: 'k-other-654321' },
        { review: recordingReview(), on: (event) => void events.push(JSON.stringify(event)) },
      )
      assert.ok(events.some((event) => event.includes('review.requested')))
      assert.ok(!events.join('').includes('k-other-654321'))
    },
  },
  {
    name: 'somebody edits, and the next one approves what the parts make of it unseen',
    before: 'fell',
    attempt: async () => {
      const ran: unknown[] = []
      const inbox = createInbox()
      const arrived = new Promise<string>((resolve) => inbox.on('requested', ({ request }) => resolve(request.id)))
      const running = gate(paying(ran), { approvals: { count: 2 } }).call(
        { to: 'bob' },
        { review: inbox.handler, principal: { id: 'rita', permissions: [] } },
      )
      const id = await arrived
      await assert.rejects(inbox.edit(id, { patch: { to: 'ada' } }, ADA), { code: 'invalid_answer' })
      await inbox.approve(id, ADA)
      await inbox.approve(id, BOB)
      await running
      assert.deepEqual(ran, [{ to: 'bob', amount: 1000, apiKey: 'k-secret-123456' }])
    },
  },
  {
    name: 'a default that is another one each time differs from what was shown for a part',
    before: 'fell',
    attempt: async () => {
      let made = 0
      const { request, ran, paths } = await inMemory(
        WHOLES['a parallel of several'] as (part: AnyTool) => unknown,
        z.object({ id: z.string(), key: z.string().default(() => `key ${made++}`) }),
        { id: 'a' },
      )
      assert.equal(ran.length, 1)
      assert.deepEqual(shownAt(request, paths[0] ?? ''), ran[0])
    },
  },
  {
    name: 'an edit of the whole brings back what was shown for a part',
    before: 'held',
    attempt: async () => {
      const ran: unknown[] = []
      await gate(paying(ran)).call({ to: 'bob' }, { review: recordingReview({ action: 'edit', patch: { to: 'ada', amount: '7' } }) })
      assert.deepEqual(ran, [{ to: 'ada', amount: 7, apiKey: 'k-secret-123456' }])
    },
  },
  {
    name: 'a default of a field hides behind a transform of a field that was not given',
    before: 'fell',
    attempt: async () => {
      const at = z
        .unknown()
        .optional()
        .transform((value) => `${JSON.stringify(value)}!`)
      const review = recordingReview()
      const { part } = recording(z.object({ to: z.string().default('everybody'), at }))
      await gate(part).call({}, { review })
      assert.deepEqual(review.requests[0]?.input, { to: 'everybody' })
    },
  },
]

/** Wholes of a payment with a large default, which the predicate of a gate must see. */
const UNJUDGED: Readonly<Record<string, readonly [make: (pay: AnyTool) => unknown, input: unknown]>> = {
  'an item of a map': [(pay) => map(pay), [{ to: 'bob', amount: 1 }, { to: 'bob' }]],
  'a branch of a parallel': [(pay) => parallel(any({ note: plain('note'), pay }), { name: 'whole' }), { to: 'bob' }],
  'branches that make the same': [(pay) => parallel(any({ pay, again: pay }), { name: 'whole' }), { to: 'bob' }],
  'a level of a fallback': [(pay) => fallback(any({ name: 'whole', description: 'd' }), any([plain('first', true), pay])), { to: 'bob' }],
  'a route of a branch': [
    (pay) => branch(any({ name: 'whole', description: 'd' }), any([when(() => false, any(plain('first'))), when(() => true, any(pay))])),
    { to: 'bob' },
  ],
  'the tool itself': [(pay) => pay, { to: 'bob' }],
}

const isLarge = (input: unknown): boolean => [input].flat().some((each) => Number((each as { readonly amount?: unknown }).amount) > 100)

const unjudged: readonly Attack[] = Object.entries(UNJUDGED).map(([where, [make, input]]) => ({
  name: `the predicate of a gate does not see the default of ${where}`,
  before: where === 'the tool itself' ? 'held' : 'fell',
  attempt: async () => {
    const ran: unknown[] = []
    const pay = tool({ ...described, name: 'pay', inputSchema: Payment, execute: (given) => (ran.push(given), { v: 'done' }) }) as AnyTool
    const review = recordingReview({ action: 'reject' })
    await gate<unknown, unknown, string>(any(make(pay)), { approval: isLarge, why: (each) => `Large: ${JSON.stringify(each)}` }).call(
      input,
      { review },
    )
    assert.equal(review.requests.length, 1)
    assert.match(review.requests[0]?.why ?? '', /1000/)
    assert.deepEqual(ran, [])
  },
}))

/** A person approves a whole, and a part of it runs with something else than they were shown. */
export const PARTS_OF_A_WHOLE_ATTACKS: readonly Attack[] = [...shown, ...items, ...others, ...unjudged]
