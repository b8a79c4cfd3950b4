import { fenced } from '../../../review/describe-request.ts'
import type { AgentTool } from '../../../tool/agent-tool.ts'
import type { ToolContext } from '../../../tool/context.ts'
import { layer } from '../../../tool/layer.ts'
import type { PendingRequest } from '../../../tool/result/pending-run.ts'
import { success } from '../../../tool/result/returned.ts'
import { filledForm, refusedForm } from './asked-approval.ts'
import type { McpInput } from './mcp-input.ts'
import type { DecidedRequest } from './link-calls.ts'
import { readableText } from './readable-text.ts'

/** A call on a server, as it was sent. */
export interface SentCall {
  readonly input: McpInput
  readonly key: string
}

/** Brings a decision to the server: the same call under the same key is the same run there, and a request is decided once. */
export type SendDecision = (call: SentCall, decided: DecidedRequest, context: ToolContext) => Promise<void>

/** A request that waits on the server of a call. */
export interface RemoteRequest extends SentCall {
  readonly request: Pick<PendingRequest, 'id' | 'why' | 'input' | 'risk'>
}

/**
 * Asks here about a request that waits on the server of a tool, and brings the decision there. It is recorded before it is sent. A layer of the tool:
 * the person is asked about that tool.
 */
export function askingHere(tool: AgentTool, server: string, send: SendDecision): AgentTool {
  return layer(tool, {
    kind: 'ask',
    plan: { order: 'one', labels: 'name', closedBy: undefined },
    run: async (given, whole) => {
      const { input, key, request } = given as RemoteRequest
      const { id, why, risk } = request
      const text = fenced(readableText(why, why.length).trim()).trimEnd()
      const decision = await whole.review({
        why: `MCP server '${server}' asks for an approval:\n${text}`,
        input: request.input,
        ...(risk === 'high' ? { risk } : {}),
        onReject: 'return',
        onEdit: 'return',
      })
      const filled = decision.action === 'reject' ? { content: refusedForm('reject', decision.reason) } : filledForm(decision, request)
      if ('problem' in filled) return success(filled.problem as never)
      const content = filled.content as DecidedRequest['content']
      await whole.decide('sent', () => send({ input, key }, { id, content }, whole))
      return success('sent' as never)
    },
  })
}
