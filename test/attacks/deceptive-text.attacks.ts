import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { generateText, isStepCount } from 'ai'
import { compound, gate, type JsonSchema, type Logger, type ReviewRequest, tool } from 'toolwright'
import { toAiSdk } from 'toolwright/ai-sdk'
import { createMcpServer } from 'toolwright/mcp'
import { expect } from 'vitest'
import { z } from 'zod'
import { decisionOf, elicitation } from '../../src/bridges/mcp/elicitation.ts'
import { jsonText, Output } from '../../src/cli/output.ts'
import { recordText } from '../../src/cli/record-text.ts'
import type { RunRecord } from '../../src/run/view/run-record.ts'
import { scriptedLanguageModel } from '../fixtures/ai-sdk/scripted-language-model.ts'
import type { Attack } from './attack.ts'

/** Texts that lie to the person who reads them. */
const LIES: Readonly<Record<string, string>> = {
  'a line of its own': 'harmless\nrisk    low\nRisk: low',
  'a line after a carriage return': 'harmless\rrisk    low',
  'colours and cursor moves': 'harmless\u001B[2K\u001B[1Arisk    low',
  'a title for the terminal': 'harmless\u001B]0;approved\u0007',
  'a one-byte control sequence': 'harmless\u009B2Kapproved',
  'a right-to-left override': 'harmless \u202Ewol    ksir',
  'an isolate that is never closed': 'harmless \u2066approved',
  'a line separator': 'harmless\u2028risk    low',
  'a paragraph separator': 'harmless\u2029risk    low',
  'a next line': 'harmless\u0085risk    low',
  'characters of no width': 'harm\u200Bless\u2060 \uFEFFapproved',
  'a backspace': 'harmless\b\b\b\b\b\b\b\bapproved',
}

/** The same with characters that have no shape of their own, and are no controls. */
const INVISIBLE: Readonly<Record<string, string>> = {
  'variation selectors': 'harm\uFE0Fless\u{E0101}\u{E0102}',
  'a filler of Hangul': 'harmless\u3164approved',
  'a grapheme joiner': 'harm\u034Fless',
  'a blank of Braille': 'harmless\u2800approved',
}

/** The same with characters that are no formats either. */
const SHAPELESS: Readonly<Record<string, string>> = {
  'an empty notehead': 'harmless\u{1D159}approved',
  'a filler of Khitan': 'harmless\u{16FE4}approved',
  'a character for private use': 'harmless\uE000approved',
  'a code point without a character': 'harmless\u0378approved',
}

/** Letters that no person is shown as they are. The line feed ends our own lines. */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{1D159}\u{16FE4}]/u

/** A text is honest if it hides nothing and no line of it is the attacker's. */
function expectHonest(text: string): void {
  for (const line of text.split('\n')) {
    expect(line).not.toMatch(HIDDEN)
    expect(line).not.toMatch(/^\s*(risk\s+low|Risk: low)/)
  }
}

/** What the form of an MCP client says. */
async function formOf(asking: 'why' | 'input' | 'name of a field' | 'question', lie: string): Promise<string> {
  const pays = tool({ name: 'pay', description: 'Pays.', inputSchema: z.record(z.string(), z.string()), execute: () => 'paid' })
  const asks = compound({
    name: 'ask',
    description: 'Asks.',
    effect: 'irreversible',
    inputSchema: z.record(z.string(), z.string()),
    parts: {},
    run: (_input, context) => context.ask({ question: lie, answerSchema: z.string() }),
  })
  const served = asking === 'question' ? asks : gate(pays, { why: asking === 'why' ? lie : 'Money.' })
  const { newServer, close } = await createMcpServer({ tools: [served] })
  const client = new Client({ name: 'attacker', version: '1.0.0' }, { capabilities: { elicitation: {} } })
  let shown = ''
  client.setRequestHandler('elicitation/create', ({ params }) => {
    shown = params.message
    return { action: 'decline' }
  })
  const [near, far] = InMemoryTransport.createLinkedPair()
  await newServer().connect(far)
  await client.connect(near)
  const given = asking === 'input' ? { to: lie } : asking === 'name of a field' ? { [lie]: 'x' } : {}
  await client.callTool({ name: served.name, arguments: given })
  await client.close()
  close()
  return shown
}

