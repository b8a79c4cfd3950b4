import { isRecord, type JsonSchema } from '../schema/json-schema.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import { RUN_STATUS } from './run-status-name.ts'

/** So many receipts of one server are remembered. */
const MOST_RUNS = 10_000

const marked = new WeakSet<object>()
const serversOf = new WeakMap<object, UpstreamRuns>()

/** The runs of another server that its receipts have named here. */
export class UpstreamRuns {
  readonly #known = new Set<string>()
  readonly #status: () => AgentTool | undefined

  /** `status` gives the `run_status` that the server has now. */
  constructor(status: () => AgentTool | undefined) {
    this.#status = status
  }

  get status(): AgentTool | undefined {
    return this.#status()
  }

  /** The server has given a receipt of this run. */
  named(run: string): void {
    this.#known.add(run)
    for (const oldest of this.#known) {
      if (this.#known.size <= MOST_RUNS) return
      this.#known.delete(oldest)
    }
  }

  knows(run: string): boolean {
    return this.#known.has(run)
  }
}

/** Whether a tool of another server is its `run_status`, by name and input: then that server speaks of runs as this one does. */
export function isStatusThere(name: string, { properties }: JsonSchema): boolean {
  return name === RUN_STATUS && isRecord(properties) && Object.keys(properties).toSorted().join() === 'run,wait'
}

/** Marks a tool of another server, whose calls may give receipts, and its `run_status`, under whatever name it goes here. */
export function markUpstream<T extends AgentTool>(tool: T, runs: UpstreamRuns, isStatus: boolean): T {
  serversOf.set(tool, runs)
  if (isStatus) marked.add(tool)
  return tool
}

/** A receipt of a server is answered by the `run_status` of that server. */
export function isUpstreamStatus(tool: AgentTool): boolean {
  return marked.has(tool)
}

/** The `run_status` of the server that a tool is of, where it has one. */
export function upstreamStatusOf(tool: AgentTool): AgentTool | undefined {
  return serversOf.get(tool)?.status
}

/** The `run_status` to ask about a run. */
export interface AskedStatuses {
  readonly statuses: readonly AgentTool[]
  /** Their servers have named the run here. Else it is not known whose run it is. */
  readonly isNamed: boolean
}

/** Those of these `run_status` whose servers have named a run here, else all of them. A server answers for no run that another one has named alone. */
export function statusesFor(run: string, statuses: readonly AgentTool[]): AskedStatuses {
  const owners = statuses.filter((each) => serversOf.get(each)?.knows(run) === true)
  return owners.length === 0 ? { statuses, isNamed: false } : { statuses: owners, isNamed: true }
}
