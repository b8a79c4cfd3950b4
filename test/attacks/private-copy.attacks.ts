import { isDeepStrictEqual } from 'node:util'
import { type } from 'arktype'
import {
  type AgentTool,
  branch,
  cache,
  type CallOptions,
  compound,
  gate,
  idempotent,
  loop,
  map,
  memoryJournal,
  parallel,
  pipe,
  type Policy,
  resolve,
  type ReviewRequest,
  tool,
  when,
} from 'toolwright'
import { toAiSdk } from 'toolwright/ai-sdk'
import { z } from 'zod'
import { reviewableData } from '../../src/tool/reviewable-json.ts'
import type { Attack } from './attack.ts'
import { FELL } from './private-copy.fell.ts'

type AnyTool = AgentTool<unknown, unknown>

/** Any value as comparable data, read without the methods of the value itself. */
function seen(value: unknown, depth = 0): unknown {
  if (depth > 20) return 'deep'
  if (typeof value === 'function') return undefined
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((each) => seen(each, depth + 1))
  if (value instanceof Date) return ['date', value.getTime()]
  if (value instanceof Uint8Array) return ['bytes', ...value]
  if (value instanceof Map) return ['map', ...Array.from(value, (each) => seen(each, depth + 1))]
  if (value instanceof Set) return ['set', ...Array.from(value, (each) => seen(each, depth + 1))]
  const fields = Object.keys(value).map((key) => [key, seen((value as Record<string, unknown>)[key], depth + 1)] as const)
  return Object.fromEntries(fields.filter(([, each]) => each !== undefined))
}

/** What was shown to the one who decides, and what ran. */
interface Evidence {
  readonly shown: unknown[]
  readonly ran: unknown[]
}

/** An input, and what the attacker does with it while somebody decides. */
interface Trick {
  readonly schema: unknown
  readonly given: () => { readonly input: unknown; readonly change?: () => void }
  /** What the attacker does with the request itself. */
  readonly abuse?: (request: ReviewRequest) => void
}

const good = (): { city: string; tags: string[] } => ({ city: 'GOOD', tags: ['a'] })

function flipping(goodReads: number): object {
  let reads = 0
  return {
    get to() {
      return reads++ < goodReads ? { city: 'GOOD' } : { city: 'EVIL' }
    },
  }
}

function liar(goodReads: number): object {
  let reads = 0
  return new Proxy(
    { to: { city: 'GOOD' } },
    { get: (_target, key) => (key === 'to' ? { city: reads++ < goodReads ? 'GOOD' : 'EVIL' } : undefined) },
  )
}

const swap = (schema: unknown): Trick => ({
  schema,
  given: () => {
    const to = good()
    return { input: { to }, change: () => void (to.city = 'EVIL') }
  },
})

/** Changes the input that many turns of the microtask queue after the decision. */
function later(ticks: number): Trick {
  const { given } = swap(z.any())
  return {
    schema: z.any(),
    given: () => {
      const { input, change } = given()
      const wait = async (): Promise<void> => {
        for (let tick = 0; tick < ticks; tick++) await Promise.resolve()
        change?.()
      }
      return { input, change: () => void wait() }
    },
  }
}

