import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { branch } from '../../combinators/branch/branch.ts'
import { when } from '../../combinators/branch/route.ts'
import { cache } from '../../combinators/cache/cache.ts'
import { gate } from '../../combinators/gate/gate.ts'
import { idempotent } from '../../combinators/idempotent/idempotent.ts'
import { parallel } from '../../combinators/parallel/parallel.ts'
import { pipe } from '../../combinators/pipe/pipe.ts'
import { privateCopy } from '../../schema/private-copy.ts'
import { memoryJournal } from '../../tool/journal/journal.ts'
import type { AgentTool } from '../agent-tool.ts'
import { compound } from '../compound.ts'
import type { CallOptions } from '../context.ts'
import { digest, hashOf } from '../journal/hash.ts'
import type { Policy } from '../ports/policy.ts'
import type { ReviewRequest } from '../review.ts'
import { reviewableData } from '../reviewable-json.ts'
import { tool } from '../tool.ts'
import { isFull } from '../../../test/fixtures/is-full.ts'

/** All of them in the full suite. */
const CASES = isFull ? 20_000 : 3000

// Every case has schemas of its own: compiling them would take most of the time.
z.config({ jitless: true })

type AnyTool = AgentTool<unknown, unknown>

/** A value, and a schema that takes it, strict or open at every level. */
interface Case {
  readonly schema: z.ZodType
  readonly make: () => unknown
}

const leaf: fc.Arbitrary<Case> = fc.oneof(
  fc.constantFrom('a', 'bc', 'd e').map((text): Case => ({ schema: z.string(), make: () => text })),
  fc.integer().map((n): Case => ({ schema: z.number(), make: () => n })),
  fc.boolean().map((is): Case => ({ schema: z.boolean(), make: () => is })),
  fc.nat(1e6).map((ms): Case => ({ schema: z.date(), make: () => new Date(ms) })),
  fc.nat(9).map((n): Case => ({ schema: z.map(z.string(), z.object({ n: z.number() })), make: () => new Map([['k', { n }]]) })),
  fc.nat(9).map((n): Case => ({ schema: z.any(), make: () => new Uint8Array([n, n]) })),
  fc.nat(9).map((n): Case => ({ schema: z.unknown(), make: () => ({ deep: [{ n }] }) })),
)

const { value: cases } = fc.letrec<{ readonly value: Case; readonly object: Case }>((tie) => ({
  value: fc.oneof({ maxDepth: 3, depthSize: 'small' }, leaf, tie('object'), listOf(tie('value')), opened(tie('object'))),
  object: fc
    .tuple(fc.dictionary(fc.constantFrom('x', 'y', 'z', 'w'), tie('value'), { maxKeys: 3 }), fc.constantFrom('strip', 'strict', 'loose'))
    .map(([fields, kind]): Case => {
      const shape = Object.fromEntries(Object.entries(fields).map(([key, { schema }]) => [key, schema]))
      const make = kind === 'strip' ? z.object : kind === 'strict' ? z.strictObject : z.looseObject
      // An open object need not declare its fields.
      return { schema: make(shape), make: () => Object.fromEntries(Object.entries(fields).map(([key, each]) => [key, each.make()])) }
    }),
}))

function listOf(item: fc.Arbitrary<Case>): fc.Arbitrary<Case> {
  return fc
    .tuple(item, fc.integer({ min: 1, max: 3 }))
    .map(([{ schema, make }, length]): Case => ({ schema: z.array(schema), make: () => Array.from({ length }, make) }))
}

function opened(inner: fc.Arbitrary<Case>): fc.Arbitrary<Case> {
  return fc
    .tuple(
      inner,
      fc.constantFrom<z.ZodType>(
        z.any(),
        z.unknown(),
        z.custom(() => true),
        z.looseObject({}),
      ),
    )
    .map(([{ make }, schema]): Case => ({ schema, make }))
}

/** What is around the tool, from the inside. Functions of authors spoil what they get. */
const LAYERS: Readonly<Record<string, (inner: AnyTool) => AnyTool>> = {
  gate: (inner) => gate(inner),
  'gate with functions': (inner) => gate(inner, { approval: (input) => (spoil(input), true), why: (input) => (spoil(input), 'why') }),
  idempotent: (inner) => idempotent(inner, { key: (input) => (spoil(input), 'k') }),
  cache: (inner) => cache(inner, { ttl: '1h', anyEffect: true, key: (input) => (spoil(input), 'k') }),
  pipe: (inner) => pipe(inner, end) as AnyTool,
  parallel: (inner) => parallel({ inner, beside: spoiler }, { name: `p_${inner.name}`.slice(0, 60) }) as AnyTool,
  branch: (inner) => branch({ name: 'b', description: 'd' }, [when((input) => (spoil(input), true), inner)]) as AnyTool,
  compound: (inner) =>
    compound({
      name: 'c',
      description: 'd',
      inputSchema: z.any(),
      parts: { spoiler, inner },
      run: async (input: unknown, context) => {
        const result = context.call('inner', inner, input)
        await context.call('spoiler', spoiler, input)
        spoil(input)
        return result
      },
    }) as AnyTool,
}

const end = tool({ name: 'end', description: 'd', effect: 'read', execute: () => 'end' }) as AnyTool
const spoiler = tool({
  name: 'spoiler',
  description: 'd',
  inputSchema: z.any(),
  effect: 'read',
  execute: (input) => (spoil(input), 0),
}) as AnyTool

