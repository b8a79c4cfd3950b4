import fc from 'fast-check'
import { expect, test } from 'vitest'
import { InboxError } from '../../review/inbox-error.ts'
import type { InboxEvent, InboxItem } from '../../review/inbox.ts'
import type { ReviewDecision } from '../../tool/review.ts'
import type { Choice, Prompts } from './prompts.ts'
import { reviewSession } from './review-session.ts'

/** What one question of the session meets: what happens while it is open, and what the person then does. */
interface Moment {
  /** Which request it happens to, counted from the one that is looked at. */
  readonly to: number
  readonly happens: 'nothing' | 'withdrawn' | 'decided' | 'edited'
  readonly answer: 'first' | 'second' | 'last' | 'some' | 'back' | 'code' | 'other code' | 'text' | 'json' | 'nothing'
  readonly some: number
}

const moment: fc.Arbitrary<Moment> = fc.record({
  to: fc.nat(2),
  happens: fc.oneof(
    { weight: 5, arbitrary: fc.constant('nothing' as const) },
    { weight: 1, arbitrary: fc.constantFrom('withdrawn' as const, 'decided' as const, 'edited' as const) },
  ),
  answer: fc.constantFrom('first', 'second', 'last', 'some', 'some', 'back', 'code', 'code', 'other code', 'text', 'json', 'nothing'),
  some: fc.nat(6),
})

const kinds = fc.array(fc.constantFrom('approval' as const, 'question' as const), { minLength: 1, maxLength: 3 })

/** What the person has seen and done since a request was shown to them. */
interface Sight {
  readonly id: string
  readonly edition: number
  action: string | undefined
  agreed: boolean
  isClosed: boolean
  wasConfirmed: boolean
}

/** An inbox, a person at a terminal and those who decide elsewhere. */
class Desk {
  readonly items = new Map<string, InboxItem>()
  readonly decided: string[] = []
  /** What was decided that the person did not see or mean. */
  readonly wrong: string[] = []
  readonly #listeners: (readonly [InboxEvent, (item: InboxItem) => void])[] = []
  readonly #moments: Moment[]
  #sight: Sight | undefined
  #isInDoubt = false

  constructor(of: readonly InboxItem['request']['kind'][], moments: readonly Moment[]) {
    this.#moments = [...moments]
    for (const [index, kind] of of.entries()) this.items.set(`${index}-request-of-somebody`, itemOf(`${index}-request-of-somebody`, kind))
  }

  readonly inbox = {
    list: async () => [...this.items.values()].filter(({ status }) => status === 'open'),
    get: async (id: string) => this.items.get(id),
    on: (event: InboxEvent, listener: (item: InboxItem) => void) => {
      const entry = [event, listener] as const
      this.#listeners.push(entry)
      return () => void this.#listeners.splice(this.#listeners.indexOf(entry), 1)
    },
  }

