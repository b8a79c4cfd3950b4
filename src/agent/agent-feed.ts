import type { ToolEvent } from '../tool/event.ts'
import type { ToolResult } from '../tool/result/result.ts'

/** What happens while an agent works. `path` tells agents inside one another apart. */
export type AgentEvent<A> =
  | { readonly type: 'text'; readonly path: string; readonly text: string }
  | { readonly type: 'tool-call'; readonly path: string; readonly tool: string; readonly input: unknown }
  | { readonly type: 'tool-result'; readonly path: string; readonly tool: string; readonly ok: boolean; readonly text: string }
  /** The model is asked again: the text of this turn so far does not count. */
  | { readonly type: 'retry'; readonly path: string; readonly message: string }
  | { readonly type: 'end'; readonly result: ToolResult<A> }

/** The name under which a stream reaches the leaf that asks the model. A durable run has none, and asks for whole answers. */
export const FEED = 'toolwright.agent.feed'

const CALL_OF_A_TURN = /\/turn\d+\.call\d+$/
const TURN = /\/turn\d+$/

/** Collects the events of a run for the one who reads them. */
export class AgentFeed<A = unknown> {
  readonly #events: AgentEvent<A>[] = []
  #wake: (() => void) | undefined
  #isOver = false

  /** Tells the text of the model call at this path. */
  at(path: string): (text: string) => void {
    return (text) => this.#push({ type: 'text', path, text })
  }

  readonly hear = (event: ToolEvent): void => {
    const { call } = event
    if (event.type === 'call.retried' && TURN.test(call.path)) this.#push({ type: 'retry', path: call.path, message: event.error.message })
    if (!CALL_OF_A_TURN.test(call.path)) return
    const { path, tool } = call
    if (event.type === 'call.started') this.#push({ type: 'tool-call', path, tool, input: call.input })
    if (event.type === 'call.finished') this.#push({ type: 'tool-result', path, tool, ok: event.outcome === 'success', text: event.text })
  }

  end(result: ToolResult<A>): void {
    this.#push({ type: 'end', result })
    this.close()
  }

  close(): void {
    this.#isOver = true
    this.#wake?.()
  }

  /** All events, until the run has ended. */
  async *events(): AsyncGenerator<AgentEvent<A>, void> {
    for (;;) {
      for (let event = this.#events.shift(); event !== undefined; event = this.#events.shift()) yield event
      if (this.#isOver) return
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }

  #push(event: AgentEvent<A>): void {
    if (this.#isOver) return
    this.#events.push(event)
    this.#wake?.()
  }
}

export function feedIn(services: Readonly<Record<string, unknown>>): AgentFeed | undefined {
  const feed = services[FEED]
  return feed instanceof AgentFeed ? feed : undefined
}
