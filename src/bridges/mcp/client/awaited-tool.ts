import type { AgentTool } from '../../../tool/agent-tool.ts'
import type { ToolContext } from '../../../tool/context.ts'
import { layer } from '../../../tool/layer.ts'
import type { PendingRequest, PendingRun } from '../../../tool/result/pending-run.ts'
import type { ToolFailure, ToolResult } from '../../../tool/result/result.ts'
import { failure, type ReturnedFailure } from '../../../tool/result/returned.ts'
import { callTogether, type TogetherCall } from '../../../tool/seam/call-together.ts'
import { callPart, tryPart } from '../../../tool/seam/parts.ts'
import { isDurable } from '../../../tool/seam/whole.ts'
import { askingHere, type RemoteRequest } from './asking-here.ts'
import { endingThere } from './ending-there.ts'
import { type Look, lookingAfter, type RunNow } from './looking-after.ts'
import type { McpInput } from './mcp-input.ts'
import type { CallThere, RunsThere } from './run-there.ts'

/** What an awaited tool needs of its server. */
export interface AwaitedServer extends RunsThere {
  /** The `run_status` that the server has now. */
  readonly status: () => AgentTool | undefined
  /** Without forms, no decision can be brought to the server. */
  readonly asksHere: boolean
}

const LABEL = 'there'
/** A server may ask for ever. After so many requests of one call, people are asked there alone, and nobody looks at once after an answer. */
const MOST_ASKED = 100

/**
 * A tool of a server with durable runs. In a durable run here, a receipt of that server is no end: the run here waits until the run there has ended,
 * looks after it, and asks here what a person must decide there. Everywhere else the receipt is the answer, as the server gave it. So is one of a run
 * that a tool there has called, whose end is not that of the call.
 */
export function awaitedTool(leaf: AgentTool<McpInput>, there: AwaitedServer): AgentTool<McpInput> {
  const tool = leaf as AgentTool
  const helpers = {
    look: lookingAfter(tool, there.server, there.status),
    ask: askingHere(tool, there),
    end: endingThere(tool, there),
    asksHere: there.asksHere,
  }
  return layer(leaf, {
    kind: 'remote',
    label: LABEL,
    plan: { order: 'one', labels: 'name', closedBy: undefined },
    helpers: [helpers.look, helpers.ask, helpers.end],
    keepsInput: true,
    run: async (input, whole) => {
      const { part, result, fatal } = await tryPart(whole, { label: LABEL, tool, input })
      if (fatal !== undefined) throw fatal.thrown
      if (result.ok || part === undefined || !isDurable(whole)) return result
      const { pending } = result.error
      if (pending?.isOfCall !== true || pending.withoutStatus === true) return result
      // A part is the context of its call.
      const { idempotencyKey: key } = part as unknown as ToolContext
      return new Awaiting(whole, helpers, { input: input as McpInput, key, run: pending.run }).until(pending, result)
    },
  })
}

interface Helpers {
  readonly look: AgentTool
  readonly ask: AgentTool
  readonly end: AgentTool
  readonly asksHere: boolean
}

/** The waiting of one call for the end of its run there. What it does follows from the results of its parts alone, so that it can be replayed. */
class Awaiting {
  readonly #whole: ToolContext
  readonly #helpers: Helpers
  readonly #call: CallThere
  /** The requests that were decided here, whether that counted there or not. */
  readonly #decided = new Set<string>()
  /** The requests that people were asked about here. */
  readonly #asked = new Set<string>()

  constructor(whole: ToolContext, helpers: Helpers, call: CallThere) {
    this.#whole = whole
    this.#helpers = helpers
    this.#call = call
  }

  async until(first: PendingRun, receipt: ToolFailure): Promise<ToolResult | ReturnedFailure> {
    for (let pending = first; ;) {
      const asked = pending.requests.filter((each) => this.#isAskedHere(each))
      const labels = asked.map((_, at) => `ask-${at + 1}`)
      const calls = {
        look: this.#looking(pending),
        ...Object.fromEntries(asked.map((each, at) => [labels[at] ?? '', this.#asking(each)])),
      }
      const { results } = await callTogether(this.#whole, calls as Readonly<Record<string, TogetherCall<AgentTool>>>, { until: () => true })
      const { look } = results
      for (const [at, { id }] of asked.entries()) if (results[labels[at] ?? ''] !== undefined) this.#decided.add(id)
      if (look === undefined) continue
      if (!look.ok) return givenUp(receipt, look)
      const now = look.value as RunNow
      if ('hasEnded' in now) return this.#end(receipt)
      ;({ pending } = now)
    }
  }

  /** Where several people must decide, a form that names nobody is no vote: they decide there. */
  #isAskedHere({ id, kind, approvals }: PendingRequest): boolean {
    if (!this.#helpers.asksHere || kind !== 'approval' || approvals !== undefined || this.#decided.has(id)) return false
    if (this.#asked.size < MOST_ASKED) this.#asked.add(id)
    return this.#asked.has(id)
  }

  #looking({ requests }: PendingRun): TogetherCall<AgentTool> {
    const isFull = this.#asked.size >= MOST_ASKED
    const look: Look = { run: this.#call.run, known: isFull ? undefined : requests.map(({ id }) => id) }
    return { tool: this.#helpers.look, input: look as never }
  }

  #asking({ id, why, input, risk }: PendingRequest): TogetherCall<AgentTool> {
    const asked: RemoteRequest = { ...this.#call, request: { id, why, input, risk } }
    return { tool: this.#helpers.ask, input: asked as never }
  }

  async #end(receipt: ToolFailure): Promise<ToolResult | ReturnedFailure> {
    const end = await callPart(this.#whole, { label: 'end', tool: this.#helpers.end, input: this.#call })
    return !end.ok && end.error.code === 'not_found' ? givenUp(receipt, end) : end
  }
}

/** The run there may go on: its receipt stays, with the reason why it is not waited for any more. */
function givenUp({ error: { message, pending } }: ToolFailure, { error }: Extract<ToolResult, { readonly ok: false }>): ReturnedFailure {
  return failure(`${message} It is not waited for any more: ${error.message}`, { ...error, outcome: 'unknown', pending })
}
