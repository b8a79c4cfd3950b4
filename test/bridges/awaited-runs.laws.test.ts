import type { RequestListener } from 'node:http'
import fc from 'fast-check'
import { type AgentTool, createRuntime, gate, pipe, type Runtime, tool } from 'toolwright'
import { connectMcp, type McpConnection, mcpHandler } from 'toolwright/mcp'
import { type FakeClock, fakeClock, type MemoryRuns, memoryRuns } from 'toolwright/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { listening } from '../fixtures/mcp/over-http.ts'
import type { Revision } from '../fixtures/mcp/raw-client.ts'

/** The parts of the tool of the other server, in order: an effect that nobody is asked about, or one behind a gate. */
type Program = string

type How = 'approve' | 'edit' | 'wrong edit' | 'reject' | 'stop'

type Step =
  | { readonly do: 'decide'; readonly at: Side; readonly which: number; readonly how: How }
  | { readonly do: 'cancel there' | 'forget there'; readonly which: number }
  | { readonly do: 'down' | 'up' }
  | { readonly do: 'crash'; readonly at: Side }
  | { readonly do: 'wait'; readonly ms: number }

type Side = 'here' | 'there'

interface Schedule {
  readonly revision: Revision
  readonly program: Program
  /** Whether the tool has an output schema. */
  readonly isTyped: boolean
  readonly runs: number
  readonly steps: readonly Step[]
}

const MINUTE_MS = 60_000
/** Whatever comes in the end, comes in so many waits of ten minutes. */
const MOST_TURNS = 20
const ENDS: readonly string[] = ['completed', 'failed', 'cancelled', 'stopped']
const which = fc.nat(3)
const side = fc.constantFrom<Side>('here', 'there')
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('decide' as const),
      at: side,
      which,
      how: fc.constantFrom<How>('approve', 'approve', 'approve', 'edit', 'wrong edit', 'reject', 'stop'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('cancel there' as const, 'forget there' as const), which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('down' as const, 'up' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('crash' as const), at: side }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(10, 3000, MINUTE_MS, 30 * MINUTE_MS) }) },
)

const schedules: fc.Arbitrary<Schedule> = fc.record({
  revision: fc.constantFrom<Revision>('2025-11-25', '2026-07-28'),
  program: fc.constantFrom('g', 'eg', 'ge', 'gg', 'ege'),
  isTyped: fc.boolean(),
  runs: fc.integer({ min: 1, max: 2 }),
  steps: fc.array(step, { maxLength: 8 }),
})

/** One gate of one run, as people have decided about it. Of several decisions, any may be the first one that is heard there. */
interface Asking {
  readonly allowed: Set<string>
  isDenied: boolean
  decisions: number
}

/** What a person reads of a gate. */
interface Shown {
  readonly id: string
  readonly name: string
  readonly text: string
}

/** A desk with a gate, and a front whose durable pipeline has the tool of the desk as a step. The texts of the runs tell them apart. */
class World {
  readonly problems: string[] = []
  readonly #schedule: Schedule
  readonly #clock: FakeClock = fakeClock()
  readonly #here: MemoryRuns = memoryRuns({ clock: this.#clock })
  #there = memoryRuns()
  #listen: RequestListener | undefined
  #url = ''
  #front!: Runtime
  #desk!: Runtime
  #flow!: AgentTool<{ readonly text: string }>
  readonly #closing: (() => unknown)[] = []
  readonly #effects = new Map<string, number>()
  readonly #askings = new Map<string, Asking>()
  /** The runs whose end is decided by somebody who cancelled them, or by a database that forgot them. */
  #isForgotten = false
  readonly #cancelled = new Set<string>()
  readonly #runs: string[] = []

  constructor(schedule: Schedule) {
    this.#schedule = schedule
  }

