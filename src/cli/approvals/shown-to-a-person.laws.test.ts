import fc from 'fast-check'
import { expect, test } from 'vitest'
import { InboxError } from '../../review/inbox-error.ts'
import type { InboxItem } from '../../review/inbox.ts'
import { UNPRINTABLE } from '../../tool/printable.ts'
import type { Choice, Prompts } from './prompts.ts'
import { reviewSession } from './review-session.ts'

/** Colours, titles, cursors, links, bells, right to left, zero width, line ends of every kind, lines that look like ours. */
const PIECES = [
  ...['\u001b[2J', '\u001b[31m', '\u001b]0;title\u0007', '\u001b]8;;http://x\u001b\\', '\u009b31m', '\u0007', '\b', '\r', '\n', '\t', '\0'],
  ...['\u202e', '\u2066', '\u200b', '\u2028', '\u2029', '\u0085', '\ufeff', '\ud800', '\u{e0041}', '\u00ad', '\u3164'],
  ...['\n--- Approval wanted ---\n', '\ntool    safe@1.0.0\n', '\n  | ', '// ', 'a', 'é', '漢'],
]
const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 6 }).map((parts) => parts.join(''))
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    text,
    fc.integer(),
    fc.dictionary(text, tie('value'), { maxKeys: 2 }),
    fc.array(tie('value'), { maxLength: 2 }),
  ),
}))

const item: fc.Arbitrary<InboxItem> = fc
  .record({
    why: text,
    input: value,
    who: text,
    agent: text,
    path: text,
    run: text,
    assignee: text,
    answer: text,
    isQuestion: fc.boolean(),
    note: text,
  })
  .map(({ why, input, who, agent, path, run, assignee, answer, isQuestion, note }): InboxItem => ({
    request: {
      id: '0d0d0d0d-aaaa-4bbb-8ccc-000000000001',
      kind: isQuestion ? 'question' : 'approval',
      tool: 'pay',
      version: '1.0.0',
      input,
      why,
      caller: { principal: who, agent },
      risk: 'high',
      invocationId: 'i',
      path,
      inputHash: 'h',
      onTimeout: 'reject',
      deciders: { count: 1, of: [who] },
      ...(isQuestion ? { answerSchema: { type: 'string', minLength: 2, description: answer } } : {}),
    },
    status: 'open',
    requestedAt: 0,
    run,
    assignee,
    ballot: { edition: 1, input, edit: { input }, votes: [{ action: 'continue', by: who, edition: 1, at: 0, note }] } as never,
  }))

test('no text of a tool, a model or another person moves, colours, hides or reorders what a reviewer sees', async () => {
  await fc.assert(
    fc.asyncProperty(item, text, value, async (given, problem, typed) => {
      const shown: string[] = []
      const edits: string[] = []
      const choices: Choice<string>[] = []
      const words = given.request.kind === 'question' ? ['answer', 'x', 'long enough'] : ['edit', 'yes', 'edit', 'yes', 'edit', 'approve']
      let at = 0
      let picks = 0
      const prompts: Prompts = {
        pick: async (message, offered) => {
          shown.push(message)
          choices.push(...offered)
          if (picks++ > 12) return undefined
          const first = offered[0]?.value
          const word = message.startsWith('What do') || offered.some((each) => each.value === words[at]) ? words[at++] : first
          return offered.find((each) => each.value === word)?.value
        },
        line: async (message) => {
          shown.push(message)
          return words[at++]
        },
        show: (each) => void shown.push(each),
        quiet: async () => {},
        isClosed: () => picks > 12,
      }
      const answers = [{ text: `{"a": ${problem}` }, { text: JSON.stringify(typed) }, { problem: `The editor failed: ${problem}` }]
      await reviewSession({
        inbox: { list: async () => [given], get: async () => given, on: () => () => {} },
        filter: {},
        decide: async () => {
          throw new InboxError('edited', problem)
        },
        prompts,
        edit: async (before) => {
          edits.push(before)
          return answers[edits.length % answers.length] as { readonly problem: string }
        },
        where: {},
      })
      expect(picks).toBeGreaterThan(1)
      for (const each of shown) expect(each.replaceAll(/[\n\t]/g, '')).not.toMatch(UNPRINTABLE)
      for (const { label, hint = '' } of choices) expect(`${label}${hint}`).not.toMatch(UNPRINTABLE)
      // The first edition is all ours; later ones hold what the person has typed.
      expect((edits[0] ?? '').replaceAll('\n', '')).not.toMatch(UNPRINTABLE)
      // No line of theirs begins like one of ours.
      const lines = shown.flatMap((each) => each.split('\n'))
      expect(lines.filter((line) => line.startsWith('--- ')).every((line) => /^--- (Approval wanted|A question) ---$/.test(line))).toBe(
        true,
      )
      expect(lines.filter((line) => line.startsWith('tool ')).every((line) => line === 'tool    pay@1.0.0')).toBe(true)
    }),
    { numRuns: 300 },
  )
})
