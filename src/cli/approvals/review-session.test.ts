import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { gate } from '../../combinators/gate/gate.ts'
import { createInbox } from '../../review/create-inbox.ts'
import type { Inbox, InboxItem } from '../../review/inbox.ts'
import type { ReviewDecision } from '../../tool/review.ts'
import { tool } from '../../tool/tool.ts'
import type { Prompts } from './prompts.ts'
import { reviewSession } from './review-session.ts'

const pay = tool({ name: 'pay', description: 'Pays.', execute: (to) => `Paid ${to}.` })

interface Desk {
  readonly inbox: Inbox
  /** The results of the calls, by the name of who is paid. */
  readonly results: Readonly<Record<string, Promise<string>>>
  readonly idOf: (to: string) => Promise<string>
}

async function openDesk(...names: readonly string[]): Promise<Desk> {
  const inbox = createInbox()
  const call = async (to: string): Promise<string> => (await gate(pay).call(to, { review: inbox.handler })).text
  const results = Object.fromEntries(names.map((to) => [to, call(to)]))
  while ((await inbox.list()).length < names.length) await delay(1)
  const all = await inbox.list()
  return { inbox, results, idOf: async (to) => all.find(({ request }) => request.input === to)?.request.id ?? '' }
}

/** A person with a script: each word answers one question. `before` happens while the question of this number is open. */
function scripted(words: readonly string[], before: (question: number) => Promise<void> = async () => {}) {
  const shown: string[] = []
  let asked = 0
  const answer = async (message: string, signal: AbortSignal | undefined): Promise<string | undefined> => {
    shown.push(message)
    const number = asked++
    await before(number)
    if (signal?.aborted === true) return undefined
    const word = words[number]
    return word === 'CODE' ? /Type (\w{4})/.exec(message)?.[1] : word
  }
  const prompts: Prompts = {
    pick: async (message, choices, { signal } = {}) => {
      const word = await answer(message, signal)
      return (
        choices.find(({ value, label }) => value === word || label.startsWith(`${word ?? '-'} `))?.value ??
        (word === 'first' ? choices[0]?.value : undefined)
      )
    },
    line: (message, { signal } = {}) => answer(message, signal),
    show: (text) => void shown.push(text),
    quiet: async () => {},
    isClosed: () => asked > 40,
  }
  return { prompts, shown }
}

/** Decides at an inbox in memory, and notes what was decided. */
function deciding(inbox: Inbox) {
  const decisions: { readonly id: string; readonly action: string }[] = []
  const decide = async (id: string, { decision }: { readonly decision: ReviewDecision }): Promise<InboxItem> => {
    if (decision.action === 'continue') await inbox.approve(id, 'eve')
    else if (decision.action === 'answer') await inbox.answer(id, decision.value, 'eve')
    else if (decision.action === 'edit')
      await inbox.edit(id, 'patch' in decision ? { patch: decision.patch } : { input: decision.input }, 'eve')
    else await inbox[decision.action](id, decision.reason, 'eve')
    decisions.push({ id, action: decision.action })
    const item = await inbox.get(id)
    if (item === undefined) throw new Error(id)
    return item
  }
  return { decide, decisions }
}

const FLOWS = [
  { name: 'approve', words: ['first', 'approve'] },
  { name: 'reject', words: ['first', 'reject', 'too much'] },
  { name: 'edit', words: ['first', 'edit', 'yes'] },
] as const

test.each(FLOWS.flatMap(({ name, words }) => words.map((_word, at) => ({ name, words, at }))))(
  'a request that closes at question $at of "$name" is not decided, and the same keys again do not decide the next one',
  async ({ words, at }) => {
    const { inbox, idOf } = await openDesk('ann', 'bob')
    const [ann, bob] = [await idOf('ann'), await idOf('bob')]
    const { decide, decisions } = deciding(inbox)
    const { prompts, shown } = scripted([...words.slice(0, at + 1), ...words, ...words], async (question) => {
      if (question === at) await inbox.reject(ann, 'no', 'zoe')
    })
    await reviewSession({ inbox, filter: {}, decide, prompts, edit: async () => ({ text: '"carl"' }), where: {} })
    expect(decisions).toEqual([])
    expect(await inbox.get(bob)).toMatchObject({ status: 'open' })
    expect(shown.join('\n')).toContain('was decided as zoe (claimed) meanwhile')
  },
)

test('after the word that is shown, the next decision counts, and the one after that needs none', async () => {
  const { inbox, idOf, results } = await openDesk('ann', 'bob', 'carl')
  const { decide, decisions } = deciding(inbox)
  const ann = await idOf('ann')
  const { prompts } = scripted(['first', 'approve', 'first', 'approve', 'CODE', 'first', 'approve'], async (question) => {
    if (question === 1) await inbox.stop(ann)
  })
  await reviewSession({ inbox, filter: {}, decide, prompts, edit: async () => ({ problem: 'none' }), where: {} })
  expect(decisions.map(({ action }) => action)).toEqual(['continue', 'continue'])
  expect(await Promise.all([results['bob'], results['carl']])).toEqual(['Paid bob.', 'Paid carl.'])
  await expect(results['ann']).rejects.toThrow('stop')
})

test('a decision that does not count is told, and its person is asked for the word before the next one', async () => {
  const { inbox } = await openDesk('ann')
  const decided = deciding(inbox)
  const { prompts, shown } = scripted(['first', 'approve', 'first', 'approve', 'wrong', 'quit'])
  const { InboxError } = await import('../../review/inbox-error.ts')
  let times = 0
  const decide: typeof decided.decide = async (id, given) => {
    if (times++ === 0) throw new InboxError('edited', 'The input was edited. Look at it again.')
    return decided.decide(id, given)
  }
  await reviewSession({ inbox, filter: {}, decide, prompts, edit: async () => ({ problem: 'none' }), where: {} })
  expect(times).toBe(1)
  expect(shown).toContain('The input was edited. Look at it again.')
  expect(decided.decisions).toEqual([])
})

test('a question is answered by a text, after one that does not fit', async () => {
  const inbox = createInbox()
  const asking = tool({
    name: 'plan',
    description: 'Plans.',
    effect: 'read',
    execute: async (_input, context) =>
      `On ${String(await context.ask({ question: 'When?', answerSchema: { type: 'string', minLength: 3 } }))}.`,
  })
  const result = asking.call('x', { review: inbox.handler })
  while ((await inbox.list()).length < 1) await delay(1)
  const { decide } = deciding(inbox)
  const { prompts, shown } = scripted(['first', 'answer', 'so', 'friday'])
  await reviewSession({ inbox, filter: {}, decide, prompts, edit: async () => ({ problem: 'none' }), where: {} })
  expect(shown.find((text) => text.startsWith('The answer does not fit'))).toBeDefined()
  expect((await result).text).toBe('On friday.')
})
