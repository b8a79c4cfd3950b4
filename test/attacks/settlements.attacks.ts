import {
  type AgentTool,
  compound,
  createRuntime,
  type Decider,
  gate,
  type GateOptions,
  type InboxItem,
  type OutcomeWord,
  type Reviewers,
  type RunHandle,
  type Runtime,
  tool,
  ToolError,
  ToolPipeline,
} from 'toolwright'
import { fakeClock, memoryRuns } from 'toolwright/testing'
import { expect } from 'vitest'
import { z } from 'zod'
import type { Attack } from './attack.ts'
import { who } from './staff.ts'

/** A run that asks whether its payment took effect, after people have approved it. */
interface Unsettled {
  readonly runtime: Runtime
  readonly run: RunHandle
  readonly path: string
  readonly question: () => Promise<InboxItem>
  /** How often the payment ran. */
  readonly paid: () => number
  /** The process ends, and another one opens the database. */
  readonly restart: () => Promise<Unsettled>
  readonly idle: () => Promise<void>
}

type Wrap = (pay: AgentTool<string, unknown>, options: GateOptions<string>) => AgentTool<string, unknown>

const NAMED = { name: 'order', description: 'Orders.' }
const told = tool({ name: 'tell', description: 'Tells.', effect: 'read', execute: (text) => text })

/** Where the approval stands. */
const PLACES: Readonly<Record<string, Wrap>> = {
  'a gate around the step': (pay, options) => gate(pay, options),
  'a gate around a pipeline': (pay, options) => gate(ToolPipeline.of('order', 'Orders.', pay, told as never), options),
  'two gates': (pay, options) => gate(gate(pay, {}), options),
  'a review in code around the step': (pay, { approvals }) =>
    compound({
      ...NAMED,
      parts: { pay },
      run: async (to: string, context) => {
        await context.review({ why: 'Money moves.', approvals })
        return context.call('pay', pay, to)
      },
    }) as never,
}

const RITA = who('rita', 'review:*', 'finance')
const ADA = who('ada', 'review:*', 'finance')
const BOB = who('bob', 'review:*', 'finance')
const CYD = who('cyd', 'review:*')
const Receipt = z.object({ receipt: z.string(), proof: z.string().meta({ writeOnly: true }) })
const VALUE = { receipt: 'r1', proof: 'seen-at-the-bank' }
const WORDS: Readonly<Record<string, OutcomeWord>> = {
  'it happened': { happened: true, value: VALUE },
  'it did not happen': { happened: false },
}

interface Scene {
  readonly wrap?: Wrap | undefined
  readonly gate: GateOptions<string>
  readonly reviewers?: Reviewers | undefined
  /** Those who approve, until the step runs. */
  readonly approvers?: readonly Decider[] | undefined
}

async function unsettled({ wrap = PLACES['a gate around the step'] as Wrap, gate: options, reviewers, approvers = [ADA, BOB] }: Scene) {
  let paid = 0
  const pay = tool({
    name: 'pay',
    description: 'Pays.',
    effect: 'write',
    outputSchema: Receipt,
    execute: () => {
      if (paid++ === 0) throw new ToolError('The bank did not answer.', { code: 'service_unavailable', outcome: 'unknown' })
      return VALUE
    },
  })
  const whole = wrap(pay as AgentTool<string, unknown>, options)
  const database = memoryRuns({ clock: fakeClock() })
  const open = () => createRuntime({ tools: [whole], database, unknownOutcome: 'ask', ...(reviewers === undefined ? {} : { reviewers }) })
  const opened = async (runtime: Runtime, id: string): Promise<Unsettled> => {
    const question = async (): Promise<InboxItem> => {
      const { approvals } = await (await runtime.runs()).show(id)
      return approvals.findLast(({ request }) => request.about === 'outcome') as InboxItem
    }
    return {
      runtime,
      run: await runtime.run(id),
      path: (await question()).request.path.replace(':outcome', ''),
      question,
      paid: () => paid,
      idle: () => database.idle(),
      restart: async () => {
        database.crash()
        const next = open()
        await next.runs()
        await database.idle()
        return opened(next, id)
      },
    }
  }
  const first = open()
  const { id } = await first.start(whole, 'bob', { principal: RITA })
  await database.idle()
  for (let turn = 0; turn < 4; turn++) {
    const [item] = await first.inbox.list()
    if (item === undefined || item.request.about === 'outcome') break
    for (const by of approvers) await first.inbox.approve(item.request.id, by).catch(() => {})
    await database.idle()
  }
  return opened(first, id)
}