const TRICKS: Readonly<Record<string, Trick>> = {
  'changes a nested field under z.any': swap(z.any()),
  'changes a nested field under looseObject': swap(z.looseObject({})),
  'changes a nested field under z.unknown': swap(z.object({ to: z.unknown() })),
  'changes a nested field under z.custom': swap(z.object({ to: z.custom<object>() })),
  'changes a nested field under arktype': swap(type({ to: { city: 'string', tags: 'string[]' } })),
  'changes a nested field under a JSON Schema': swap({ type: 'object' }),
  'changes a nested field under a zod object': swap(z.object({ to: z.object({ city: z.string(), tags: z.array(z.string()) }) })),
  ...Object.fromEntries([1, 2, 4, 8, 16].map((ticks) => [`changes a nested field ${ticks} ticks after the decision`, later(ticks)])),
  'replaces a field': {
    schema: z.any(),
    given: () => {
      const input: Record<string, unknown> = { to: good() }
      return { input, change: () => void (input['to'] = { city: 'EVIL' }) }
    },
  },
  'adds to a list': {
    schema: z.looseObject({}),
    given: () => {
      const to = good()
      return { input: { to }, change: () => void to.tags.push('EVIL') }
    },
  },
  'moves a date': {
    schema: z.object({ at: z.date() }),
    given: () => {
      const at = new Date(0)
      return { input: { at }, change: () => void at.setTime(1e12) }
    },
  },
  'changes a map': {
    schema: z.any(),
    given: () => {
      const to = new Map([['city', 'GOOD']])
      return { input: { to }, change: () => void to.set('city', 'EVIL') }
    },
  },
  'changes bytes': {
    schema: z.any(),
    given: () => {
      const to = new Uint8Array([1, 2])
      return { input: { to }, change: () => void (to[0] = 9) }
    },
  },
  'answers a getter once': { schema: z.any(), given: () => ({ input: flipping(1) }) },
  'answers a getter three times': { schema: z.any(), given: () => ({ input: flipping(3) }) },
  'answers a getter six times under looseObject': { schema: z.looseObject({}), given: () => ({ input: flipping(6) }) },
  'answers a proxy once': { schema: z.any(), given: () => ({ input: liar(1) }) },
  'answers a proxy four times': { schema: z.any(), given: () => ({ input: liar(4) }) },
  'shows another value by toJSON': {
    schema: z.any(),
    given: () => ({ input: { to: { city: 'EVIL', toJSON: () => ({ city: 'GOOD' }) } } }),
  },
  'takes hold of the input by toJSON': {
    schema: z.any(),
    given: () => {
      const held: { city: string }[] = []
      const to = {
        city: 'GOOD',
        toJSON(this: { city: string }) {
          held.push(this)
          return { city: this.city }
        },
      }
      return { input: { to }, change: () => held.forEach((each) => void (each.city = 'EVIL')) }
    },
  },
  'moves the date that was shown': {
    schema: z.object({ at: z.date() }),
    given: () => ({ input: { at: new Date(0) } }),
    abuse: ({ input }) => {
      const at = [input].flat().map((each) => (each as { at?: Date } | undefined)?.at)[0]
      at?.setTime(1e12)
    },
  },
}

/** A way to a decision. */
interface Way {
  readonly build: (pay: AnyTool) => AnyTool
  /** The input of the whole around the input of the tool, and back. */
  readonly wrap?: (input: unknown) => unknown
  readonly unwrap?: (input: unknown) => unknown
  readonly call?: (whole: AnyTool, input: unknown, options: CallOptions) => Promise<unknown>
  /** A policy decides, not a person. */
  /** What ran, in the form in which a record shows it. */
  readonly kept?: (ran: unknown) => unknown
  readonly isPoliced?: boolean
  readonly options?: () => CallOptions
}

const read = tool({ name: 'read', description: 'd', inputSchema: z.any(), effect: 'read', execute: (given: unknown) => given })

