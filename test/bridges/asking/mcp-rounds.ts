import { createMcpHandler } from '@modelcontextprotocol/server'
import { createRuntime, type Runtime } from 'toolwright'
import { createMcpServer, type McpTools } from 'toolwright/mcp'
import { deskOf } from './desk.ts'
import { type Answer, type Driver, EXPIRY_MS, type PlannedCall, type Stored, type World } from './driver.ts'
import { edited } from './ledger.ts'
import { type Shown, shownIn } from './program.ts'

/** A call that waits for its next round. */
interface Round {
  readonly call: PlannedCall
  readonly requestState: string
  readonly forms: ReadonlyMap<string, Shown>
}

interface StoredRounds extends Stored {
  readonly rounds: readonly Round[]
}

interface Waiting {
  readonly shown: Shown
  readonly expiresAt: number
}

interface Process {
  readonly handler: ReturnType<typeof createMcpHandler>
  readonly server: McpTools
  readonly runtime: Runtime | undefined
  /** What waits in memory, as the server has said. */
  readonly waiting: Map<string, Waiting>
  /** The states in memory that were not used yet. */
  readonly states: Set<string>
}

interface Reply {
  readonly result?: {
    readonly resultType?: string
    readonly requestState?: string
    readonly inputRequests?: Readonly<Record<string, { readonly params: { readonly message: string } }>>
  }
  readonly error?: unknown
}

const REVISION = '2026-07-28'
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientInfo': { name: 'player', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
}

/** MCP 2026-07-28: a server returns its questions as a result, and the client calls again with the answers. */
export async function mcpRoundsDriver(world: World): Promise<Driver<StoredRounds>> {
  const processes = new Map<number, Process>()
  let here = await processOf(world)
  const { clock } = world
  const desk = deskOf(() => here)
  const send = async (params: object, name: string, signal?: AbortSignal): Promise<Reply> => {
    const headers = {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-method': 'tools/call',
      'mcp-name': name,
      'mcp-protocol-version': REVISION,
    }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, _meta: ENVELOPE } })
    const request = new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body, ...(signal === undefined ? {} : { signal }) })
    return (await (await here.handler.fetch(request)).json()) as Reply
  }
  const roundOf = (call: PlannedCall, { result }: Reply): Round | undefined => {
    if (result?.resultType !== 'input_required') return undefined
    const asked = Object.entries(result.inputRequests ?? {})
    const forms = new Map(asked.map(([id, { params }]) => [id, shownIn(params.message)[0] as Shown]))
    for (const [id, shown] of forms) here.waiting.set(id, { shown, expiresAt: clock.now() + EXPIRY_MS })
    const { requestState = '' } = result
    here.states.add(requestState)
    return { call, forms, requestState }
  }
  const storedOf = (rounds: readonly (Round | undefined)[]): StoredRounds | undefined => {
    const left = rounds.filter((each) => each !== undefined)
    // Calls that share a run ask the same.
    const asked = new Map(left.flatMap(({ forms }) => [...forms]))
    const questions = [...asked].map((each) => ({ shows: new Map([each]) }))
    return left.length === 0 ? undefined : { rounds: left, questions, answers: new Map() }
  }
  return {
    desk,
    joinsEqualCalls: world.database !== undefined,
    carries: ['approve', 'edit', 'reject', 'stop', 'leave'],
    start: async (turn) => {
      const began = async (call: PlannedCall): Promise<Round | undefined> =>
        roundOf(call, await send({ name: call.tool, arguments: { input: call.input } }, call.tool))
      return storedOf(await Promise.all(turn.map(began)))
    },
    answer: async (stored, answers) => ({ ...stored, answers: new Map([...stored.answers, ...answers]) }),
    // A state in memory is of use once. That of a durable run names the run.
    hears: ({ rounds }, id) =>
      rounds.some(({ forms, requestState }) => forms.has(id) && (here.runtime !== undefined || here.states.has(requestState))),
    resume: async ({ rounds, questions, answers }, signal) => {
      const answerTo = (id: string): Answer => answers.get(questions.findIndex(({ shows }) => shows.has(id))) ?? 'leave'
      const goOn = async ({ call, forms, requestState }: Round): Promise<Round | 'refused' | undefined> => {
        const inputResponses = Object.fromEntries(
          [...forms].flatMap(([id, shown]) => (answerTo(id) === 'leave' ? [] : [[id, filled(answerTo(id), shown)]])),
        )
        const params = { name: call.tool, arguments: { input: call.input }, requestState, inputResponses }
        const reply = await send(params, call.tool, signal).catch(() => undefined)
        // Without a reply, it may have come too late to be used.
        if (reply !== undefined) here.states.delete(requestState)
        // Whoever gives up a round gives up the call.
        if (reply?.error === undefined) for (const id of forms.keys()) here.waiting.delete(id)
        return reply === undefined || reply.error !== undefined ? 'refused' : roundOf(call, reply)
      }
      const went = await Promise.all(rounds.map(goOn))
      const left = went.filter((each) => each !== 'refused')
      return left.length === 0 ? 'refused' : storedOf(left)
    },
    open: async () => {
      const inMemory = [...here.waiting].filter(([, { expiresAt }]) => expiresAt > clock.now())
      return here.runtime === undefined ? new Map(inMemory.map(([id, { shown }]) => [id, shown])) : desk.open()
    },
    enter: async (process) => {
      here = processes.get(process) ?? (await processOf(world))
      processes.set(process, here)
    },
    close: async () => {
      for (const { server, runtime } of processes.values()) {
        server.close()
        await runtime?.close()
      }
    },
  }
}

async function processOf({ tools, clock, database }: World): Promise<Process> {
  const runtime = database === undefined ? undefined : createRuntime({ tools, database })
  const shared = { tools, clock, session: 'chat', approvalTimeout: EXPIRY_MS }
  const server = await createMcpServer({ ...shared, ...(runtime === undefined ? {} : { runtime }) })
  return { server, runtime, handler: createMcpHandler(server.newServer), waiting: new Map(), states: new Set() }
}

/** A form as a person fills it. */
export function filled(answer: Answer, { input }: Shown): object {
  const content = { decision: answer, ...(answer === 'edit' ? { input: edited(input) } : {}) }
  return { action: 'accept', content }
}