/** The ways to say it. */
const WAYS: Readonly<Record<string, (world: Unsettled, word: OutcomeWord, by: Decider | undefined) => Promise<void>>> = {
  'run.settle': ({ run, path }, word, by) => run.settle(path, word, by),
  'the inbox': async ({ runtime, question }, word, by) => runtime.inbox.answer((await question()).request.id, word, by),
}

const settle = (world: Unsettled, word: OutcomeWord, by?: Decider): Promise<void> => world.run.settle(world.path, word, by)

async function staysOpen(world: Unsettled): Promise<void> {
  await world.idle()
  expect((await world.question()).status).toBe('open')
  expect(world.paid()).toBe(1)
}

async function isSettled(world: Unsettled): Promise<void> {
  await world.idle()
  expect((await world.question()).status).toBe('decided')
  expect((await world.run.result()).ok).toBe(true)
}

const refused = (saying: Promise<void>, code: string): Promise<void> =>
  expect(saying).rejects.toMatchObject({ name: 'InboxError', code }) as Promise<void>

const attack = (name: string, scene: Scene, attempt: (world: Unsettled) => Promise<void>): Attack => ({
  name,
  before: 'fell',
  attempt: async () => attempt(await unsettled(scene)),
})

const TWO: GateOptions<string> = { approvals: { count: 2 } }
const NOT_HAPPENED: OutcomeWord = { happened: false }

const alone: readonly Attack[] = Object.entries(PLACES).flatMap(([place, wrap]) =>
  Object.entries(WORDS).flatMap(([saying, word]) =>
    Object.entries(WAYS).map(([way, say]) =>
      attack(`one of two says alone that ${saying}, by ${way}, with ${place}`, { wrap, gate: TWO }, async (world) => {
        await say(world, word, ADA)
        await staysOpen(world)
        await say(world, word, BOB)
        await isSettled(world)
        expect(world.paid()).toBe(word.happened ? 1 : 2)
      }),
    ),
  ),
)

const strangers: Readonly<Record<string, readonly [GateOptions<string>, Decider | undefined]>> = {
  'the caller': [{ approvals: {} }, RITA],
  'the caller in another spelling': [{ approvals: {} }, who('R\u0069ta ', 'review:*')],
  'nobody in particular': [{ approvals: {} }, undefined],
  'a name that somebody claims': [{ approvals: {} }, 'ada'],
  'somebody who is not among the approvers': [{ approvals: { of: ['ada', 'bob'] } }, CYD],
  'somebody without the role of the approvers': [{ approvals: { of: 'finance' } }, CYD],
}

const byStrangers: readonly Attack[] = Object.entries(strangers).flatMap(([name, [options, by]]) =>
  Object.entries(WORDS).map(([saying, word]) =>
    attack(`${name} says that ${saying}`, { gate: options }, async (world) => {
      await refused(settle(world, word, by), 'not_permitted')
      await staysOpen(world)
    }),
  ),
)

const STAFF: Reviewers = { identify: ({ name }) => [ADA, BOB].find(({ id }) => id === name) }

