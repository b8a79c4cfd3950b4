import type { AgentTool } from '../../../tool/agent-tool.ts'
import type { ToolContext } from '../../../tool/context.ts'
import { layer } from '../../../tool/layer.ts'
import type { PendingRequest, PendingRun } from '../../../tool/result/pending-run.ts'
import type { ToolFailure, ToolResult } from '../../../tool/result/result.ts'
import { failure, type ReturnedFailure, type ReturnedSuccess, success } from '../../../tool/result/returned.ts'
import { callTogether, type TogetherCall } from '../../../tool/seam/call-together.ts'
import { tryPart } from '../../../tool/seam/parts.ts'
import { isDurable } from '../../../tool/seam/whole.ts'
import { askingHere, type RemoteRequest, type SendDecision, type SentCall } from './asking-here.ts'
import { endedFailure } from './imported-result.ts'
import type { McpInput } from './mcp-input.ts'
import { type Look, lookingAfter, type RunThere } from './looking-after.ts'

/** What an awaited tool needs of its server. */
export interface AwaitedServer {
  readonly server: string
  /** The `run_status` that the server has now. */
  readonly status: () => AgentTool | undefined
  readonly send: SendDecision
}

const LABEL = 'there'

/**
 * A tool of a server with durable runs. In a durable run here, a receipt of that server is no end: the run here waits until the run there has ended,
 * looks after it, and asks here what a person must decide there. Everywhere else the receipt is the answer, as the server gave it.
 */
export function awaitedTool(leaf: AgentTool<McpInput>, { server, status, send }: AwaitedServer): AgentTool<McpInput> {
  const tool = leaf as AgentTool
  const helpers = { look: lookingAfter(tool, server, status), ask: askingHere(tool, server, send) }
  return layer(leaf, {
    kind: 'remote',
    label: LABEL,
    plan: { order: 'one', labels: 'name', closedBy: undefined },
    helpers: Object.values(helpers),
    keepsInput: true,
    run: async (input, whole) => {
      const { part, result, fatal } = await tryPart(whole, { label: LABEL, tool, input })
      if (fatal !== undefined) throw fatal.thrown
      if (result.ok || part === undefined || !isDurable(whole)) return result
      const { pending } = result.error
      if (pending?.server === undefined || pending.withoutStatus === true) return result
      // A part is the context of its call.
      const { idempotencyKey: key } = part as unknown as ToolContext
      return new Awaiting(whole, helpers, { input: input as McpInput, key }).until(pending, result)
    },
  })
}

interface Helpers {
  readonly look: AgentTool
  readonly ask: AgentTool
}

/** The waiting of one call for the end of its run there. What it does follows from the results of its parts alone, so that it can be replayed. */
class Awaiting {
  readonly #whole: ToolContext
  readonly #helpers: Helpers
  readonly #call: SentCall
  /** The requests that were decided here, whether that counted there or not. */
  readonly #decided = new Set<string>()

  constructor(whole: ToolContext, helpers: Helpers, call: SentCall) {
    this.#whole = whole
    this.#helpers = helpers
    this.#call = call
  }

  async until(first: PendingRun, receipt: ToolFailure): Promise<ReturnedSuccess<unknown> | ReturnedFailure> {
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
      const { there } = look.value as { readonly there: RunThere }
      if (!('pending' in there)) return endOf(there)
      ;({ pending } = there)
    }
  }

  /** Where several people must decide, a form that names nobody is no vote: they decide there. */
  #isAskedHere({ id, kind, approvals }: PendingRequest): boolean {
    return kind === 'approval' && approvals === undefined && !this.#decided.has(id)
  }

  #looking({ run, requests }: PendingRun): TogetherCall<AgentTool> {
    const look: Look = { run, known: requests.map(({ id }) => id) }
    return { tool: this.#helpers.look, input: look as never }
  }

  #asking({ id, why, input, risk }: PendingRequest): TogetherCall<AgentTool> {
    const asked: RemoteRequest = { ...this.#call, request: { id, why, input, risk } }
    return { tool: this.#helpers.ask, input: asked as never }
  }
}

function endOf(there: Exclude<RunThere, { readonly pending: PendingRun }>): ReturnedSuccess<unknown> | ReturnedFailure {
  if (there.status !== 'completed') return endedFailure(there)
  const { value, text, content } = there
  return success(value, { text, ...(content === undefined ? {} : { content }) })
}

/** The run there may go on: its receipt stays, with the reason why it is not waited for any more. */
function givenUp({ error: { message, pending } }: ToolFailure, { error }: Extract<ToolResult, { readonly ok: false }>): ReturnedFailure {
  return failure(`${message} It is not waited for any more: ${error.message}`, { ...error, outcome: 'unknown', pending })
}
