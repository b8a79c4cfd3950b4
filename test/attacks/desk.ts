import {
  createInbox,
  createRuntime,
  gate,
  type GateOptions,
  type Inbox,
  type InboxItem,
  type Principal,
  type Reviewers,
  tool,
  type ToolResult,
} from 'toolwright'
import { fakeClock, memoryRuns } from 'toolwright/testing'

/** A request that waits at a desk, and what became of the call behind it. */
export interface Waiting {
  readonly inbox: Inbox
  readonly id: string
  readonly item: () => Promise<InboxItem | undefined>
  /** What the tool was given, each time that it ran. */
  readonly ran: readonly unknown[]
  readonly ended: Promise<ToolResult>
  readonly withdraw: () => Promise<void>
  readonly close: () => Promise<void>
}

export interface Asking {
  readonly gate?: GateOptions<string> | undefined
  readonly reviewers?: Reviewers | undefined
  readonly principal?: Principal | undefined
}

/** The tool of all attacks: it pays, has the tag `money`, and is asked for by `rita` unless somebody else is named. */
function paying(options: GateOptions<string> | undefined, ran: unknown[]) {
  const pay = tool({
    name: 'pay',
    description: 'Pays.',
    tags: ['money'],
    effect: 'write',
    execute: (to) => {
      ran.push(to)
      return `paid ${to}`
    },
  })
  return gate(pay, { why: 'Money moves.', ...options })
}

const RITA: Principal = { id: 'rita', permissions: ['review:*', 'assign:*'] }

/** A call that waits at an inbox in memory. */
export async function atInbox({ gate: options, reviewers, principal = RITA }: Asking = {}): Promise<Waiting> {
  const ran: unknown[] = []
  const inbox = createInbox()
  const arrived = new Promise<string>((resolve) => inbox.on('requested', ({ request }) => resolve(request.id)))
  const controller = new AbortController()
  const { signal } = controller
  const ended = paying(options, ran).call('bob', {
    review: inbox.handler,
    principal,
    signal,
    ...(reviewers === undefined ? {} : { reviewers }),
  })
  const id = await arrived
  const withdraw = async (): Promise<void> => {
    controller.abort()
    await ended
  }
  return { inbox, id, item: () => inbox.get(id), ran, ended, withdraw, close: withdraw }
}

/** A durable run that waits in a store in memory. */
export async function atRun({ gate: options, reviewers, principal = RITA }: Asking = {}): Promise<Waiting> {
  const ran: unknown[] = []
  const pay = paying(options, ran)
  const runs = memoryRuns({ clock: fakeClock() })
  const runtime = createRuntime({ tools: [pay], database: runs, ...(reviewers === undefined ? {} : { reviewers }) })
  const run = await runtime.start(pay, 'bob', { principal })
  await runs.idle()
  const [item] = await runtime.inbox.list()
  const id = item?.request.id ?? ''
  const withdraw = async (): Promise<void> => {
    await run.cancel()
    await runs.idle()
  }
  const close = async (): Promise<void> => {
    await withdraw()
    await runtime.close()
  }
  return { inbox: runtime.inbox, id, item: () => runtime.inbox.get(id), ran, ended: run.result(), withdraw, close }
}