  async play(url: string, listen: (handler: RequestListener) => void): Promise<readonly string[]> {
    this.#url = url
    listen(this.hear)
    try {
      await this.#openDesk()
      await this.#openFront()
      for (let at = 0; at < this.#schedule.runs; at++) {
        const { id } = await this.#front.start(this.#flow, { text: `r${at}` })
        this.#runs.push(id)
      }
      await this.#settle()
      for (const each of this.#schedule.steps) {
        await this.#take(each)
        await this.#settle()
      }
      await this.#end()
    } finally {
      for (const close of this.#closing.toReversed()) await close()
    }
    return this.problems
  }

  async #take(given: Step): Promise<void> {
    switch (given.do) {
      case 'decide':
        return this.#decide(given)
      case 'wait':
        return this.#wait(given.ms)
      case 'down':
        this.#listen = undefined
        return
      case 'up':
        return this.#openDesk()
      case 'crash':
        if (given.at === 'there') this.#there.crash()
        else this.#here.crash()
        await this.#openDesk()
        return given.at === 'here' ? this.#openFront() : undefined
      case 'forget there':
        this.#isForgotten = true
        await this.#desk.close()
        this.#there = memoryRuns()
        return this.#openDesk()
      case 'cancel there': {
        const open = await this.#desk.inbox.list()
        const item = open[given.which % Math.max(1, open.length)]
        if (item?.run === undefined) return
        this.#cancelled.add(runOf(shownIn(item).text))
        await (await this.#desk.run(item.run)).cancel('Not this one.')
      }
    }
  }

  async #decide({ at, which: place, how }: Extract<Step, { readonly do: 'decide' }>): Promise<void> {
    const { inbox } = at === 'here' ? this.#front : this.#desk
    const open = await inbox.list()
    const item = open[place % Math.max(1, open.length)]
    if (item === undefined) return
    const { id, name, text } = shownIn(item)
    const asking = this.#asking(name, text)
    if (how === 'wrong edit') {
      await inbox.edit(id, { patch: { text: 5 } }, 'bob').catch(() => {})
      return
    }
    asking.decisions++
    if (how === 'approve') {
      asking.allowed.add(text)
      await inbox.approve(id, 'bob')
    } else if (how === 'edit') {
      asking.allowed.add(`${text}!`)
      await inbox.edit(id, { patch: { text: `${text}!` } }, 'bob')
    } else {
      asking.isDenied = true
      if (how === 'stop') await inbox.stop(id, 'bob')
      else await inbox.reject(id, 'No.', 'bob')
    }
  }

