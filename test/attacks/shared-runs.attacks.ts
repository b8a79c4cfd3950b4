import { generateText, isStepCount, type ModelMessage } from 'ai'
import { type AgentTool, compound, createRuntime, durable, gate, pipe, type Runtime, tool, type ToolResult } from 'toolwright'
import { toAiSdk } from 'toolwright/ai-sdk'
import { createMcpServer } from 'toolwright/mcp'
import { memoryRuns } from 'toolwright/testing'
import { expect } from 'vitest'
import { z } from 'zod'
import { answered } from '../fixtures/ai-sdk/answered.ts'
import { scriptedLanguageModel, toldLast, type Turn } from '../fixtures/ai-sdk/scripted-language-model.ts'
import { connectInProcess } from '../fixtures/mcp/in-process.ts'
import type { Attack } from './attack.ts'
import { who } from './staff.ts'

const ADA = { principal: who('ada'), session: 'chat-1' }
const SMALL = z.object({ to: z.string() })

const noting = (name: string, did: string[]): AgentTool<{ to: string }, { to: string }> =>
  tool({
    name,
    description: 'Does it.',
    effect: 'write',
    inputSchema: SMALL,
    outputSchema: SMALL,
    execute: (input) => {
      did.push(`${name} ${input.to}`)
      return input
    },
  })

const runOf = (result: ToolResult): string | undefined => (result.ok ? undefined : result.error.pending?.run)

/** A database with a process that calls and works on no run, and one that works, while it is there. */
function office(whole: AgentTool<{ to: string }>) {
  const database = memoryRuns()
  const runtimes: Runtime[] = []
  const open = (worker?: false): Runtime => {
    const runtime = createRuntime({ tools: [whole], database, ...(worker === undefined ? {} : { worker }) })
    runtimes.push(runtime)
    return runtime
  }
  const front = open(false)
  const at = durable(whole, front)
  return {
    database,
    open,
    front,
    call: (options: object = ADA): Promise<ToolResult> => at.call({ to: 'bob' }, options),
    runs: async () => (await front.runs()).list(),
    close: () => Promise.all(runtimes.map((each) => each.close())),
  }
}

type Office = ReturnType<typeof office>

/** Its run is asked for and then ended by somebody, with no worker that could end it. Then the same call comes again, and the worker. */
async function repeatedWhileEnding(desk: Office, end: (request: string, run: string) => Promise<unknown>) {
  const worker = desk.open()
  await worker.runs()
  const first = runOf(await desk.call()) ?? ''
  const [item] = await desk.front.inbox.list()
  await worker.close()
  await end(item?.request.id ?? '', first)
  const again = desk.call()
  // It must have found the run before the run ends.
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect(await desk.runs()).toMatchObject([{ id: first, status: 'queued' }])
  await desk.open().runs()
  return { first, again: await again }
}

const ENDS: Readonly<Record<string, (desk: Office, request: string, run: string) => Promise<unknown>>> = {
  'a rejection': ({ front }, request) => front.inbox.reject(request, 'No.', 'bob'),
  'a stop': ({ front }, request) => front.inbox.stop(request, 'No.', 'bob'),
  'the cancellation of its run': async ({ front }, _request, run) => (await front.run(run)).cancel('A person cancelled it.'),
}

