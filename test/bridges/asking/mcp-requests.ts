import { InMemoryTransport, type JSONRPCMessage } from '@modelcontextprotocol/client'
import { createRuntime, type Runtime } from 'toolwright'
import { createMcpServer, type McpTools } from 'toolwright/mcp'
import { deskOf } from './desk.ts'
import { Processes } from './processes.ts'
import { type Driver, EXPIRY_MS, type Stored, type World } from './driver.ts'
import { filled } from './mcp-rounds.ts'
import { type Shown, shownIn } from './program.ts'

interface StoredForms extends Stored {
  /** The forms of each question: calls that share a durable run ask the same. */
  readonly forms: readonly (readonly Form[])[]
}

interface Form {
  readonly connection: Connection
  readonly id: number | string
  readonly shown: Shown
}

interface Process {
  readonly connection: Connection
  readonly server: McpTools
  readonly runtime: Runtime | undefined
}

interface Message {
  readonly id?: number | string
  readonly method?: string
  readonly params?: { readonly message?: string; readonly requestId?: number | string }
}

/** MCP 2025-11-25: a server asks by requests of its own while the call of the client waits. */
export async function mcpRequestsDriver(world: World): Promise<Driver<StoredForms>> {
  const processes = new Processes(() => processOf(world))
  const desk = deskOf(() => processes.here)
  const storedOf = async (): Promise<StoredForms | undefined> => {
    await processes.here.connection.rest(world)
    const asked = await named()
    if (asked.size === 0) return undefined
    const questions = [...asked].map(([id, [form]]) => ({ shows: new Map(form === undefined ? [] : [[id, form.shown]]) }))
    return { forms: [...asked.values()], questions, answers: new Map() }
  }
  /** The forms that wait, by the request that they show: a form does not name it. */
  const named = async (): Promise<ReadonlyMap<string, readonly Form[]>> => {
    const inInbox = world.database === undefined ? [] : [...(await desk.open())]
    const nameOf = ({ id, shown: { effect, input } }: Form): string =>
      inInbox.find(([, shown]) => shown.effect === effect && shown.input === input)?.[0] ?? `${processes.here.connection.name} ${id}`
    return Map.groupBy(processes.here.connection.forms.values(), nameOf)
  }
  return {
    desk: world.database === undefined ? undefined : desk,
    joinsEqualCalls: world.database !== undefined,
    carries: ['approve', 'edit', 'reject', 'stop', 'leave'],
    start: async (turn) => {
      for (const { tool, input } of turn) processes.here.connection.call(tool, input)
      return storedOf()
    },
    answer: async (stored, answers) => ({ ...stored, answers: new Map([...stored.answers, ...answers]) }),
    // An answer belongs to the connection that asked, and is heard once.
    hears: ({ forms, questions }, id) =>
      (forms[questions.findIndex(({ shows }) => shows.has(id))] ?? []).some(
        (each) => processes.here.connection.forms.get(each.id) === each,
      ),
    resume: async ({ forms, answers }, signal) => {
      const { connection } = processes.here
      const cancel = (): void => connection.cancelCalls()
      if (signal?.aborted === true) cancel()
      else signal?.addEventListener('abort', cancel)
      for (const [at, answer] of answers) {
        if (answer === 'leave') continue
        for (const form of forms[at] ?? []) if (form.connection === connection) connection.respond(form.id, filled(answer, form.shown))
      }
      const stored = await storedOf()
      signal?.removeEventListener('abort', cancel)
      return stored
    },
    open: async () => new Map([...(await named())].flatMap(([id, [form]]) => (form === undefined ? [] : [[id, form.shown]]))),
    enter: (process) => processes.enter(process),
    close: () => processes.close(),
  }
}

async function processOf({ begin, database }: World): Promise<Process> {
  const { tools, clock } = begin()
  const runtime = database === undefined ? undefined : createRuntime({ tools, database })
  const shared = { tools, clock, session: 'chat', approvalTimeout: EXPIRY_MS }
  const server = await createMcpServer({ ...shared, ...(runtime === undefined ? {} : { runtime }) })
  return { server, runtime, connection: await Connection.to(server) }
}

/** Turns of the event loop in which nothing moves. */
const QUIET_TURNS = 12

/** A client that can also say what no library would say. */
class Connection {
  readonly name = crypto.randomUUID()
  /** The forms that wait. */
  readonly forms = new Map<number | string, Form>()
  readonly #near: InMemoryTransport
  readonly #calls = new Set<number>()
  #count = 0
  #heard = 0

  private constructor(near: InMemoryTransport) {
    this.#near = near
    Object.assign(near, { onmessage: (message: Message) => this.#hear(message) })
  }

  static async to({ newServer }: McpTools): Promise<Connection> {
    const [near, far] = InMemoryTransport.createLinkedPair()
    await newServer().connect(far)
    const connection = new Connection(near)
    await near.start()
    const clientInfo = { name: 'player', version: '1.0.0' }
    connection.#send({
      id: connection.#count++,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: { elicitation: {} }, clientInfo },
    })
    connection.#send({ method: 'notifications/initialized' })
    return connection
  }

  call(name: string, input: string): void {
    const id = this.#count++
    this.#calls.add(id)
    this.#send({ id, method: 'tools/call', params: { name, arguments: { input } } })
  }

  respond(id: number | string, result: object): void {
    this.forms.delete(id)
    this.#send({ id, result })
  }

  cancelCalls(): void {
    for (const requestId of this.#calls) this.#send({ method: 'notifications/cancelled', params: { requestId, reason: 'Given up.' } })
    this.#calls.clear()
    this.forms.clear()
  }

  /** Waits until nothing moves. */
  async rest({ database }: World): Promise<void> {
    for (let quiet = 0, heard = this.#heard; quiet < QUIET_TURNS; quiet++) {
      await database?.idle()
      await new Promise((resolve) => setImmediate(resolve))
      if (heard !== this.#heard) quiet = 0
      heard = this.#heard
    }
  }

  #send(message: object): void {
    void this.#near.send({ jsonrpc: '2.0', ...message } as JSONRPCMessage)
  }

  #hear({ id, method, params }: Message): void {
    this.#heard++
    if (method === 'elicitation/create' && id !== undefined)
      this.forms.set(id, { connection: this, id, shown: shownIn(params?.message ?? '')[0] as Shown })
    else if (method === 'notifications/cancelled') this.forms.delete(params?.requestId ?? '')
    else if (method === undefined) this.#calls.delete(Number(id))
  }
}