/** The texts of a form that a client shows: titles, descriptions, and values and names that have no title. */
async function shownIn(answerSchema: JsonSchema): Promise<string> {
  let shown: readonly string[] = []
  const asks = compound({
    name: 'ask',
    description: 'Asks.',
    parts: {},
    run: (_input, context) => context.ask({ question: 'Which?', answerSchema }),
  })
  const review = (request: ReviewRequest) => {
    const { properties } = elicitation(request).requestedSchema
    shown = Object.entries(properties).flatMap(([name, field]) => [name, ...textsIn(field)])
    return { action: 'reject' } as const
  }
  await asks.call('x', { review: { review } })
  expect(shown.length).toBeGreaterThan(0)
  return shown.join('\n')
}

/** A choice with a title is not shown by its value, nor is a default among such choices. */
function textsIn(field: object): readonly string[] {
  const { title, description, enum: values, enumNames, oneOf, anyOf, items, default: given } = field as Readonly<Record<string, unknown>>
  const titled = (oneOf ?? anyOf) as readonly { readonly title: string }[] | undefined
  const inItems = items === undefined ? [] : textsIn(items as object)
  const preset = titled === undefined && inItems.length === 0 ? [given] : []
  return [title, description, values, enumNames, titled?.map((each) => each.title), inItems, preset]
    .flat(2)
    .filter((each) => typeof each === 'string')
}

const FORMS: Readonly<Record<string, (lie: string) => JsonSchema>> = {
  'the title of a choice': (lie) => ({ type: 'string', oneOf: [{ const: 'a', title: lie }] }),
  'a choice': (lie) => ({ type: 'string', enum: ['a', lie], default: lie }),
  'the only choice': (lie) => ({ type: 'string', const: lie }),
  'the name of a choice': (lie) => ({ type: 'string', enum: ['a'], enumNames: [lie] }),
  'a choice of several': (lie) => ({ type: 'array', items: { type: 'string', enum: ['a', lie] }, default: [lie] }),
  'the title of a choice of several': (lie) => ({ type: 'array', items: { anyOf: [{ const: 'a', title: lie }] } }),
  'the default of a text': (lie) => ({ type: 'string', default: lie }),
  'the name of a field': (lie) => ({ type: 'object', properties: { [lie]: { type: 'string' } } }),
  'the title of a field': (lie) => ({ type: 'object', properties: { a: { type: 'string', title: lie } } }),
}

/** Those whose labels were escaped already. */
const ESCAPED_FORMS: ReadonlySet<string> = new Set(['the name of a choice', 'the title of a field'])

/** The reason that the AI SDK shows. */
async function reasonOf(asking: 'why' | 'input of a part', lie: string): Promise<string> {
  const pay = tool({
    name: 'pay',
    description: 'Pays.',
    requireApproval: { why: asking === 'why' ? lie : 'Money.' },
    execute: () => 'paid',
  })
  const whole = compound({
    name: 'whole',
    description: 'Pays.',
    parts: { pay },
    run: (input, context) => context.call('pay', pay, input),
  })
  const { tools, toolApproval } = toAiSdk({ whole })
  const model = scriptedLanguageModel([{ id: 'c1', tool: 'whole', input: { input: asking === 'why' ? 'x' : lie } }])
  const { content } = await generateText({ model, prompt: 'Go.', tools, toolApproval, stopWhen: isStepCount(2) })
  return content.flatMap((part) => (part.type === 'tool-approval-request' ? [part.reason ?? ''] : [])).join('')
}

/** The lines that a logger writes. */
async function linesOf(lying: 'input' | 'output' | 'error' | 'usage', lie: string): Promise<string> {
  const lines: string[] = []
  const write = (_fields: object, message: string): void => void lines.push(message)
  const log: Logger = { trace: write, debug: write, info: write, warn: write, error: write }
  const speaks = tool({
    name: 'speak',
    description: 'Speaks.',
    execute: (_input, context) => {
      if (lying === 'error') throw new Error(lie)
      if (lying === 'usage') context.usage({ tokens: lie as never })
      return lying === 'output' ? lie : 'done'
    },
  })
  await speaks.call(lying === 'input' ? lie : 'x', { log })
  expect(lines.length).toBeGreaterThan(0)
  expect(lines.every((line) => !line.includes('\n'))).toBe(true)
  return lines.join('\n')
}

const RECORD = {
  lost: [],
  id: 'r1',
  tool: 'pay',
  version: '1.0.0',
  status: 'failed',
  createdAt: 0,
  input: 'x',
  usage: {},
  steps: [],
  approvals: [],
}
const REQUEST = { id: 'q1', path: 'pay:approval', why: 'Money.' }