const afterDenials: readonly Attack[] = [
  ...Object.entries(ENDS).map(([name, end]): Attack => ({
    name: `a call right after ${name} is given to the run that ends`,
    before: 'fell',
    attempt: async () => {
      const did: string[] = []
      const desk = office(gate(noting('pay', did)))
      const { first, again } = await repeatedWhileEnding(desk, (request, run) => end(desk, request, run))
      const second = runOf(again)
      expect(second).toBeDefined()
      expect(second).not.toBe(first)
      const [item] = await desk.front.inbox.list()
      expect(item?.run).toBe(second)
      await desk.front.inbox.approve(item?.request.id ?? '', 'bob')
      await (await desk.front.run(second ?? '')).result()
      expect(did).toEqual(['pay bob'])
      await desk.close()
    },
  })),
  {
    name: 'a call right after a rejection repeats the effect that came before it',
    before: 'held',
    attempt: async () => {
      const did: string[] = []
      const desk = office(pipe.named({ name: 'order', description: 'Orders.' })(noting('pay', did), gate(noting('mail', did))))
      const { again } = await repeatedWhileEnding(desk, (request) => desk.front.inbox.reject(request, 'No.', 'bob'))
      expect(again).toMatchObject({ ok: false, error: { code: 'rejected', outcome: 'unknown' } })
      expect(did).toEqual(['pay bob'])
      await desk.close()
    },
  },
  {
    name: 'a call right after a rejection that does not end its run makes a second effect',
    before: 'held',
    attempt: async () => {
      const did: string[] = []
      const pay = noting('pay', did)
      const whole = compound({
        name: 'order',
        description: 'Asks for the bill, and pays in any case.',
        inputSchema: SMALL,
        parts: { pay },
        run: async (input, context, parts) => {
          await context.review({ why: 'With a bill?', onReject: 'return' })
          return context.call('pay', parts.pay, input)
        },
      })
      const desk = office(whole as AgentTool<{ to: string }>)
      const { first, again } = await repeatedWhileEnding(desk, (request) => desk.front.inbox.reject(request, 'No.', 'bob'))
      expect(again.ok).toBe(true)
      expect(await desk.runs()).toMatchObject([{ id: first, status: 'completed' }])
      expect(did).toEqual(['pay bob'])
      await desk.close()
    },
  },
]

const MANY = 1100

const amongMany: readonly Attack[] = [
  {
    name: `an equal call behind ${MANY} newer open runs begins a second run`,
    before: 'fell',
    attempt: async () => {
      const did: string[] = []
      const pay = gate(noting('pay', did))
      const desk = office(pay)
      const worker = desk.open()
      await worker.runs()
      const first = runOf(await desk.call())
      expect(first).toBeDefined()
      const others = Array.from({ length: MANY }, (_, at) => desk.front.start(pay, { to: `person ${at}` }, { key: `other-${at}` }))
      await Promise.all(others)
      expect(runOf(await desk.call())).toBe(first)
      await desk.close()
    },
  },
]

interface Chat {
  readonly messages: ModelMessage[]
  /** The id that the model gives to its call. */
  readonly id: string
}

const said = (...texts: readonly string[]): ModelMessage[] => texts.map((content) => ({ role: 'user', content }))

/** Chats of one person, who names no session. */
async function chats() {
  const did: string[] = []
  const pay = gate(noting('pay', did))
  const runtime = createRuntime({ tools: [pay], database: memoryRuns() })
  const turn = async (messages: ModelMessage[], ...turns: Turn[]) => {
    const { tools, toolApproval } = toAiSdk({ pay }, { runtime, principal: who('ada') })
    const model = scriptedLanguageModel(...turns)
    const { content, responseMessages } = await generateText({ model, messages, tools, toolApproval, stopWhen: isStepCount(5) })
    return { content, responseMessages, told: toldLast(model) }
  }
  const ask = ({ messages, id }: Chat) => turn(messages, [{ id, tool: 'pay', input: { to: 'bob' } }])
  return { did, runtime, turn, ask, open: async () => (await runtime.inbox.list()).length }
}

const OTHER_CHATS: Readonly<Record<string, Chat>> = {
  'with another id': { messages: said('Pay bob.'), id: 'c2' },
  'with an id that the model uses again': { messages: said('Bob gets his money.'), id: 'c1' },
  'that is longer': { messages: said('Hello.', 'Pay bob.'), id: 'c1' },
}

