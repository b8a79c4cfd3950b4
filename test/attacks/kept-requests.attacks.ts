import assert from 'node:assert/strict'
import {
  type AgentTool,
  compound,
  createRuntime,
  gate,
  type InboxError,
  type InboxItem,
  type InputChange,
  type Runtime,
  tool,
} from 'toolwright'
import { memoryRuns } from 'toolwright/testing'
import { z } from 'zod'
import type { Attack } from './attack.ts'
import { collectingLogger } from './outlets.ts'

const PAYLOAD = 'mallory-4711'

/** Values that JSON cannot write, each with the text by which a person knows it. */
const VALUES: Readonly<Record<string, readonly [value: unknown, shown: string]>> = {
  'a map': [new Map([['to', PAYLOAD]]), PAYLOAD],
  'the name in a map': [new Map([[PAYLOAD, 1]]), PAYLOAD],
  'an object as a name in a map': [new Map([[{ to: PAYLOAD }, 1]]), PAYLOAD],
  'a set': [new Set([PAYLOAD]), PAYLOAD],
  'a map in a set in a list': [[new Set([new Map([['to', PAYLOAD]])])], PAYLOAD],
  'a number that is none': [Number.NaN, '"NaN"'],
  'a number without end': [Number.NEGATIVE_INFINITY, '"-Infinity"'],
  'a zero below zero': [-0, '"-0"'],
  'a large whole number': [4711n, '"4711"'],
  'a date that is none': [new Date(Number.NaN), '"Invalid Date"'],
  'bytes in a map': [new Map([['bytes', new Uint8Array([47, 11])]]), '47'],
}

interface Desk {
  readonly ran: readonly unknown[]
  readonly runtime: Runtime
  readonly item: InboxItem
  /** Ends when the call does. */
  readonly ended: Promise<unknown>
}

type Way = (pay: AgentTool<unknown>, input: unknown) => Promise<Omit<Desk, 'ran'>>

async function asked(runtime: Runtime, idle: () => Promise<void>): Promise<InboxItem> {
  const { inbox } = await runtime.runs()
  for (let look = 0; look < 100; look++) {
    await idle()
    const [item] = await inbox.list()
    if (item !== undefined) return item
    await new Promise((resolve) => setImmediate(resolve))
  }
  throw new Error('nobody was asked')
}

/** How a call comes to an inbox that keeps its requests. */
const WAYS: Readonly<Record<string, Way>> = {
  'a durable run': async (pay, input) => {
    const runs = memoryRuns()
    const runtime = createRuntime({ tools: [pay], database: runs })
    const run = await runtime.start(pay, input)
    return { runtime, item: await asked(runtime, () => runs.idle()), ended: run.result() }
  },
  'a step of a durable run': async (pay, input) => {
    const runs = memoryRuns()
    const whole = compound({ name: 'whole', description: 'd', parts: { pay }, run: (_, context) => context.call('pay', pay, input) })
    const runtime = createRuntime({ tools: [whole], database: runs })
    const run = await runtime.start(whole, 'go')
    return { runtime, item: await asked(runtime, () => runs.idle()), ended: run.result() }
  },
  'a durable run that another process takes up': async (pay, input) => {
    const runs = memoryRuns()
    const before = createRuntime({ tools: [pay], database: runs })
    const { id } = await before.start(pay, input)
    await asked(before, () => runs.idle())
    runs.crash()
    const runtime = createRuntime({ tools: [pay], database: runs })
    const item = await asked(runtime, () => runs.idle())
    return { runtime, item, ended: (await runtime.run(id)).result() }
  },
  'a call in memory that the inbox of the database asks for': async (pay, input) => {
    const runs = memoryRuns()
    const runtime = createRuntime({ tools: [pay], database: runs })
    const { inbox } = await runtime.runs()
    const ended = pay.call(input, { review: inbox.handler })
    return { runtime, item: await asked(runtime, () => runs.idle()), ended }
  },
}

