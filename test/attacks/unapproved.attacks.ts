import { PassThrough } from 'node:stream'
import {
  compound,
  consoleReview,
  createInbox,
  type Effect,
  gate,
  type ReviewDecision,
  type ReviewHandler,
  tool,
  webhookReview,
} from 'toolwright'
import { fakeClock, settled } from 'toolwright/testing'
import { expect } from 'vitest'
import { z } from 'zod'
import type { Attack } from './attack.ts'

/** A way in which a person does not approve a call as it is. */
interface Way {
  readonly name: string
  readonly review: (() => ReviewHandler) | undefined
  /** The time that must pass until nobody waits any more. */
  readonly passMs?: number
  /** Nobody said no: no word may say so. */
  readonly isUndecided?: boolean
  /** Code never ran on after it. */
  readonly held?: boolean
}

const saying = (decision: unknown) => (): ReviewHandler => ({ review: () => decision as ReviewDecision })

/** An answer whose action is no field of its own. */
class Approval {
  get action(): string {
    return 'continue'
  }
}

class Later extends Approval {
  readonly by = 'ada'
}

/** An edit whose contents are inherited. */
function edit(contents: object): unknown {
  return Object.assign(Object.create(contents) as object, { action: 'edit' })
}

function endedConsole(typed: string): ReviewHandler {
  const input = new PassThrough()
  input.end(typed)
  return consoleReview({ input, output: new PassThrough() })
}

const WAYS: readonly Way[] = [
  { name: 'rejects', review: saying({ action: 'reject' }) },
  { name: 'rejects for a reason', review: saying({ action: 'reject', reason: 'not today' }) },
  { name: 'stops the run', review: saying({ action: 'stop' }), held: true },
  { name: 'decides nothing in time', review: () => createInbox().handler, passMs: 60_000, isUndecided: true },
  { name: 'throws', review: () => ({ review: () => Promise.reject(new Error('line dead')) }), isUndecided: true },
  {
    name: 'throws at once',
    review: () => ({
      review: () => {
        throw new Error('line dead')
      },
    }),
    isUndecided: true,
  },
  { name: 'answers nothing', review: saying(undefined), isUndecided: true },
  { name: 'answers true', review: saying(true), isUndecided: true },
  { name: 'answers a word', review: saying('continue'), isUndecided: true },
  { name: 'answers an unknown action', review: saying({ action: 'approve' }), isUndecided: true },
  { name: 'answers a question that nobody asked', review: saying({ action: 'answer', value: true }), isUndecided: true },
  { name: 'answers with an inherited approval', review: saying(Object.create({ action: 'continue' })), isUndecided: true },
  { name: 'answers with an approval of a class', review: saying(new Approval()), isUndecided: true },
  { name: 'answers with an approval of the prototype of its own prototype', review: saying(new Later()), isUndecided: true },
  { name: 'edits with an inherited edit', review: saying(edit({ input: { amount: 1 } })), isUndecided: true, held: true },
  { name: 'edits with an inherited patch', review: saying(edit({ patch: { amount: 1 } })), isUndecided: true, held: true },
  { name: 'edits without an edit', review: saying({ action: 'edit' }), isUndecided: true },
  { name: 'is a console that has ended', review: () => endedConsole(''), isUndecided: true },
  { name: 'is a console that ends within the word', review: () => endedConsole('y'), isUndecided: true },
  { name: 'is a console on which only nonsense is typed', review: () => endedConsole('yess\n'.repeat(9)), isUndecided: true },
  {
    name: 'is a webhook at which nobody listens',
    review: () => webhookReview({ url: 'http://127.0.0.1:9/', secret: 's', retries: 0 }),
    isUndecided: true,
  },
]

/** In code only: an approval that the code does not look at. */
const IN_CODE_WAYS: readonly Way[] = [
  ...WAYS,
  { name: 'edits the input', review: saying({ action: 'edit', input: { amount: 1 } }) },
  { name: 'patches the input', review: saying({ action: 'edit', patch: { amount: 1 } }) },
  { name: 'can reach nobody', review: () => ({ isAbsent: true, review: () => ({ action: 'reject' }) }) },
]