const others: readonly Attack[] = [
  attack('the caller is one of the two', { gate: { approvals: { count: 2 } } }, async (world) => {
    await refused(settle(world, NOT_HAPPENED, RITA), 'not_permitted')
    await settle(world, NOT_HAPPENED, ADA)
    await staysOpen(world)
  }),
  attack('one person says it twice, also in another spelling', { gate: TWO }, async (world) => {
    await settle(world, NOT_HAPPENED, ADA)
    await refused(settle(world, NOT_HAPPENED, ADA), 'already_voted')
    await refused(settle(world, NOT_HAPPENED, who('ADA', 'review:*')), 'already_voted')
    await staysOpen(world)
  }),
  attack('two people say different things', { gate: TWO }, async (world) => {
    await settle(world, NOT_HAPPENED, ADA)
    await settle(world, { happened: true, value: VALUE }, BOB)
    await settle(world, { happened: true, value: { ...VALUE, receipt: 'r2' } }, CYD)
    await staysOpen(world)
  }),
  attack('one person says both, and then the first again', { gate: TWO }, async (world) => {
    await settle(world, NOT_HAPPENED, ADA)
    await settle(world, { happened: true, value: VALUE }, ADA)
    await settle(world, NOT_HAPPENED, ADA)
    await staysOpen(world)
  }),
  attack('the word that somebody took back is counted', { gate: TWO }, async (world) => {
    await settle(world, NOT_HAPPENED, ADA)
    await settle(world, { happened: true, value: VALUE }, ADA)
    await settle(world, NOT_HAPPENED, BOB)
    await staysOpen(world)
  }),
  attack('a word before the end of the process is forgotten, or counted twice', { gate: TWO }, async (world) => {
    await settle(world, NOT_HAPPENED, ADA)
    const next = await world.restart()
    await refused(settle(next, NOT_HAPPENED, ADA), 'already_voted')
    await staysOpen(next)
    await settle(next, NOT_HAPPENED, BOB)
    await isSettled(next)
  }),
  attack(
    'people of one gate speak for those of another',
    {
      wrap: (pay, options) => gate(gate(pay, { approvals: { of: ['cyd'] } }), options),
      gate: { approvals: { count: 2, of: 'finance' } },
      approvers: [ADA, BOB, CYD],
    },
    async (world) => {
      await settle(world, NOT_HAPPENED, ADA)
      await settle(world, NOT_HAPPENED, BOB)
      await staysOpen(world)
      await settle(world, NOT_HAPPENED, CYD)
      await isSettled(world)
    },
  ),
  attack(
    'somebody with a permission for another tool says it, where there are reviewers',
    { gate: {}, reviewers: STAFF, approvers: [ADA] },
    async (world) => {
      await refused(settle(world, NOT_HAPPENED, who('dan', 'review:mail')), 'not_permitted')
      await staysOpen(world)
      await settle(world, NOT_HAPPENED, BOB)
      await isSettled(world)
    },
  ),
  attack('a vote shows a secret of the result to readers', { gate: TWO }, async (world) => {
    await settle(world, { happened: true, value: VALUE }, ADA)
    const { runtime, run, question } = world
    const views = async (): Promise<string> => {
      const runs = await runtime.runs()
      return JSON.stringify([await runtime.inbox.list(), await question(), await runs.show(run.id), await runs.export(run.id)])
    }
    expect(await views()).toContain('"receipt":"r1"')
    expect(await views()).not.toContain(VALUE.proof)
    await settle(world, { happened: true, value: VALUE }, BOB)
    await isSettled(world)
    expect(await views()).not.toContain(VALUE.proof)
  }),
  attack('the record does not tell who has said it', { gate: TWO }, async (world) => {
    await settle(world, NOT_HAPPENED, ADA)
    await settle(world, NOT_HAPPENED, BOB)
    const { decision } = await world.question()
    expect(decision).toMatchObject({ by: 'bob', identity: 'authenticated', votes: [{ by: 'ada' }, { by: 'bob' }] })
    const { events } = await (await world.runtime.runs()).export(world.run.id)
    expect(events.filter(({ type }) => type === 'review.voted')).toMatchObject([
      { data: { by: 'ada', action: 'continue' } },
      { data: { by: 'ada', action: 'answer', path: `${world.path}:outcome` } },
    ])
  }),
]

/** A person who settles a step decides about an effect: the rules of its approval hold. */
export const SETTLEMENT_ATTACKS: readonly Attack[] = [...alone, ...byStrangers, ...others]