  #asking(name: string, text: string): Asking {
    const key = `${name} ${runOf(text)}`
    const known = this.#askings.get(key) ?? { allowed: new Set(), isDenied: false, decisions: 0 }
    this.#askings.set(key, known)
    return known
  }

  #happens(name: string, text: string): void {
    const key = `${name} ${runOf(text)}`
    const count = (this.#effects.get(key) ?? 0) + 1
    this.#effects.set(key, count)
    if (count > 1) this.problems.push(`${key} happens ${count} times`)
    const { allowed, isDenied, decisions } = this.#asking(name, text)
    if (!name.startsWith('asked')) return
    if (!allowed.has(text)) this.problems.push(`${name} of '${text}' happens, and nobody has approved it`)
    else if (isDenied && decisions === 1) this.problems.push(`${name} of '${text}' happens, and it was denied`)
  }

  /** Until nothing moves without a person or a time, on both sides. */
  async #settle(): Promise<void> {
    for (let turn = 0; turn < 2; turn++) {
      await this.#here.idle()
      await this.#there.idle()
      await new Promise((resolve) => setTimeout(resolve, 4))
    }
  }

  /** From timer to timer: what a timer begins may reach the other side before time goes on. */
  async #wait(ms: number): Promise<void> {
    const end = this.#clock.now() + ms
    while (this.#clock.now() < end) {
      if (!(await this.#clock.next())) await this.#clock.advance(end - this.#clock.now())
      await this.#settle()
    }
  }

  /** The server is there again. What was approved happens without anybody; then all else is approved, and every run ends. */
  async #end(): Promise<void> {
    if (this.#listen === undefined) await this.#openDesk()
    for (let turn = 0; turn < MOST_TURNS && (await this.#undelivered()).length > 0; turn++) await this.#wait(10 * MINUTE_MS)
    this.problems.push(...(await this.#undelivered()).map((text) => `${text} was decided, and still waits`))
    for (let round = 0; round < MOST_TURNS && !(await this.#hasEnded()); round++) {
      for (const at of ['there', 'here'] as const)
        while ((await (at === 'here' ? this.#front : this.#desk).inbox.list()).length > 0) {
          await this.#decide({ do: 'decide', at, which: 0, how: 'approve' })
          await this.#settle()
        }
      await this.#wait(10 * MINUTE_MS)
    }
    for (const [at, id] of this.#runs.entries()) await this.#judge(`r${at}`, await (await this.#front.run(id)).status())
  }

  /** The requests that still wait there, though people have decided about them. */
  async #undelivered(): Promise<readonly string[]> {
    const open = (await this.#desk.inbox.list()).map(shownIn)
    return open.flatMap(({ name, text }) => (this.#asking(name, text).decisions > 0 ? [`${name} of '${text}'`] : []))
  }

  async #hasEnded(): Promise<boolean> {
    const open = (await this.#front.inbox.list()).length + (await this.#desk.inbox.list()).length
    const states = await Promise.all(this.#runs.map(async (id) => (await (await this.#front.run(id)).status()).status))
    return open === 0 && states.every((each) => ENDS.includes(each))
  }

  async #judge(
    run: string,
    { status, why }: { readonly status: string; readonly why?: { readonly message: string } | undefined },
  ): Promise<void> {
    const told = `${run} is ${status}: ${why?.message ?? ''}`
    const isDenied = [...this.#askings].some(([key, asking]) => key.endsWith(` ${run}`) && asking.isDenied)
    if (status === 'completed') {
      const gone = [...this.#schedule.program].flatMap((kind, at) =>
        this.#effects.has(`${kind === 'e' ? 'free' : 'asked'}${at} ${run}`) ? [] : [at],
      )
      if (gone.length > 0 || !this.#effects.has(`after ${run}`)) this.problems.push(`${told} Not all has happened.`)
    } else if (!ENDS.includes(status)) this.problems.push(`${told} It never ends.`)
    else if (!isDenied && !this.#isForgotten && !this.#cancelled.has(run)) this.problems.push(`${told} Nobody has denied it.`)
  }

  readonly hear: RequestListener = (request, response) => {
    if (this.#listen === undefined) request.socket.destroy()
    else this.#listen(request, response)
  }

  #leaf(name: string) {
    return tool({
      name,
      description: 'd',
      inputSchema: z.object({ text: z.string() }),
      ...(this.#schedule.isTyped ? { outputSchema: z.object({ text: z.string() }) } : {}),
      effect: 'write',
      idempotent: 'keyed',
      execute: ({ text }) => {
        this.#happens(name, text)
        return { text }
      },
    })
  }

  async #openDesk(): Promise<void> {
    const parts = [...this.#schedule.program].map((kind, at) =>
      kind === 'e' ? this.#leaf(`free${at}`) : gate(this.#leaf(`asked${at}`), { why: ({ text }) => `<asked${at}~${text}>` }),
    )
    const [first, second, third] = parts
    if (first === undefined) throw new TypeError('A program has a part.')
    const named = pipe.named({ name: 'job', description: 'd' })
    const job = second === undefined ? named(first) : third === undefined ? named(first, second) : named(first, second, third)
    const desk = createRuntime({ tools: [job], database: this.#there })
    const handler = await mcpHandler({ runtime: desk, principal: { id: 'ada', permissions: [] }, session: 'desk' })
    this.#closing.push(
      () => desk.close(),
      () => handler.close(),
    )
    await desk.inbox.list()
    this.#desk = desk
    this.#listen = handler.node
  }

  async #openFront(): Promise<void> {
    const { revision } = this.#schedule
    const connection: McpConnection = await connectMcp({
      name: 'desk',
      url: this.#url,
      clock: this.#clock,
      ...(revision === '2025-11-25' ? { revision } : {}),
    })
    const after = tool({
      name: 'after',
      description: 'd',
      effect: 'write',
      idempotent: 'keyed',
      execute: (text: string) => (this.#happens('after', text), text),
    })
    this.#flow = pipe.named({ name: 'flow', description: 'd' })(
      connection.tool('job') as never,
      tool({ name: 'text_of', description: 'd', effect: 'read', execute: (given: unknown) => textOf(given) }) as never,
      after as never,
    ) as never
    const front = createRuntime({ tools: [this.#flow], database: this.#here })
    this.#closing.push(
      () => connection.close(),
      () => front.close(),
    )
    this.#front = front
    // The runs that the process before has left go on from here.
    await front.inbox.list()
  }
}

function textOf(given: unknown): string {
  const value: unknown = typeof given === 'string' ? JSON.parse(given) : given
  return (value as { readonly text: string }).text
}

function shownIn({ request }: { readonly request: { readonly id: string; readonly why: string } }): Shown {
  const [, name = '', text = ''] = /<(\w+)~([^<>~]*)>/.exec(request.why) ?? []
  return { id: request.id, name, text }
}

/** The run that a text belongs to, also after edits. */
function runOf(text: string): string {
  return text.replace(/!+$/, '')
}

const SCHEDULES = Number(process.env['TOOLWRIGHT_ASKING_SCHEDULES'] ?? (process.env['TOOLWRIGHT_TESTS'] === 'full' ? 300 : 12))
const SEED = Number(process.env['TOOLWRIGHT_ASKING_SEED'] ?? 20_261_118)

test('a durable run here and its run there end together, and each effect happens once, as approved, whatever breaks between them [T14] [X6]', async () => {
  let hear: RequestListener | undefined
  const url = await listening((...given) => void hear?.(...given))
  const law = fc.asyncProperty(schedules, async (schedule) => {
    expect(await new World(schedule).play(url, (handler) => (hear = handler))).toEqual([])
  })
  await fc.assert(law, { numRuns: SCHEDULES, seed: SEED, endOnFailure: process.env['TOOLWRIGHT_ASKING_RAW'] === '1' })
}, 7_200_000)