  readonly prompts: Prompts = {
    pick: async (message, choices, { signal } = {}) => {
      const answer = this.#next(signal)
      const picked = answer === undefined ? undefined : choiceOf(choices, answer)?.value
      if (this.#sight !== undefined && message.startsWith('What do you decide')) {
        this.#sight.action = picked
        this.#sight.agreed = false
      }
      if (this.#sight !== undefined && message.startsWith('Approve with')) this.#sight.agreed = picked === 'yes'
      return picked
    },
    line: async (message, { signal } = {}) => {
      const answer = this.#next(signal)
      const code = /Type (\w{4})/.exec(message)?.[1]
      if (code !== undefined && this.#sight !== undefined) this.#sight.wasConfirmed = answer?.answer === 'code'
      if (answer === undefined || answer.answer === 'back' || answer.answer === 'nothing') return undefined
      if (answer.answer === 'code') return code ?? 'y'
      return answer.answer === 'other code' ? 'abcd' : answer.answer === 'json' ? '"blue"' : 'some words'
    },
    show: (text) => {
      const id = /^request {3}(.*)$/m.exec(text)?.[1]
      if (id === undefined) return
      const edition = this.items.get(id)?.ballot?.edition ?? 0
      this.#sight = { id, edition, action: undefined, agreed: false, isClosed: false, wasConfirmed: false }
    },
    quiet: async () => {},
    isClosed: () => this.#moments.length === 0,
  }

  readonly edit = async (text: string): Promise<{ readonly text: string } | { readonly problem: string }> => {
    const answer = this.#next(undefined)
    if (answer === undefined || answer.answer === 'back') return { problem: 'no editor' }
    return { text: answer.answer === 'nothing' ? text : answer.answer === 'text' ? 'no JSON' : `{"n": ${answer.some}}` }
  }

  readonly decide = async (id: string, { decision, edition }: { decision: ReviewDecision; edition?: number | undefined }) => {
    const sight = this.#sight
    if (sight === undefined) throw new Error('Nothing was shown.')
    const wrongs = {
      'another request than the one that is shown': id !== sight.id,
      'another edition than the one that is shown': edition !== sight.edition,
      'another decision than the one that was picked': MEANT[decision.action] !== sight.action,
      'an edit without consent': decision.action === 'edit' && !sight.agreed,
      'a request that was closed in sight': sight.isClosed,
      'without the word, after a request that was closed in sight': this.#isInDoubt && !sight.wasConfirmed,
    }
    for (const [wrong, isSo] of Object.entries(wrongs)) if (isSo) this.wrong.push(wrong)
    const item = this.items.get(id)
    if (item?.status !== 'open' || (item.ballot?.edition ?? 0) !== edition) {
      this.#isInDoubt = true
      throw new InboxError('already_decided', 'It has changed.')
    }
    this.#isInDoubt = false
    this.decided.push(id)
    const decided: InboxItem = { ...item, status: 'decided', decision }
    this.items.set(id, decided)
    return decided
  }

  /** Undefined where the question is over, or nobody is there any more. */
  #next(signal: AbortSignal | undefined): Moment | undefined {
    const now = this.#moments.shift()
    if (now === undefined) return undefined
    this.#happen(now)
    return signal?.aborted === true ? undefined : now
  }

  #happen({ to, happens }: Moment): void {
    const ids = [...this.items.keys()]
    const id = ids[(Math.max(0, ids.indexOf(this.#sight?.id ?? '')) + to) % ids.length] ?? ''
    const item = this.items.get(id)
    if (happens === 'nothing' || item?.status !== 'open') return
    if (happens === 'edited') {
      const edition = (item.ballot?.edition ?? 0) + 1
      this.items.set(id, { ...item, ballot: { edition, edit: { input: { n: -edition } }, input: { n: -edition }, votes: [] } })
      return
    }
    const closed: InboxItem = { ...item, status: happens }
    this.items.set(id, closed)
    const isListened = this.#listeners.length > 0
    if (isListened && this.#sight?.id === id) {
      this.#sight.isClosed = true
      this.#isInDoubt = true
    }
    for (const [event, listener] of [...this.#listeners]) if (event === happens) listener(closed)
  }
}

const MEANT: Readonly<Record<ReviewDecision['action'], string>> = {
  continue: 'approve',
  edit: 'edit',
  answer: 'answer',
  reject: 'reject',
  stop: 'stop',
}

function itemOf(id: string, kind: InboxItem['request']['kind']): InboxItem {
  const request: InboxItem['request'] = {
    id,
    kind,
    tool: 'pay',
    version: '1.0.0',
    input: { n: 0 },
    why: 'Money leaves the house.',
    caller: {},
    risk: 'high',
    invocationId: 'i',
    path: 'pay',
    inputHash: 'h',
    onTimeout: 'reject',
    inputSchema: { type: 'object', properties: { n: { type: 'number', maximum: 4 } } },
    ...(kind === 'question' ? { answerSchema: { type: 'string' } } : {}),
  }
  return { request, status: 'open', requestedAt: 0 }
}

function choiceOf<Value extends string>(choices: readonly Choice<Value>[], { answer, some }: Moment): Choice<Value> | undefined {
  if (answer === 'back' || answer === 'nothing') return undefined
  return answer === 'second' ? choices[1] : answer === 'last' ? choices.at(-1) : choices[answer === 'some' ? some % choices.length : 0]
}

test('whatever a person does at the terminal, and others elsewhere, only what they saw and meant is decided', async () => {
  let decisions = 0
  await fc.assert(
    fc.asyncProperty(kinds, fc.array(moment, { minLength: 5, maxLength: 40 }), async (of, moments) => {
      const desk = new Desk(of, moments)
      await reviewSession({ ...desk, filter: {}, where: {} })
      expect(desk.wrong).toEqual([])
      decisions += desk.decided.length
    }),
    { numRuns: 3000, seed: 12 },
  )
  expect(decisions).toBeGreaterThan(300)
})
