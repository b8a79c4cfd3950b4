/** A request to a person that a durable run waits for. Secrets are masked. */
export interface PendingRequest {
  readonly id: string
  /** `approval` of a call, or a `question` that wants an answer. */
  readonly kind: 'approval' | 'question'
  readonly tool: string
  readonly why: string
  /** The same without what nobody wrote for the caller, where the two differ. */
  readonly whyOutside?: string | undefined
  readonly input: unknown
  readonly risk: 'low' | 'medium' | 'high'
  /** The command with which a person decides, where the run is. Empty if another server gave none that can be repeated. */
  readonly command: string
  /** Where several people must decide alike: how many, and how many of them have. */
  readonly approvals?: { readonly needed: number; readonly given: number } | undefined
}

/** The receipt of a call that was recorded as a durable run, and has not ended. The run goes on by itself. */
export interface PendingRun {
  /** The id of the run: `run_status` and `runtime.run` take it. */
  readonly run: string
  readonly tool: string
  /** The MCP server at which the run is, where it is not in this program; `gateway > desk` for one behind another. */
  readonly server?: string | undefined
  /** The run at that server is that of the call itself, and not of a tool that it called there. */
  readonly isOfCall?: true | undefined
  /** The `run_status` of that server is not offered here: nobody can ask about the run by it. */
  readonly withoutStatus?: true | undefined
  /** `worker`: it is queued until one takes it up. `work`: it is under way. `blocked`: the program must be mended before it goes on. */
  readonly waitsFor: 'person' | 'time' | 'worker' | 'work' | 'blocked'
  /** The open requests, if it waits for people. */
  readonly requests: readonly PendingRequest[]
  /** Why decisions that this call brought do not count: the requests are open as before. */
  readonly refused?: readonly string[] | undefined
  /** When it goes on, if it waits for a time; in milliseconds since the epoch. */
  readonly wakeAt?: number | undefined
  /** Why it is blocked. */
  readonly problem?: string | undefined
}
