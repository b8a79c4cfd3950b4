import { generateText, isStepCount, type ModelMessage } from 'ai'
import { PassThrough } from 'node:stream'
import {
  type AgentTool,
  autoReview,
  check,
  consoleReview,
  createInbox,
  createRuntime,
  delayedReview,
  gate,
  type GateOptions,
  type Inbox,
  type Logger,
  pipe,
  type Principal,
  type Reviewers,
  type ReviewHandler,
  signWebhookAnswer,
  tool,
  webhookReview,
} from 'toolwright'
import { toAiSdk } from 'toolwright/ai-sdk'
import { createMcpServer } from 'toolwright/mcp'
import { memoryRuns } from 'toolwright/testing'
import { expect, test } from 'vitest'
import { answered } from '../fixtures/ai-sdk/answered.ts'
import { scriptedLanguageModel } from '../fixtures/ai-sdk/scripted-language-model.ts'
import { connectInProcess } from '../fixtures/mcp/in-process.ts'

/** How a gate is built, and for whom. */
interface Setting {
  readonly name: string
  readonly options: GateOptions<string>
  readonly reviewers: Reviewers | undefined
  readonly principal: Principal | undefined
  /** Who tries to approve. */
  readonly candidate: { id: string }
}

interface Outcome {
  /** What is said when it is built. */
  readonly warnings: readonly string[]
  readonly isReached: boolean
}

const person = (id: string): Principal => ({ id, permissions: ['review:*', 'finance:lead'] })
const RITA = person('rita')
/** A caller whom no gate names. */
const ZED = person('zed')
const CANDIDATES = ['ada', 'bob', 'rita', 'RITA ']

const GATES: readonly NonNullable<GateOptions<string>['approvals']>[] = [
  {},
  { excludeRequester: false },
  { count: 2 },
  { count: 2, excludeRequester: false },
  { of: ['ada', 'bob'] },
  { count: 2, of: ['ada', 'bob'] },
  { of: ['rita'] },
  { of: ['RITA '] },
  { of: ['rita'], excludeRequester: false },
  { count: 2, of: ['rita', 'bob'] },
  { of: 'finance:lead' },
  { count: 2, of: 'finance:lead', excludeRequester: false },
]

const SETTINGS: readonly Setting[] = [undefined, ...GATES].flatMap((approvals) =>
  (['none', 'without identify', 'with identify'] as const).flatMap((reviewers) =>
    [undefined, RITA].map((principal): Setting => {
      const candidate = { id: '' }
      return {
        name: `${JSON.stringify(approvals) ?? 'a plain gate'}, reviewers ${reviewers}, caller ${principal?.id ?? 'unknown'}`,
        options: { why: 'Money.', ...(approvals === undefined ? {} : { approvals }) },
        reviewers: reviewers === 'none' ? undefined : reviewers === 'with identify' ? { identify: () => person(candidate.id) } : {},
        principal,
        candidate,
      }
    }),
  ),
)

function gated({ options }: Setting): AgentTool<string, string> {
  const pay = tool({ name: 'pay', description: 'Pays.', execute: (to) => `paid ${to}` })
  return pipe(gate(pay, options), tool({ name: 'tell', description: 'Tells.', effect: 'read', execute: (text) => text }))
}

/** Keeps the warnings, but not those of calls that fail later, which begin with the tool. */
function listening(): { readonly log: Logger; readonly warnings: string[] } {
  const warnings: string[] = []
  const silent = (): void => {}
  return {
    warnings,
    log: {
      trace: silent,
      debug: silent,
      info: silent,
      error: silent,
      warn: (_fields, line) => void (line.startsWith('pay') || warnings.push(line)),
    },
  }
}

/** Whether one of the candidates gets it through. */
async function someCandidate({ candidate }: Setting, attempt: (id: string) => Promise<boolean>): Promise<boolean> {
  for (const id of CANDIDATES) {
    candidate.id = id
    if (await attempt(id)) return true
  }
  return false
}