/** Changes every object that it can reach. */
function spoil(value: unknown, turn = 0): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value) || turn > 9) return
  if (value instanceof Date) value.setTime(value.getTime() + 1)
  else if (value instanceof Uint8Array) value.fill(255)
  else if (value instanceof Map) {
    for (const each of value.values()) spoil(each, turn + 1)
    value.set('more', { n: 1 })
  } else {
    for (const key of Object.keys(value)) {
      const fields = value as Record<string, unknown>
      if (typeof fields[key] === 'object') spoil(fields[key], turn + 1)
      else fields[key] = 'SPOILT'
    }
    if (Array.isArray(value)) value.push('SPOILT')
    else Object.assign(value, { undeclared: 'SPOILT' })
  }
}

/** Each read of a field gives another value than the read before. */
function unsteady(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input) || Object.getPrototypeOf(input) !== Object.prototype) return input
  const read = new Set<PropertyKey>()
  return new Proxy(input, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key)
      if (read.has(key)) spoil(value)
      read.add(key)
      return value
    },
  })
}

interface Seen {
  readonly requests: ReviewRequest[]
  readonly judged: unknown[]
  readonly ran: unknown[]
}

interface World {
  readonly case: Case
  readonly layers: readonly string[]
  readonly asks: 'itself' | 'policy' | 'nobody'
  /** After how many turns of the microtask queue the caller's object is changed, each time. */
  readonly every: number
  readonly isUnsteady: boolean
  readonly isRecorded: boolean
  readonly isObserved: boolean
}

async function run({ case: given, layers, asks, every, isUnsteady, isRecorded, isObserved }: World): Promise<Seen> {
  const seen: Seen = { requests: [], judged: [], ran: [] }
  const pay = tool({
    name: 'pay',
    description: 'd',
    inputSchema: given.schema,
    effect: 'write',
    requireApproval: asks === 'itself',
    execute: async (input: unknown) => {
      seen.ran.push(privateCopy(input))
      return 'paid'
    },
  }) as AnyTool
  const whole = layers.reduce((inner, name) => (LAYERS[name] as (inner: AnyTool) => AnyTool)(inner), pay)
  const policy: Policy = async ({ tool: name, input }) => {
    if (name === 'pay') seen.judged.push(privateCopy(input))
    spoil(input)
    await Promise.resolve()
    return 'allow' as const
  }
  const review = async (request: ReviewRequest): Promise<{ action: 'continue' }> => {
    seen.requests.push({ ...request, input: privateCopy(request.input) })
    spoil(request.input)
    await Promise.resolve()
    return { action: 'continue' }
  }
  const options: CallOptions = {
    review: { review },
    ...(asks === 'policy' ? { policy } : {}),
    ...(isRecorded ? { journal: memoryJournal() } : {}),
    ...(isObserved ? { on: (event) => spoil(event.call.input) } : {}),
  }
  const original = given.make()
  let isOver = false
  const call = whole.call(isUnsteady ? unsteady(original) : original, options).finally(() => (isOver = true))
  for (let tick = 1; !isOver; tick++) {
    if (tick % every === 0) spoil(original)
    if (tick % 50 === 0) await new Promise((resolve) => void setImmediate(resolve))
    else await Promise.resolve()
  }
  await call
  return seen
}

test('the input that runs is the one that was shown, judged and hashed, whatever is changed at every wait of the door [T14] [O1]', async () => {
  let ran = 0
  await fc.assert(
    fc.asyncProperty(
      fc.record<World>({
        case: cases,
        layers: fc.array(fc.constantFrom(...Object.keys(LAYERS)), { maxLength: 3 }),
        asks: fc.constantFrom('itself', 'policy', 'nobody'),
        every: fc.integer({ min: 1, max: 6 }),
        isUnsteady: fc.boolean(),
        isRecorded: fc.boolean(),
        isObserved: fc.boolean(),
      }),
      async (world) => {
        fc.pre(!isCachedGate(world))
        const { requests, judged, ran: inputs } = await run(world)
        const [input] = inputs
        const last = requests.at(-1)
        if (inputs.length > 0) ran++
        expect(inputs.length).toBeLessThanOrEqual(1)
        if (inputs.length === 0) {
          expect(world.isUnsteady).toBe(true)
          return
        }
        if (!world.isUnsteady && !isDeepStrictEqual(input, world.case.make())) expect(input).toEqual(world.case.make())
        for (const each of judged) if (!isDeepStrictEqual(each, input)) expect(each).toEqual(input)
        // A record shows what JSON cannot write as a text or a list.
        const shown = world.isRecorded ? reviewableData(input) : input
        for (const { input: view } of requests) if (!isDeepStrictEqual(view, shown)) expect(view).toEqual(shown)
        if (last !== undefined) expect(last.inputHash).toBe(digest(`${last.tool}@${last.version}\n${hashOf(input)}`))
      },
    ),
    { numRuns: CASES },
  )
  expect(ran).toBeGreaterThan(CASES / 2)
}, 600_000)

/** A cache does not take a tool with a gate inside. */
function isCachedGate({ layers, asks }: World): boolean {
  const at = layers.indexOf('cache')
  if (at === -1) return false
  const last = layers.lastIndexOf('cache')
  return layers.slice(0, last).some((name) => name.startsWith('gate')) || (asks === 'itself' && last > 0)
}
