import { isRecord } from '../../../schema/json-schema.ts'
import type { AgentTool } from '../../../tool/agent-tool.ts'
import type { ToolContext } from '../../../tool/context.ts'
import { ToolError } from '../../../tool/errors/tool-error.ts'
import { layer } from '../../../tool/layer.ts'
import type { PendingRun } from '../../../tool/result/pending-run.ts'
import type { ContentPart } from '../../../tool/result/result.ts'
import { success } from '../../../tool/result/returned.ts'
import { toldPending } from './told-pending.ts'

/** What a server says of one of its runs. */
export type RunThere =
  | { readonly pending: PendingRun }
  | {
      readonly status: 'completed'
      readonly value: unknown
      readonly text: string
      readonly content?: readonly ContentPart[] | undefined
    }
  | { readonly status: 'failed' | 'cancelled' | 'stopped'; readonly error: Readonly<Record<string, unknown>>; readonly text: string }

/** What is looked after. */
export interface Look {
  readonly run: string
  /** The requests that are known: the looking ends when there are others. */
  readonly known: readonly string[]
}

const FIRST_PAUSE_MS = 2000
const LONGEST_PAUSE_MS = 10 * 60_000
const LOOK_MS = 60_000

/**
 * Looks after a run of the server of a tool, with pauses that double: until it has ended, or waits for something else. Between two looks a durable run
 * is parked. It is a layer of the tool, so that it stands under the name of the tool and is no call of its own.
 */
export function lookingAfter(tool: AgentTool, server: string, status: () => AgentTool | undefined): AgentTool {
  return layer(tool, {
    kind: 'look',
    plan: { order: 'one', labels: 'name', closedBy: undefined },
    run: async (given, whole) => {
      const { run, known } = given as Look
      for (let looks = 0; ; looks++) {
        await whole.sleep(Math.min(FIRST_PAUSE_MS * 2 ** looks, LONGEST_PAUSE_MS))
        const there = await whole.decide('told', () => askedNow(whole, run, { server, status }))
        if (there === 'unreached') continue
        if (!('pending' in there) || there.pending.requests.some(({ id }) => !known.includes(id))) return success({ there } as never)
      }
    },
  })
}

interface AskedServer {
  readonly server: string
  readonly status: () => AgentTool | undefined
}

/** A server that cannot be asked now may be asked later. One that does not know the run never will. */
async function askedNow({ signal }: ToolContext, run: string, { server, status }: AskedServer): Promise<RunThere | 'unreached'> {
  const there = status()
  if (there === undefined) return 'unreached'
  const answer = await there.call({ run, wait: 0 } as never, { signal, deadline: LOOK_MS })
  if (answer.ok) return readStatus(answer.value, { server, text: answer.text, content: answer.content })
  if (answer.error.code === 'not_found')
    throw new ToolError(`MCP server '${server}' does not know its run '${run}' any more: ${answer.error.message}`, {
      code: 'not_found',
      outcome: 'unknown',
    })
  return 'unreached'
}

interface ToldText {
  readonly server: string
  readonly text: string
  readonly content: readonly ContentPart[] | undefined
}

function readStatus(value: unknown, { server, text, content }: ToldText): RunThere | 'unreached' {
  if (!isRecord(value)) return 'unreached'
  const { status, error } = value
  if (status === 'completed') return { status, value: value['value'], text, ...(content === undefined ? {} : { content }) }
  if (status === 'failed' || status === 'cancelled' || status === 'stopped') return { status, error: isRecord(error) ? error : {}, text }
  const pending = toldPending(value, server)
  return pending === undefined ? 'unreached' : { pending }
}