const WAYS: Readonly<Record<string, Way>> = {
  'a gate': { build: (pay) => gate(pay) },
  'a gate in a gate': { build: (pay) => gate(gate(pay)) },
  'a gate in a recorded run': { build: (pay) => gate(pay), options: () => ({ journal: memoryJournal() }), kept: reviewableData },
  'a gate, observed': { build: (pay) => gate(pay), options: () => ({ on: () => {} }) },
  'a gate with a predicate': { build: (pay) => gate(pay, { approval: () => true, why: () => 'why' }) },
  'a gate in idempotent': { build: (pay) => idempotent(gate(pay), { key: () => 'k' }) },
  'idempotent in a gate': { build: (pay) => gate(idempotent(pay, { key: () => 'k' })) },
  'a cache in a gate': { build: (pay) => gate(cache(pay, { ttl: '1m', anyEffect: true })) },
  'a gate in a pipe': { build: (pay) => pipe(read as AnyTool, gate(pay)) as AnyTool },
  'a pipe in a gate': { build: (pay) => gate(pipe(pay, read as AnyTool) as AnyTool) },
  'a gate in a compound': {
    build: (pay) => {
      const gated = gate(pay)
      return compound({
        name: 'whole',
        description: 'd',
        inputSchema: z.any(),
        parts: { gated },
        run: (input: unknown, context) => context.call('gated', gated, input),
      }) as AnyTool
    },
  },
  'a gate beside a sibling': {
    build: (pay) => parallel({ pay: gate(pay), read: read as AnyTool }, { name: 'whole', concurrency: 1 }) as AnyTool,
  },
  'a parallel in a gate': { build: (pay) => gate(parallel({ pay, read: read as AnyTool }, { name: 'whole' }) as AnyTool) },
  'a gate in a map': { build: (pay) => map(gate(pay)) as AnyTool, wrap: (input) => [input] },
  'a map in a gate': { build: (pay) => gate(map(pay) as AnyTool), wrap: (input) => [input], unwrap: (input) => (input as unknown[])[0] },
  'a gate in a branch': {
    build: (pay) => branch({ name: 'whole', description: 'd' }, [when(() => true, gate(pay))]) as AnyTool,
  },
  'a gate in a loop': { build: (pay) => loop(gate(pay), { until: () => true, maxTurns: 2 }) as AnyTool },
  'a policy': { build: (pay) => pay, isPoliced: true },
  'a policy over a pipe': { build: (pay) => pipe(pay, read as AnyTool) as AnyTool, isPoliced: true },
  'a policy in a recorded run': { build: (pay) => pay, isPoliced: true, options: () => ({ journal: memoryJournal() }) },
  'the execute of a peer': {
    build: (pay) => gate(pay),
    call: (whole, input, options) => whole.execute(input as never, options as never),
  },
  'the AI SDK': {
    build: (pay) => gate(pay),
    call: async (whole, input, options) => {
      const { pay } = toAiSdk({ pay: whole }, options as never).tools as unknown as Record<
        string,
        { execute: (input: unknown, more: object) => unknown }
      >
      return pay?.execute(input, { toolCallId: 'c1', messages: [] })
    },
  },
  'a resolution': {
    build: (pay) => gate(pay),
    call: async (whole, input, options) => (await resolve([whole])).get('pay')?.call(input as never, options),
  },
}

async function attempt(way: Way, { schema, given, abuse }: Trick): Promise<void> {
  const evidence: Evidence = { shown: [], ran: [] }
  const pay = tool({
    name: 'pay',
    description: 'd',
    inputSchema: schema as z.ZodAny,
    effect: 'write',
    execute: (received: unknown) => {
      evidence.ran.push(seen(way.kept === undefined ? received : way.kept(received)))
      return received
    },
  }) as AnyTool
  const { input, change } = given()
  const show = (shown: unknown): void => void evidence.shown.push(seen(way.unwrap === undefined ? shown : way.unwrap(shown)))
  const review = {
    review: async (request: ReviewRequest) => {
      show(request.input)
      abuse?.(request)
      await Promise.resolve()
      change?.()
      return { action: 'continue' as const }
    },
  }
  const policy: Policy = async (call) => {
    if (call.tool === 'pay') show(call.input)
    await Promise.resolve()
    change?.()
    return 'allow' as const
  }
  const options: CallOptions = { ...(way.isPoliced === true ? { policy } : { review }), ...way.options?.() }
  const whole = way.build(pay)
  const wrapped = way.wrap === undefined ? input : way.wrap(input)
  await (way.call === undefined ? whole.call(wrapped, options) : way.call(whole, wrapped, options).catch(() => {}))
  const [ran] = evidence.ran
  if (evidence.ran.length > 1) throw new Error('It ran twice.')
  if (evidence.ran.length === 1 && evidence.shown.length === 0) throw new Error('It ran, and nothing was shown.')
  if (evidence.ran.length === 1 && !isDeepStrictEqual(ran, evidence.shown.at(-1)))
    throw new Error(`Shown: ${JSON.stringify(evidence.shown)}, ran: ${JSON.stringify(ran)}`)
  if (JSON.stringify(evidence.shown) === JSON.stringify(evidence.ran)) return
  if (evidence.ran.length === 0 && evidence.shown.length === 0) throw new Error('The attack did not reach anybody.')
}

/** The input is changed between the moment in which it is shown or judged and the moment in which it runs. */
export const PRIVATE_COPY_ATTACKS: readonly Attack[] = Object.entries(WAYS).flatMap(([way, how]) =>
  Object.entries(TRICKS).map(([trick, what]): Attack => {
    const name = `${way}: the attacker ${trick}`
    return { name, before: FELL[trick]?.includes(way) === true ? 'fell' : 'held', attempt: () => attempt(how, what) }
  }),
)
