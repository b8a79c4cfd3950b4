import { breaker, compound, gate, limit, memoryJournal, parallel, retry, ToolPipeline, tool } from 'toolwright'
import { z } from 'zod'
import { setImmediate as turn } from 'node:timers/promises'
import { maskContests } from './mask-contests.ts'
import type { Contest } from './measure.ts'
import { fiftyShapes } from './shapes.ts'

/** Something done through the door, beside the same done by hand. */
export interface DoorContest extends Contest {
  readonly name: string
  readonly about: string
  /** The most that the lower quartile of the time ratio may be. */
  readonly budget?: number
  readonly goal?: number
  /** The same for the ratio of bytes. */
  readonly bytesBudget?: number
}

const schema = z.object({ name: z.string(), count: z.number() })
const outputSchema = z.object({ greeting: z.string() })
type Input = z.infer<typeof schema>

const input: Input = { name: 'Ada', count: 3 }
const description = 'Greets a person a number of times.'

const execute = async ({ name, count }: Input): Promise<string> => (count > 1 ? name : 'nobody')
const executeAtOnce = ({ name, count }: Input): string => (count > 1 ? name : 'nobody')
const executeChecked = async ({ name }: Input): Promise<z.infer<typeof outputSchema>> => ({ greeting: name })

const greet = tool({ name: 'greet', description, inputSchema: schema, effect: 'read', execute })
const greetAtOnce = tool({ name: 'greet', description, inputSchema: schema, effect: 'read', execute: executeAtOnce })
const greetChecked = tool({ name: 'greet', description, inputSchema: schema, outputSchema, effect: 'read', execute: executeChecked })
const gated = gate(greet, { approval: ({ count }) => count > 100 })
const retriedGreet = retry(greet)
const guardedGreet = breaker(greet)
const limitedGreet = limit(greet, { concurrency: 10 })

/** Gives its nested values on, so that the door copies the input. */
const openSchema = z.looseObject({ name: z.string() })
const openInput = {
  name: 'Ada',
  address: { city: 'Paris', tags: ['home', 'post'] },
  orders: [
    { id: 1, count: 2 },
    { id: 2, count: 3 },
  ],
}
const executeOpen = async ({ name }: z.infer<typeof openSchema>): Promise<string> => name
const greetOpen = tool({ name: 'greet', description, inputSchema: openSchema, effect: 'read', execute: executeOpen })

const TEN = Array.from({ length: 10 }, (_, index) => `step_${index}`)

const greetTenTimes = compound({
  name: 'greet_ten_times',
  description: 'Greets ten times, one after another.',
  inputSchema: schema,
  parts: { greet },
  async run(given, context) {
    for (const label of TEN) await context.call(label, greet, given)
  },
})

const pass = async (given: Input): Promise<Input> => given
const passOn = (name: string) => tool({ name, description: 'Hands its input on.', inputSchema: schema, effect: 'read', execute: pass })
const pipeOfTen = TEN.slice(1)
  .reduce((builder, name) => builder.step(passOn(name)), ToolPipeline.builder().name('ten').step(passOn('step_0')))
  .build()

const HUNDRED = Array.from({ length: 100 }, (_, index) => `branch_${index}`)
const parallelOfHundred = parallel(Object.fromEntries(HUNDRED.map((name) => [name, passOn(name)])), { name: 'hundred', concurrency: 100 })

async function plainPass(given: unknown): Promise<Input> {
  const parsed = schema['~standard'].validate(given) as { readonly value: Input }
  return await pass(parsed.value)
}

async function plainPipe(given: unknown): Promise<unknown> {
  let value = given
  for (let step = 0; step < TEN.length; step++) value = await plainPass(value)
  return value
}

/** What a program does without the door: check the input, await the function. */
async function plain(given: unknown): Promise<unknown> {
  const parsed = schema['~standard'].validate(given) as { readonly value: Input }
  return await execute(parsed.value)
}

async function plainAtOnce(given: unknown): Promise<unknown> {
  const parsed = schema['~standard'].validate(given) as { readonly value: Input }
  return executeAtOnce(parsed.value)
}

async function plainChecked(given: unknown): Promise<unknown> {
  const parsed = schema['~standard'].validate(given) as { readonly value: Input }
  return outputSchema['~standard'].validate(await executeChecked(parsed.value))
}