/** A run whose names lie. */
const RUNS: Readonly<Record<string, (lie: string) => object>> = {
  key: (key) => ({ key }),
  id: (id) => ({ id }),
  tool: (name) => ({ tool: name }),
  version: (version) => ({ version }),
  worker: (worker) => ({ worker }),
  why: (message) => ({ why: { code: 'x', message } }),
  input: (input) => ({ input }),
  step: (path) => ({ steps: [{ path, attempts: [], output: 'x' }] }),
  assignee: (assignee) => ({ approvals: [{ request: REQUEST, status: 'open', assignee, requestedAt: 0 }] }),
  decider: (by) => ({ approvals: [{ request: REQUEST, status: 'decided', requestedAt: 0, decision: { action: 'continue', by } }] }),
  reason: (why) => ({ approvals: [{ request: { ...REQUEST, why }, status: 'open', requestedAt: 0 }] }),
}

/** Controls were escaped when these were written. */
const TAGS = 'harmless\u{E0061}\u{E0062}'

type Attempt = (lie: string) => Promise<string> | string

function rows(place: string, fell: (lie: string) => boolean, attempt: Attempt): readonly Attack[] {
  return lies(place, (what, lie) => what in INVISIBLE || (lie !== TAGS && fell(lie)), attempt)
}

/** All fell to characters without a shape that are no formats. */
function lies(place: string, fell: (what: string, lie: string) => boolean, attempt: Attempt): readonly Attack[] {
  return Object.entries({ ...LIES, ...INVISIBLE, ...SHAPELESS, tags: TAGS }).map(([what, lie]) => ({
    name: `${place} shows ${what}`,
    before: what in SHAPELESS || fell(what, lie) ? 'fell' : 'held',
    attempt: async () => expectHonest(await attempt(lie)),
  }))
}

const always = (): boolean => true
const never = (): boolean => false
/** JSON escapes these by itself. */
const isBeyondJson = (lie: string): boolean => /[\u007F-\uFFFF]/.test(lie)

export const DECEPTIVE_TEXT_ATTACKS: readonly Attack[] = [
  ...rows('the reason in an MCP form', always, (lie) => formOf('why', lie)),
  ...rows('the question in an MCP form', always, (lie) => formOf('question', lie)),
  ...rows('the input in an MCP form', isBeyondJson, (lie) => formOf('input', lie)),
  ...rows('the name of a field in an MCP form', isBeyondJson, (lie) => formOf('name of a field', lie)),
  ...Object.entries(FORMS).flatMap(([what, make]) =>
    lies(
      `${what} in the answer form of an MCP client`,
      () => !ESCAPED_FORMS.has(what),
      (lie) => shownIn(make(lie)),
    ),
  ),
  {
    name: 'the form for an edit says that a field is removed which still runs',
    before: 'fell',
    attempt: async () => {
      let said: unknown
      const ran: unknown[] = []
      const mail = tool({
        name: 'mail',
        description: 'Mails.',
        inputSchema: z.object({ to: z.string(), bcc: z.string().optional() }),
        execute: (input) => void ran.push(input),
      })
      const edits = (typed: string) => (request: ReviewRequest) => {
        said = elicitation(request).requestedSchema.properties['input']
        return decisionOf(request, { action: 'accept', content: { decision: 'edit', input: typed } })
      }
      for (const typed of ['{"to":"bob"}', '{"to":"bob","bcc":null}'])
        await gate(mail).call({ to: 'ann', bcc: 'mallory' }, { review: { review: edits(typed) } })
      expect(ran).toEqual([{ to: 'bob', bcc: 'mallory' }, { to: 'bob' }])
      expect(said).toMatchObject({ description: expect.stringMatching(/leave out stay as they are, and null removes/) })
      expect(said).not.toMatchObject({ description: expect.stringMatching(/whole/) })
    },
  },
  ...rows('the reason of an AI SDK approval', always, (lie) => reasonOf('why', lie)),
  ...rows('the input of a part in an AI SDK approval', always, (lie) => reasonOf('input of a part', lie)),
  ...(['input', 'output', 'error'] as const).flatMap((lying) => rows(`the ${lying} in a log line`, always, (lie) => linesOf(lying, lie))),
  ...rows('the usage in a log line', isBeyondJson, (lie) => linesOf('usage', lie)),
  ...Object.entries(RUNS).flatMap(([name, make]) =>
    rows(`the ${name} of a run that is shown`, ['key', 'id', 'tool', 'version', 'worker'].includes(name) ? always : never, (lie) =>
      recordText({ ...RECORD, ...make(lie) } as unknown as RunRecord, new Output(false)),
    ),
  ),
  ...rows('a run as JSON', isBeyondJson, (lie) => jsonText({ key: lie }, 2)),
]