const inChats: readonly Attack[] = [
  ...Object.entries(OTHER_CHATS).map(([name, other]): Attack => ({
    name: `a chat ${name} shares the run of another chat of the same person`,
    before: 'fell',
    attempt: async () => {
      const { did, runtime, ask, turn, open } = await chats()
      const one = { messages: said('Pay bob.'), id: 'c1' }
      const [first, second] = [await ask(one), await ask(other)]
      expect(await open()).toBe(2)
      // A denial in one chat is heard at its next call, and is no denial in the other.
      await turn(answered(one.messages, first, false), [{ id: 'z', tool: 'pay', input: { to: 'zed' } }])
      const done = await turn(answered(other.messages, second, true), 'Paid.')
      expect(JSON.stringify(done.told)).toContain('bob')
      expect(did).toEqual(['pay bob'])
      await runtime.close()
    },
  })),
  {
    name: 'the same call of the same chat, sent again, is a second run',
    before: 'held',
    attempt: async () => {
      const { did, runtime, ask, turn, open } = await chats()
      const one = { messages: said('Pay bob.'), id: 'c1' }
      const [first, again] = [await ask(one), await ask(one)]
      expect(await open()).toBe(1)
      await turn(answered(one.messages, first, true), 'Paid.')
      await turn(answered(one.messages, again, true), 'Paid.')
      expect(did).toEqual(['pay bob'])
      await runtime.close()
    },
  },
]

/** Two connections with equal requests, one of which is cancelled. */
async function cancelledBeside(processes: 1 | 2) {
  const did: string[] = []
  let release = (): void => {}
  const begun = Promise.withResolvers<void>()
  const held = new Promise<void>((resolve) => (release = resolve))
  const wait = tool({
    name: 'wait',
    description: 'Waits.',
    effect: 'read',
    inputSchema: SMALL,
    outputSchema: SMALL,
    execute: async (input, { signal }) => {
      begun.resolve()
      await Promise.race([held, new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))])
      return input
    },
  })
  const order = pipe.named({ name: 'order', description: 'Orders.' })(wait, noting('pay', did))
  const database = memoryRuns()
  const runtimes = Array.from({ length: processes }, () => createRuntime({ tools: [order], database }))
  const connect = async (runtime: Runtime) => connectInProcess(await createMcpServer({ runtime, ...ADA }), '2025-11-25')
  const [one, other] = [await connect(runtimes[0] as Runtime), await connect(runtimes.at(-1) as Runtime)]
  const call = (client: typeof one, signal?: AbortSignal) =>
    client.callTool({ name: 'order', arguments: { to: 'bob' } }, signal === undefined ? {} : { signal }) as Promise<{ isError?: boolean }>
  const controller = new AbortController()
  const first = call(one, controller.signal).catch(() => 'cancelled')
  await begun.promise
  const second = call(other)
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
  controller.abort('I changed my mind.')
  expect(await first).toBe('cancelled')
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
  release()
  const answer = await second
  const list = await (await (runtimes[0] as Runtime).runs()).list()
  await Promise.all([one.close(), other.close()])
  await Promise.all(runtimes.map((each) => each.close()))
  return { did, answer, statuses: list.map(({ status }) => status) }
}

const cancelled: readonly Attack[] = [
  {
    name: 'a request that is cancelled takes the run from the equal request of another connection',
    before: 'fell',
    attempt: async () => {
      const { did, answer, statuses } = await cancelledBeside(1)
      expect(answer.isError ?? false).toBe(false)
      expect(statuses).toEqual(['completed'])
      expect(did).toEqual(['pay bob'])
    },
  },
  {
    name: 'a request that is cancelled takes the run from the equal request at another process',
    before: 'fell',
    attempt: async () => {
      const { did, answer, statuses } = await cancelledBeside(2)
      expect(answer.isError ?? false).toBe(false)
      expect(statuses).toEqual(['completed', 'cancelled'])
      expect(did).toEqual(['pay bob'])
    },
  },
]

/** Calls share a run only if they are one call, and what becomes of another call does not become of this one. */
export const SHARED_RUN_ATTACKS: readonly Attack[] = [...afterDenials, ...amongMany, ...inChats, ...cancelled]
