import { type AgentTool, type CallOptions, gate, jsonSchema, type StandardSchema, tool } from 'toolwright'
import * as v from 'valibot'
import type { Figure } from './figure.ts'
import { quartilesOf } from './quartiles.ts'
import type { ZooVisit } from './zoo.ts'
import { type ZooInput, zooInputs } from './zoo-inputs.ts'
import { type ZooSchema, zooSchemas } from './zoo-schemas.ts'

/** The most milliseconds at the door for any input of up to 64 KB, and until a person has its request. */
const BUDGET = 50
const REPEATS = 3
/** A call that is so much faster than the budget need not be repeated. */
const CLEARLY_FAST = 30

/** Measures the whole zoo, or one of its named visits. */
export async function visitZoo(name: ZooVisit): Promise<Figure> {
  if (name === 'zoo') return zoo(name, (schema) => timerOf(doorOf(schema)))
  if (name === 'zoo-review') return zoo(name, (schema) => timerOf(gate(doorOf(schema), { approval: true }), { review: REJECTS }))
  const { schema, value, about } = STALLS[name]
  return figure(name, await times(timerOf(doorOf(schema)), value), about)
}

/** The person rejects at once: the time of their answer and of the failure counts too. */
const REJECTS: CallOptions['review'] = { review: () => Promise.resolve({ action: 'reject' }) }

async function zoo(name: ZooVisit, timerFor: (schema: StandardSchema) => Timer): Promise<Figure> {
  let worst = 0
  let where: readonly [ZooSchema, ZooInput] | undefined
  for (const schema of zooSchemas) {
    const timer = timerFor(schema.schema)
    for (const input of zooInputs) {
      const best = Math.min(...(await times(timer, { v: input.value })))
      if (best > worst) {
        worst = best
        where = [schema, input]
      }
    }
  }
  const about = `the slowest of ${zooSchemas.length} schemas x ${zooInputs.length} inputs of up to 64 KB: ${where?.map((each) => each.name).join(', ')}`
  return figure(name, [worst], about)
}

function figure(name: string, milliseconds: readonly number[], about: string): Figure {
  const quartiles = quartilesOf(milliseconds)
  return { name, unit: 'ms', compares: 'difference', baseline: 0, subject: quartiles.median, quartiles, budget: BUDGET, about }
}

function doorOf(schema: StandardSchema): AgentTool {
  return tool({ name: 'visited', description: 'Does nothing.', inputSchema: schema, execute: () => 1 })
}

/** The milliseconds of one call. */
type Timer = (value: unknown) => Promise<number>

/** The processor time of a call, so that other processes do not count. */
function timerOf(door: AgentTool, options?: CallOptions): Timer {
  return async (value) => {
    const before = process.threadCpuUsage()
    await door.call(value as never, options)
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1000
  }
}

async function times(timer: Timer, value: unknown): Promise<readonly number[]> {
  const found: number[] = []
  while (found.length < REPEATS) {
    found.push(await timer(value))
    if ((found.at(-1) ?? 0) < CLEARLY_FAST) break
  }
  return found
}

interface Stall {
  readonly schema: StandardSchema
  readonly value: unknown
  readonly about: string
}

const of = (schema: object): StandardSchema => jsonSchema({ type: 'object', properties: { v: schema } })
const option = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }
const self = { $ref: '#/properties/v' }
const lists = (depth: number): unknown => (depth === 0 ? 1 : [lists(depth - 1)])
const union = v.union([
  v.array(v.lazy((): v.GenericSchema => union)),
  v.pipe(v.array(v.lazy((): v.GenericSchema => union)), v.minLength(1)),
  v.string(),
]) as v.GenericSchema

/** Calls that took seconds before the work at the door was bounded. */
const STALLS: Readonly<Record<Exclude<ZooVisit, 'zoo' | 'zoo-review'>, Stall>> = {
  'zoo-errors': {
    schema: of({ type: 'array', items: { anyOf: [{ type: 'string' }, option] } }),
    value: { v: Array.from({ length: 3700 }, () => ({ a: 1 })) },
    about: 'an invalid input of 30 KB for a list of unions',
  },
  'zoo-recursion': {
    schema: of({ anyOf: [{ type: 'array', items: self }, { type: 'array', items: self, minItems: 1 }, { type: 'string' }] }),
    value: { v: lists(28) },
    about: 'an invalid input of 62 bytes for a union of itself',
  },
  'zoo-unique': {
    schema: of({ type: 'array', uniqueItems: true }),
    value: { v: Array.from({ length: 8000 }, (_, index) => ({ a: index })) },
    about: 'uniqueItems on 8,000 objects',
  },
  'zoo-pattern': {
    schema: of({ type: 'string', pattern: '^(a+)+$' }),
    value: { v: `${'a'.repeat(40)}!` },
    about: 'the pattern ^(a+)+$ on 41 characters',
  },
  'zoo-library': { schema: v.object({ v: union }), value: { v: lists(25) }, about: 'a union of itself by valibot' },
}
