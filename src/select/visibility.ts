import type { AgentTool } from '../tool/agent-tool.ts'
import { missingPermissions } from '../tool/principal.ts'
import type { Allowed } from './ranking.ts'
import type { Viewer } from './selection.ts'

/** Which places of a catalog a caller may see. The last answer is kept: most requests come for the same permissions. */
export class Visibility {
  readonly #entries: readonly ({ readonly tool: AgentTool } | undefined)[]
  #kept: { readonly key: string; readonly mask: Allowed } | undefined

  constructor(entries: readonly ({ readonly tool: AgentTool } | undefined)[]) {
    this.#entries = entries
  }

  /** The tools have changed. */
  changed(): void {
    this.#kept = undefined
  }

  /** As long as the tools are the same, callers with the same permissions and no rule of their own get the same array. */
  of({ principal, allows }: Viewer): Allowed {
    const key = JSON.stringify(principal?.permissions ?? null)
    const mask = this.#kept?.key === key ? this.#kept.mask : this.#mask(principal)
    this.#kept = { key, mask }
    if (allows === undefined) return mask
    return mask.map((allowed, place) => (allowed === 1 && allows((this.#entries[place] as { tool: AgentTool }).tool) === true ? 1 : 0))
  }

  #mask(principal: Viewer['principal']): Allowed {
    return Uint8Array.from(this.#entries, (entry) => {
      if (entry === undefined) return 0
      const { permissions } = entry.tool
      return permissions.length === 0 || missingPermissions(permissions, principal).length === 0 ? 1 : 0
    })
  }
}
