import type { AgentTool } from '../../tool/agent-tool.ts'
import type { RunChanges } from '../store/run-changes.ts'

type Tools = ReadonlyMap<string, AgentTool>

/** The tools that runs wanted here when no provider had them. Such runs are blocked, and go on when the tool is there again. */
export class MissedTools {
  readonly #tools: () => Promise<Tools>
  readonly #missed = new Set<string>()

  constructor(tools: () => Promise<Tools>) {
    this.#tools = tools
  }

  /** Carries a run on, and notes whether its tool was there. */
  async during<T>(name: string, carry: (tools: () => Promise<Tools>) => Promise<T>): Promise<T> {
    let seen: Tools | undefined
    try {
      return await carry(async () => (seen = await this.#tools()))
    } finally {
      if (seen?.has(name) === false) this.#missed.add(name)
    }
  }

  /** Queues the runs whose tool is here again. */
  async resume(store: Pick<RunChanges, 'resumeBlocked'>): Promise<void> {
    if (this.#missed.size === 0) return
    const tools = await this.#tools()
    for (const tool of [...this.#missed].filter((each) => tools.has(each))) {
      this.#missed.delete(tool)
      await store.resumeBlocked({ code: 'unknown_tool', tool })
    }
  }
}