const Payment = z.object({ amount: z.number() })

/** Calls to its end, with time passing. */
async function ended(call: Promise<unknown>, clock: ReturnType<typeof fakeClock>, passMs = 0): Promise<unknown> {
  const end = call.catch((error: unknown) => error)
  await settled()
  if (passMs > 0) await clock.advance(passMs)
  return end
}

const FORMS = {
  leaf: (effect: Effect | undefined, paid: number[]) =>
    tool({
      name: 'pay',
      description: 'Pays.',
      inputSchema: Payment,
      effect,
      execute: async ({ amount }, context) => {
        await context.review({ why: 'Money leaves.' })
        paid.push(amount)
        return 'paid'
      },
    }),
  compound: (effect: Effect | undefined, paid: number[]) =>
    compound({
      name: 'pay',
      description: 'Pays.',
      inputSchema: Payment,
      effect,
      parts: {},
      run: async ({ amount }, context) => {
        await context.review({ why: 'Money leaves.' })
        paid.push(amount)
        return 'paid'
      },
    }),
}

const EFFECTS: readonly (Effect | undefined)[] = ['read', 'write', 'irreversible', undefined]

/** Code that awaits a review and does not look at the answer, as code is written in a hurry. */
export const IGNORED_ANSWER_ATTACKS: readonly Attack[] = Object.entries(FORMS).flatMap(([form, make]) =>
  EFFECTS.flatMap((effect) =>
    IN_CODE_WAYS.map((way): Attack => ({
      name: `a ${form} of effect ${effect ?? 'unset'} runs on after a reviewer who ${way.name}`,
      before: way.held === true ? 'held' : 'fell',
      attempt: async () => {
        const paid: number[] = []
        const clock = fakeClock()
        const review = way.review?.()
        const passMs = way.passMs ?? 0
        const handler = review === undefined || passMs === 0 ? review : { ...review, timeoutMs: passMs }
        await ended(make(effect, paid).call({ amount: 5 }, { review: handler, clock }), clock, passMs)
        expect(paid).toEqual([])
      },
    })),
  ),
)

/** Nobody is there at all. */
export const UNATTENDED_ATTACKS: readonly Attack[] = Object.entries(FORMS).flatMap(([form, make]) =>
  // A compound without parts and without an effect of its own only reads.
  (['write', 'irreversible', ...(form === 'leaf' ? [undefined] : [])] as const).flatMap((effect) =>
    ([undefined, 'refuse', 'aprove'] as const).map((unattended): Attack => ({
      name: `a ${form} of effect ${effect ?? 'unset'} runs with nobody to ask, unattended ${unattended ?? 'unset'}`,
      before: 'fell',
      attempt: async () => {
        const paid: number[] = []
        const call = make(effect, paid).call({ amount: 5 }, { unattended: unattended as 'refuse' })
        await expect(call).rejects.toMatchObject({ name: 'ConfigurationError' })
        expect(paid).toEqual([])
      },
    })),
  ),
)

const asks = (ran: string[]) => ({ name: 'pay', description: 'Pays.', execute: () => `${ran.push('paid')}` })

const GATES = {
  requireApproval: (ran: string[]) => tool({ ...asks(ran), requireApproval: true }),
  gate: (ran: string[]) => gate(tool(asks(ran))),
  'a policy': (ran: string[]) => tool(asks(ran)),
}

