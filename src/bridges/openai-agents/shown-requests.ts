import type { Agent, RunContext } from '@openai/agents'
import { isRecord } from '../../schema/json-schema.ts'
import type { AgentsLibrary } from './load-openai-agents.ts'

/** What a person was shown as one call when a run of the SDK stopped. An approval in its state counts for these requests, and for nothing else. */
export interface Shown {
  /** The durable run that asks, or the memory in which the call waits. */
  readonly where: string
  /** The ids of the requests. */
  readonly requests: ReadonlySet<string>
}

/** A name that no tool has. */
const NOTES = 'toolwright: shown'

/**
 * Writes into the state of a run what was shown in it. An approval of the SDK names a call alone, and any process may send it at any time: only
 * the state itself can tell which requests it means. Of what a tool may write there, the SDK stores approvals and rejections with their
 * messages; a note is the message of a rejection of a tool that does not exist.
 */
export class ShownRequests {
  readonly #library: AgentsLibrary
  /** An agent that never runs: the SDK binds a rejection to one. */
  readonly #nobody: Agent

  constructor(library: AgentsLibrary) {
    this.#library = library
    this.#nobody = new library.Agent({ name: NOTES })
  }

  /** The latest asking in a state replaces the earlier one. */
  note(runContext: RunContext, key: string, { where, requests }: Shown): void {
    const rawItem = { type: 'hosted_tool_call', name: NOTES, id: key } as const
    const message = JSON.stringify({ where, requests: [...requests] })
    runContext.rejectTool(new this.#library.RunToolApprovalItem(rawItem, this.#nobody, NOTES), { message })
  }
}

/** What was shown as the call of this key in a run; undefined where its state does not tell. */
export function shownIn(runContext: RunContext, key: string): Shown | undefined {
  const note = parsed(runContext.getRejectionMessage(NOTES, key))
  if (!isRecord(note) || typeof note['where'] !== 'string' || !Array.isArray(note['requests'])) return undefined
  return { where: note['where'], requests: new Set(note['requests'].filter((each) => typeof each === 'string')) }
}

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