/** All candidates approve what is asked at an inbox. If that is not enough, the last word is a no. */
function staffed(inbox: Inbox): void {
  inbox.on('requested', ({ request: { id } }) => {
    void (async () => {
      for (const each of CANDIDATES) await inbox.approve(id, person(each)).catch(() => {})
      await inbox.reject(id, 'Not enough.', person('ada')).catch(() => {})
    })()
  })
}

/** A runtime with a reviewer, which says the same as `check`. */
const reviewedBy =
  (review: (id: string) => ReviewHandler | undefined) =>
  async (setting: Setting): Promise<Outcome> => {
    const { reviewers, principal } = setting
    const { log, warnings } = listening()
    const built = gated(setting)
    createRuntime({ tools: [built], review: review('ada'), reviewers, principal, log })
    const found = check(built, { review: review('ada') ?? { isAbsent: true }, reviewers, principal }).filter(
      ({ code }) => code === 'unreachable_approval',
    )
    // A runtime warns after the turn in which it was made.
    await Promise.resolve()
    expect(found.length > 0).toBe(warnings.length > 0)
    const isReached = await someCandidate(setting, async (id) => {
      const runtime = createRuntime({ tools: [built], review: review(id), reviewers, principal, log: listening().log })
      const result = await runtime.call(built, 'bob', principal === undefined ? { principal: ZED } : {}).catch(() => undefined)
      return result?.ok === true
    })
    return { warnings, isReached }
  }

const SECRET = 'a secret that both sides know'

/** A server that signs the decision of this person. */
function signing(by: string): typeof globalThis.fetch {
  return async (_url, init) => {
    const { id } = JSON.parse(String(init?.body)) as { readonly id: string }
    const body = JSON.stringify({ action: 'continue', by })
    return new Response(body, { headers: signWebhookAnswer({ id, body, secret: SECRET }) })
  }
}

function inboxHandler(): ReviewHandler {
  const inbox = createInbox()
  staffed(inbox)
  return inbox.handler
}

function typed(line: string): ReviewHandler {
  const [input, output] = [new PassThrough(), new PassThrough()]
  input.write(line)
  return consoleReview({ input, output })
}

async function durably(setting: Setting): Promise<Outcome> {
  const { reviewers, principal } = setting
  const { log, warnings } = listening()
  const built = gated(setting)
  const runtime = createRuntime({ tools: [built], database: memoryRuns(), reviewers, principal, log })
  staffed(runtime.inbox)
  await runtime.runs()
  const run = await runtime.start(built, 'bob', { principal: principal ?? ZED })
  const result = await run.result()
  await runtime.close()
  return { warnings, isReached: result.ok }
}

const overMcp =
  (review?: () => ReviewHandler) =>
  async (setting: Setting): Promise<Outcome> => {
    const { reviewers, principal } = setting
    const { log, warnings } = listening()
    const server = await createMcpServer({ tools: [gated(setting)], reviewers, principal, log, review: review?.() })
    const client = await connectInProcess(server, '2025-11-25', { answer: () => ({ action: 'accept', content: { decision: 'approve' } }) })
    const isReached = await someCandidate(
      setting,
      async () => (await client.callTool({ name: 'pay_then_tell', arguments: { input: 'bob' } })).isError !== true,
    )
    await client.close()
    return { warnings, isReached }
  }

const question: ModelMessage[] = [{ role: 'user', content: 'Pay bob.' }]

interface SdkOptions {
  readonly review?: () => ReviewHandler
  readonly passesApproval: boolean
}