async function plainOpen(given: unknown): Promise<unknown> {
  const parsed = openSchema['~standard'].validate(given) as { readonly value: z.infer<typeof openSchema> }
  return await executeOpen(parsed.value)
}

async function plainGated(given: unknown): Promise<unknown> {
  const parsed = schema['~standard'].validate(given) as { readonly value: Input }
  if (parsed.value.count > 100) throw new Error('This needs an approval.')
  return await execute(parsed.value)
}

async function plainTenTimes(given: unknown): Promise<void> {
  const parsed = schema['~standard'].validate(given) as { readonly value: Input }
  for (const _label of TEN) await plain(parsed.value)
}

const heard = { events: 0 }
const listened = {
  on: () => {
    heard.events++
  },
}

export const doorContests: readonly DoorContest[] = [
  {
    name: 'door',
    about: 'an async tool with zod input, nobody listens',
    budget: 1.75,
    goal: 1.6,
    bytesBudget: 1.75,
    baseline: () => plain(input),
    subject: () => greet.call(input),
  },
  {
    name: 'door-listener',
    about: 'the same, one function listens',
    budget: 4,
    baseline: () => plain(input),
    subject: () => greet.call(input, listened),
  },
  {
    name: 'door-sync',
    about: 'a tool that gives its value at once',
    budget: 4,
    baseline: () => plainAtOnce(input),
    subject: () => greetAtOnce.call(input),
  },
  {
    name: 'door-output',
    about: 'zod checks the output too',
    budget: 3.5,
    baseline: () => plainChecked(input),
    subject: () => greetChecked.call(input),
  },
  {
    name: 'door-gate',
    about: 'a gate that asks nobody, two calls of the door',
    budget: 14,
    baseline: () => plainGated(input),
    subject: () => gated.call(input),
  },
  {
    name: 'layer-retry',
    about: 'a retry around a tool that succeeds, beside the tool',
    budget: 1.5,
    baseline: () => greet.call(input),
    subject: () => retriedGreet.call(input),
  },
  {
    name: 'layer-breaker',
    about: 'a closed breaker around a tool that succeeds, beside the tool',
    budget: 1.5,
    baseline: () => greet.call(input),
    subject: () => guardedGreet.call(input),
  },
  {
    name: 'layer-limit',
    about: 'a limit that is not reached around a tool, beside the tool',
    budget: 1.5,
    baseline: () => greet.call(input),
    subject: () => limitedGreet.call(input),
  },
  {
    name: 'door-copy',
    about: 'a nested input of six objects that its schema gives on',
    budget: 6,
    baseline: () => plainOpen(openInput),
    subject: () => greetOpen.call(openInput),
  },
  {
    name: 'door-shapes',
    about: 'fifty tools of different shapes, one after another',
    budget: 2,
    baseline: async () => {
      for (const { byHand, input: own } of fiftyShapes) await byHand(own)
    },
    subject: async () => {
      for (const { tool: shape, input: own } of fiftyShapes) await shape.call(own)
    },
  },
  {
    name: 'door-turn',
    about: 'every call in a turn of the event loop of its own',
    baseline: async () => [await turn(), await plain(input)],
    subject: async () => [await turn(), await greet.call(input)],
  },
  {
    name: 'door-journal',
    about: 'recorded in a new journal in memory',
    baseline: () => plain(input),
    subject: () => greet.call(input, { journal: memoryJournal() }),
  },
  {
    name: 'door-compound',
    about: 'a compound with ten calls inside',
    baseline: () => plainTenTimes(input),
    subject: () => greetTenTimes.call(input),
  },
  {
    name: 'pipe',
    about: 'a pipeline of ten, nobody listens',
    budget: 1.6,
    goal: 1.45,
    bytesBudget: 1.1,
    baseline: () => plainPipe(input),
    subject: () => pipeOfTen.call(input),
  },
  {
    name: 'pipe-listener',
    about: 'the same, one function listens',
    budget: 4,
    baseline: () => plainPipe(input),
    subject: () => pipeOfTen.call(input, listened),
  },
  {
    name: 'parallel',
    about: 'a hundred tools side by side, beside Promise.all',
    budget: 1.45,
    goal: 1.35,
    baseline: () => Promise.all(HUNDRED.map(() => plainPass(input))),
    subject: () => parallelOfHundred.call(input),
  },
  ...maskContests,
]