/** A gate stays closed, and does not call silence a rejection. */
export const SILENCE_ATTACKS: readonly Attack[] = Object.entries(GATES).flatMap(([gated, make]) =>
  WAYS.filter(({ isUndecided }) => isUndecided === true).map((way): Attack => ({
    name: `${gated} says that a reviewer rejected it, though the reviewer ${way.name}`,
    before: 'fell',
    attempt: async () => {
      const ran: string[] = []
      const clock = fakeClock()
      const passMs = way.passMs ?? 0
      const review = { ...way.review?.(), ...(passMs === 0 ? {} : { timeoutMs: passMs }) } as ReviewHandler
      const policy = gated === 'a policy' ? () => 'require_approval' as const : undefined
      const result = await ended(make(ran).call('x', { review, clock, policy }), clock, passMs)
      expect(result).toMatchObject({
        ok: false,
        error: { code: passMs > 0 ? 'review_timed_out' : 'reviewer_unreachable', class: 'rejected' },
      })
      expect(JSON.stringify(result)).not.toMatch(/Rejected by reviewer|The reviewer says/)
      expect(ran).toEqual([])
    },
  })),
)

const throwing = {
  get requireApproval(): string {
    throw new Error('no')
  },
}
const fickle = () => {
  let reads = 0
  return {
    get deny(): string | undefined {
      return reads++ === 0 ? 'no' : undefined
    },
  }
}

/** Verdicts of untyped policies, and whether a person is asked, or the call is denied. */
const VERDICTS: readonly (readonly [string, unknown, 'asks' | 'denies', 'fell' | 'held'])[] = [
  ['requireApproval undefined', { requireApproval: undefined }, 'asks', 'fell'],
  ['requireApproval empty', { requireApproval: '' }, 'asks', 'fell'],
  ['requireApproval blank', { requireApproval: '  \n' }, 'asks', 'fell'],
  ['requireApproval null', { requireApproval: null }, 'asks', 'fell'],
  ['requireApproval true', { requireApproval: true }, 'asks', 'fell'],
  ['requireApproval inherited', Object.create({ requireApproval: undefined }), 'asks', 'fell'],
  ['requireApproval with a reason', { requireApproval: 'Money.' }, 'asks', 'held'],
  ['require_approval', 'require_approval', 'asks', 'held'],
  ['requireApproval false', { requireApproval: false }, 'denies', 'fell'],
  ['requireApproval a number', { requireApproval: 0 }, 'denies', 'fell'],
  ['requireApproval an object', { requireApproval: {} }, 'denies', 'fell'],
  ['a getter that throws', throwing, 'denies', 'fell'],
  ['a denial that is gone at the second look', fickle(), 'denies', 'held'],
  ['deny undefined', { deny: undefined }, 'denies', 'held'],
  ['deny false', { deny: false }, 'denies', 'held'],
  ['deny and requireApproval', { deny: 'no', requireApproval: 'Money.' }, 'denies', 'held'],
  ['allow as a field', { allow: true }, 'denies', 'held'],
  ['approve as a field', { action: 'continue' }, 'denies', 'held'],
  ['an empty object', {}, 'denies', 'held'],
  ['a list', ['allow'], 'denies', 'held'],
  ['true', true, 'denies', 'held'],
  ['nothing', undefined, 'denies', 'held'],
  ['null', null, 'denies', 'held'],
  ['ALLOW', 'ALLOW', 'denies', 'held'],
  ['allow with a space', 'allow ', 'denies', 'held'],
  ['a boxed allow', Object('allow'), 'denies', 'held'],
  ['a promise of requireApproval undefined', Promise.resolve({ requireApproval: undefined }), 'asks', 'fell'],
]

export const VERDICT_ATTACKS: readonly Attack[] = VERDICTS.map(([name, verdict, effect, before]): Attack => ({
  name: `a policy returns ${name}, which ${effect}`,
  before,
  attempt: async () => {
    const ran: string[] = []
    const whys: string[] = []
    const review: ReviewHandler = { review: ({ why }) => (whys.push(why), { action: 'reject' }) }
    const result = await tool(asks(ran)).call('x', { review, policy: () => verdict as 'allow' })
    expect(ran).toEqual([])
    expect(result).toMatchObject({ ok: false, error: { code: effect === 'asks' ? 'rejected' : 'policy_denied' } })
    if (effect === 'asks') expect(whys).toEqual([expect.stringMatching(/\S/)])
  },
}))