const overAiSdk =
  ({ review, passesApproval }: SdkOptions) =>
  async (setting: Setting): Promise<Outcome> => {
    const { reviewers, principal } = setting
    const { log, warnings } = listening()
    const isReached = await someCandidate(setting, async (id) => {
      const bridge = toAiSdk({ pay: gated(setting) }, { reviewers, principal, log, ...(review === undefined ? {} : { review: review() }) })
      const model = scriptedLanguageModel([{ id: 'c1', tool: 'pay', input: { input: 'bob' } }], 'Done.')
      const given = {
        model,
        tools: bridge.tools,
        stopWhen: isStepCount(5),
        ...(passesApproval ? { toolApproval: bridge.toolApproval } : {}),
      }
      // The bridge looks in the next turn of the event loop whether the approvals were taken too.
      await new Promise((resolve) => setImmediate(resolve))
      const first = await generateText({ ...given, messages: question })
      const isPaused = bridge.reviews.list().length > 0
      if (isPaused) await bridge.reviews.approve('c1', person(id)).catch(() => {})
      const last = isPaused ? await generateText({ ...given, messages: answered(question, first, true) }) : first
      return JSON.stringify(last.steps.map(({ content }) => content))
        .concat(JSON.stringify(last.responseMessages))
        .includes('paid bob')
    })
    return { warnings, isReached }
  }

const own = (by: string): ReviewHandler => ({ review: () => ({ action: 'continue', by }) })

const CHANNELS: Readonly<Record<string, (setting: Setting) => Promise<Outcome>>> = {
  'no reviewer': reviewedBy(() => undefined),
  'a reviewer who can reach nobody': reviewedBy(() => ({ isAbsent: true, review: () => ({ action: 'reject', cause: 'unreachable' }) })),
  'an automatic reviewer': reviewedBy(() => autoReview()),
  'an automatic reviewer who names nobody': reviewedBy(() => autoReview({ action: 'continue' })),
  'a delayed reviewer': reviewedBy(() => delayedReview({ after: 0 })),
  'the console': reviewedBy(() => typed('y\n')),
  'a webhook': reviewedBy((id) => webhookReview({ url: 'https://desk.example.com', secret: SECRET, fetch: signing(id) })),
  'a handler of the program': reviewedBy(own),
  'an inbox': reviewedBy(inboxHandler),
  'a handler around an inbox': reviewedBy(() => {
    const inner = inboxHandler()
    return { ...inner, review: async (request, wait) => inner.review(request, wait) }
  }),
  'the inbox of durable runs': durably,
  'forms of MCP': overMcp(),
  'MCP with an inbox': overMcp(inboxHandler),
  'MCP with an automatic reviewer': overMcp(autoReview),
  'the AI SDK': overAiSdk({ passesApproval: true }),
  'the AI SDK with an inbox': overAiSdk({ passesApproval: true, review: inboxHandler }),
  'the AI SDK without approvals': overAiSdk({ passesApproval: false }),
  'the AI SDK without approvals, with an inbox': overAiSdk({ passesApproval: false, review: inboxHandler }),
  'the AI SDK without approvals, with an automatic reviewer': overAiSdk({ passesApproval: false, review: () => autoReview() }),
}

test.each(Object.keys(CHANNELS))(
  'an approval by %s is reachable, or its absence is foreseen, and never both [T14]',
  async (channel) => {
    const wrong: string[] = []
    for (const setting of SETTINGS) {
      const { warnings, isReached } = (await CHANNELS[channel]?.(setting)) ?? { warnings: [], isReached: false }
      if (warnings.length > 0 === isReached) wrong.push(`${setting.name}: ${isReached ? `reached, and warned: ${warnings[0]}` : 'neither'}`)
    }
    expect(wrong).toEqual([])
  },
  120_000,
)

test('the settings of both kinds are many', async () => {
  const outcomes = await Promise.all(SETTINGS.map(async (setting) => CHANNELS['a webhook']?.(setting)))
  const reached = outcomes.filter((each) => each?.isReached === true).length
  expect(reached).toBeGreaterThan(10)
  expect(SETTINGS.length - reached).toBeGreaterThan(10)
})
