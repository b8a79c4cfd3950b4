import { createMcpHandler } from '@modelcontextprotocol/server'
import { createRuntime, type Runtime } from 'toolwright'
import { createMcpServer, type McpTools } from 'toolwright/mcp'
import { deskOf } from './desk.ts'
import { Processes } from './processes.ts'
import { type Answer, type Driver, EXPIRY_MS, type PlannedCall, type Stored, type World } from './driver.ts'
import { edited } from './ledger.ts'
import { type Shown, shownIn } from './program.ts'
import { Waiting } from './waiting.ts'

/** A call that waits for its next round. */
interface Round {
  readonly call: PlannedCall
  readonly requestState: string
  readonly forms: ReadonlyMap<string, Shown>
}

interface StoredRounds extends Stored {
  readonly rounds: readonly Round[]
}

interface Process {
  readonly handler: ReturnType<typeof createMcpHandler>
  readonly server: McpTools
  readonly runtime: Runtime | undefined
  readonly waiting: Waiting
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
  const processes = new Processes(() => processOf(world))
  const desk = deskOf(() => processes.here)
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
    return (await (await processes.here.handler.fetch(request)).json()) as Reply
  }
  const roundOf = (call: PlannedCall, { result }: Reply): Round | undefined => {
    if (result?.resultType !== 'input_required') return undefined
    const asked = Object.entries(result.inputRequests ?? {})
    const forms = new Map(asked.map(([id, { params }]) => [id, shownIn(params.message)[0] as Shown]))
    for (const [id, shown] of forms) processes.here.waiting.show(id, shown)
    const { requestState = '' } = result
    processes.here.states.add(requestState)
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
      rounds.some(
        ({ forms, requestState }) => forms.has(id) && (processes.here.runtime !== undefined || processes.here.states.has(requestState)),
      ),
    resume: async ({ rounds, questions, answers }, signal) => {
      const answerTo = (id: string): Answer => answers.get(questions.findIndex(({ shows }) => shows.has(id))) ?? 'leave'
      const goOn = async ({ call, forms, requestState }: Round): Promise<Round | 'refused' | undefined> => {
        const inputResponses = Object.fromEntries(
          [...forms].flatMap(([id, shown]) => (answerTo(id) === 'leave' ? [] : [[id, filled(answerTo(id), shown)]])),
        )
        const params = { name: call.tool, arguments: { input: call.input }, requestState, inputResponses }
        const reply = await send(params, call.tool, signal).catch(() => undefined)
        // Without a reply, it may have come too late to be used.
        if (reply !== undefined) processes.here.states.delete(requestState)
        // Whoever gives up a round gives up the call.
        if (reply?.error === undefined) for (const id of forms.keys()) processes.here.waiting.delete(id)
        return reply === undefined || reply.error !== undefined ? 'refused' : roundOf(call, reply)
      }
      const went = await Promise.all(rounds.map(goOn))
      const left = went.filter((each) => each !== 'refused')
      return left.length === 0 ? 'refused' : storedOf(left)
    },
    open: async () => (world.database === undefined ? processes.here.waiting.open : desk.open()),
    enter: (process) => processes.enter(process),
    close: () => processes.close(),
  }
}

async function processOf({ begin, now, database }: World): Promise<Process> {
  const { tools, clock } = begin()
  const waiting = new Waiting(now)
  const runtime = database === undefined ? undefined : createRuntime({ tools, database })
  const shared = { tools, clock, session: 'chat', approvalTimeout: EXPIRY_MS, on: waiting.on }
  const server = await createMcpServer({ ...shared, ...(runtime === undefined ? {} : { runtime }) })
  return { server, runtime, handler: createMcpHandler(server.newServer), waiting, states: new Set() }
}

/** A form as a person fills it. */
export function filled(answer: Answer, { input }: Shown): object {
  const content = { decision: answer, ...(answer === 'edit' ? { input: edited(input) } : {}) }
  return { action: 'accept', content }
}
