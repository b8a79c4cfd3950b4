import { type AgentTool, tool, ToolError } from 'toolwright'
import type { Store } from 'toolwright/store'
import { z } from 'zod'

const Edit = z.object({ page: z.string(), seenVersion: z.number(), text: z.string() })

/** Changes a page if it still has the version that the caller has read. Check and change are one statement. */
export function editByPrecondition({ pool }: Store): AgentTool<z.input<typeof Edit>, { version: number }> {
  return tool({
    name: 'edit_page',
    description: 'Replaces the text of a page. Give the version that you have read.',
    inputSchema: Edit,
    effect: 'write',
    execute: async ({ page, seenVersion, text }) => {
      const { rows } = await pool.query<{ version: number }>(
        'UPDATE page SET text = $3, version = version + 1 WHERE id = $1 AND version = $2 RETURNING version',
        [page, seenVersion, text],
      )
      const [changed] = rows
      if (changed === undefined) throw new ToolError(`Page ${page} is not at version ${seenVersion} any more.`, { code: 'conflict' })
      return changed
    },
  })
}
