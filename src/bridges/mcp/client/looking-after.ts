import type { AgentTool } from '../../../tool/agent-tool.ts'
import type { ToolContext } from '../../../tool/context.ts'
import { ToolError } from '../../../tool/errors/tool-error.ts'
import { layer } from '../../../tool/layer.ts'
import type { PendingRun } from '../../../tool/result/pending-run.ts'
import { success } from '../../../tool/result/returned.ts'
import { pauseBefore } from './run-there.ts'
import { toldPending } from './told-pending.ts'
import { isRecord } from '../../../schema/json-schema.ts'

/** What a server says of one of its runs: what it waits for, or that it has ended. */
export type RunNow = { readonly pending: PendingRun } | { readonly hasEnded: true }

/** What is looked after. */
export interface Look {
  readonly run: string
  /** The requests that are known: the looking ends when there are others. Without them, it ends with the run. */
  readonly known: readonly string[] | undefined
}

const LOOK_MS = 60_000

/**
 * Looks after a run of the server of a tool, with pauses that double: until it has ended, or waits for something else. Between two looks a durable run
 * is parked. It is a layer of the tool, so that it stands under the name of the tool and is no call of its own.
 */
export function lookingAfter(tool: AgentTool, server: string, status: () => AgentTool | undefined): AgentTool {
  return layer(tool, {
    kind: 'look',
    plan: { order: 'one', labels: 'name', closedBy: undefined },
    givesOther: true,
    run: async (given, whole) => {
      const { run, known } = given as Look
      for (let looks = 0; ; looks++) {
        await whole.sleep(pauseBefore(looks))
        const now = await whole.decide('told', () => askedNow(whole, run, { server, status }))
        if (now === 'unreached') continue
        const isNew = 'hasEnded' in now || (known !== undefined && now.pending.requests.some(({ id }) => !known.includes(id)))
        if (isNew) return success(now as never)
      }
    },
  })
}

interface AskedServer {
  readonly server: string
  readonly status: () => AgentTool | undefined
}

/** A server that cannot be asked now may be asked later. One that does not know the run never will. */
async function askedNow({ signal }: ToolContext, run: string, { server, status }: AskedServer): Promise<RunNow | 'unreached'> {
  const there = status()
  if (there === undefined) return 'unreached'
  const answer = await there.call({ run, wait: 0 } as never, { signal, deadline: LOOK_MS })
  if (answer.ok) return readStatus(answer.value, server)
  if (answer.error.code === 'not_found')
    throw new ToolError(`MCP server '${server}' does not know its run '${run}' any more: ${answer.error.message}`, {
      code: 'not_found',
      outcome: 'unknown',
    })
  return 'unreached'
}

const ENDS: ReadonlySet<unknown> = new Set(['completed', 'failed', 'cancelled', 'stopped'])

function readStatus(value: unknown, server: string): RunNow | 'unreached' {
  if (!isRecord(value)) return 'unreached'
  if (ENDS.has(value['status'])) return { hasEnded: true }
  const pending = toldPending(value, server)
  return pending === undefined ? 'unreached' : { pending }
}