async function atDesk(way: Way, input: unknown, look: (desk: Desk) => Promise<void>): Promise<void> {
  const ran: unknown[] = []
  const pay = gate(
    tool({ name: 'pay', description: 'Pays.', inputSchema: z.any(), execute: (given: unknown) => `${ran.push(given)} paid` }),
  )
  const desk = await way(pay as AgentTool<unknown>, input)
  try {
    await look({ ...desk, ran })
  } finally {
    await desk.runtime.close()
  }
}

const shown: readonly Attack[] = Object.entries(WAYS).flatMap(([where, way]) =>
  Object.entries(VALUES).map(([what, [value, text]]): Attack => ({
    name: `${where}: ${what} is approved unseen`,
    before: 'fell',
    attempt: () =>
      atDesk(way, { list: [{ value }] }, async ({ item, runtime, ended, ran }) => {
        assert.ok(JSON.stringify(item.request.input).includes(text), `hidden: ${JSON.stringify(item.request.input)}`)
        await runtime.inbox.approve(item.request.id)
        await ended
        assert.deepEqual(ran, [{ list: [{ value }] }])
      }),
  })),
)

/** What a person changes beside the value. */
const beside: readonly Attack[] = Object.entries(WAYS).map(([where, way]): Attack => ({
  name: `${where}: an edit beside a map and a set changes them`,
  before: 'held',
  attempt: () =>
    atDesk(way, { to: new Map([['to', PAYLOAD]]), all: new Set([1]), amount: 5 }, async ({ item, runtime, ended, ran }) => {
      await runtime.inbox.edit(item.request.id, { patch: { amount: 4 } })
      await ended
      assert.deepEqual(ran, [{ to: new Map([['to', PAYLOAD]]), all: new Set([1]), amount: 4 }])
    }),
}))

const EDITS: Readonly<Record<string, (value: unknown) => InputChange>> = {
  'an edit of all of it': (value) => ({ input: { value } }),
  'an edit of a field': (value) => ({ patch: { value } }),
}

/** The tool would get something else than what the person wrote. */
const edited: readonly Attack[] = Object.entries(WAYS).flatMap(([where, way]) =>
  Object.entries(EDITS).flatMap(([how, edit]) =>
    Object.entries(VALUES).map(([what, [value]]): Attack => ({
      name: `${where}: ${how} to ${what} becomes another value in the record`,
      before: 'fell',
      attempt: () =>
        atDesk(way, { value: 1 }, async ({ item, runtime, ended, ran }) => {
          const refused = await runtime.inbox.edit(item.request.id, edit(value)).catch((error: InboxError) => error.code)
          assert.equal(refused, 'invalid_answer')
          await runtime.inbox.approve(item.request.id)
          await ended
          assert.deepEqual(ran, [{ value: 1 }])
        }),
    })),
  ),
)

/** A handler of the program decides in a recorded run. */
const handled: readonly Attack[] = Object.entries(VALUES).map(([what, [value]]): Attack => ({
  name: `a handler edits the input of a durable run to ${what}, which a resumed run would not have`,
  before: typeof value === 'bigint' ? 'held' : 'fell',
  attempt: async () => {
    const ran: unknown[] = []
    const pay = gate(
      tool({ name: 'pay', description: 'Pays.', inputSchema: z.any(), execute: (given: unknown) => `${ran.push(given)} paid` }),
    )
    const runs = memoryRuns()
    const review = { review: () => ({ action: 'edit', input: { value } }) as const }
    const runtime = createRuntime({ tools: [pay], database: runs, review, log: collectingLogger([]) })
    await runtime.start(pay, { value: 1 })
    // Somebody may still decide at the inbox.
    assert.deepEqual((await asked(runtime, () => runs.idle())).request.input, { value: 1 })
    await runtime.close()
    assert.deepEqual(ran, [])
  },
}))

export const KEPT_REQUEST_ATTACKS: readonly Attack[] = [...shown, ...beside, ...edited, ...handled]
