import assert from 'node:assert/strict'
import type { ModelMessage } from 'ai'
import { claimAbout } from '../../src/bridges/ai-sdk/approval-claim.ts'
import { readResume, resumedId } from '../../src/bridges/langchain/review-interrupt.ts'
import { heardForm } from '../../src/bridges/mcp/heard-form.ts'
import { hashOfInput } from '../../src/bridges/call-identity.ts'
import { readDecision } from '../../src/tool/engine/read-decision.ts'
import type { ReviewDecision, ReviewRequest } from 'toolwright'
import type { Attack } from './attack.ts'

const REQUEST: ReviewRequest = Object.freeze({
  id: 'r1',
  kind: 'approval',
  tool: 'pay',
  version: '1.0.0',
  input: { amount: 900 },
  why: 'why',
  caller: {},
  risk: 'high',
  invocationId: 'i',
  path: 'pay:approval',
  inputHash: 'h',
  onTimeout: 'reject',
})

const QUESTION: ReviewRequest = { ...REQUEST, kind: 'question', answerSchema: { type: 'object', properties: { pay: { type: 'boolean' } } } }

/** One answer, in the words of one door. Whether it is an approval, an edit or an answer of somebody. */
interface Heard {
  /** An answer that counts, in the fields that make it count. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly counts: (answer: object) => unknown
}

const filled = async (request: ReviewRequest, response: object): Promise<boolean> => {
  const heard = await heardForm(request, response)
  if (!Object.hasOwn(heard, 'decision')) return false
  const { decision } = heard as { readonly decision: ReviewDecision }
  return decision.action === 'answer' ? Object.keys(decision.value as object).length > 0 : decision.action !== 'reject'
}

const identity = { key: 'k', owner: 'o', name: 'pay', toolCallId: 'c1', inputHash: hashOfInput({ amount: 900 }) }

const inHistory = (response: object): boolean => {
  const messages = [
    {
      role: 'assistant',
      content: [
        { type: 'tool-call', toolCallId: 'c1', toolName: 'pay', input: { amount: 900 } },
        { type: 'tool-approval-request', approvalId: 'a1', toolCallId: 'c1' },
      ],
    },
    { role: 'tool', content: [response] },
  ] as unknown as ModelMessage[]
  return claimAbout(identity as never, messages).says === 'approved'
}

const DOORS: Readonly<Record<string, Heard>> = {
  'a form of MCP': { fields: { action: 'accept', content: { decision: 'approve' } }, counts: (answer) => filled(REQUEST, answer) },
  'the fields of a form of MCP': { fields: { decision: 'approve' }, counts: (content) => filled(REQUEST, { action: 'accept', content }) },
  'an edit in a form of MCP': {
    fields: { decision: 'edit', input: '{"amount":1}' },
    counts: (content) => filled(REQUEST, { action: 'accept', content }),
  },
  'an answer in a form of MCP': { fields: { pay: true }, counts: (content) => filled(QUESTION, { action: 'accept', content }) },
  'a response of the AI SDK': { fields: { type: 'tool-approval-response', approvalId: 'a1', approved: true }, counts: inHistory },
  'a resume value of LangGraph': {
    fields: { id: 'r1', action: 'approve' },
    counts: (answer) => resumedId(answer) === 'r1' && 'decision' in readResume(answer as Record<string, unknown>),
  },
  'an answer of a handler': {
    fields: { action: 'continue' },
    counts: (answer) => readDecision(answer, REQUEST).action === 'continue',
  },
}

/** Only own fields counted there before. */
const HELD: ReadonlySet<string> = new Set([
  "a resume value of LangGraph, 'action'",
  "an answer of a handler, 'action'",
  "an answer in a form of MCP, 'pay'",
])

function before(door: string, field: string): Attack['before'] {
  return HELD.has(`${door}, '${field}'`) ? 'held' : 'fell'
}

/** How a field comes to be there that nobody gave. */
const WAYS: Readonly<Record<string, (own: object, inherited: object) => object>> = {
  'a prototype': (own, inherited) => Object.assign(Object.create(inherited) as object, own),
  'the prototype of a prototype': (own, inherited) => Object.assign(Object.create(Object.create(inherited) as object) as object, own),
  'a getter of a class': (own, inherited) => {
    const prototype = Object.create(null) as object
    for (const [name, value] of Object.entries(inherited)) Object.defineProperty(prototype, name, { get: () => value as unknown })
    return Object.assign(Object.create(prototype) as object, own)
  },
  'a field that is not listed': (own, inherited) => {
    const answer = { ...own }
    for (const [name, value] of Object.entries(inherited)) Object.defineProperty(answer, name, { value })
    return answer
  },
  'a proxy that has every field': (own, inherited) =>
    new Proxy(own, { get: (target, name) => Reflect.get(Object.hasOwn(target, name) ? target : inherited, name) as unknown }),
}

const inherited: readonly Attack[] = Object.entries(DOORS).flatMap(([door, { fields, counts }]) =>
  Object.keys(fields).flatMap((field) =>
    Object.entries(WAYS).map(([how, make]): Attack => ({
      name: `${door}: '${field}' comes from ${how}`,
      before: before(door, field),
      attempt: async () => {
        const { [field]: taken, ...rest } = fields
        assert.ok(await counts({ ...fields }), 'it would not count in any case: the attack proves nothing')
        assert.equal(await counts(make(rest, { [field]: taken })), false)
      },
    })),
  ),
)

/** A library has let somebody write into the prototype of all objects. */
const polluted: readonly Attack[] = Object.entries(DOORS).flatMap(([door, { fields, counts }]) =>
  Object.keys(fields).map((field): Attack => ({
    name: `${door}: '${field}' comes from the polluted prototype of all objects`,
    before: before(door, field),
    attempt: async () => {
      const { [field]: taken, ...rest } = fields
      const all = Object.getPrototypeOf({}) as Record<string, unknown>
      Object.defineProperty(all, field, { value: taken, configurable: true, writable: true })
      try {
        assert.equal(await counts(rest), false)
      } finally {
        delete all[field]
      }
    },
  })),
)

export const INHERITED_ANSWER_ATTACKS: readonly Attack[] = [...inherited, ...polluted]
