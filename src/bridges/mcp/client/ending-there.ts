import type { CallToolResult } from '@modelcontextprotocol/client'
import type { AgentTool } from '../../../tool/agent-tool.ts'
import type { ToolContext } from '../../../tool/context.ts'
import { layer } from '../../../tool/layer.ts'
import { failure } from '../../../tool/result/returned.ts'
import { type CallThere, goneFor, pauseBefore, type RunsThere } from './run-there.ts'

type Answered = { readonly answer: CallToolResult } | { readonly problem: string; readonly code: string } | 'later'

/**
 * The result of a run of the server that has ended: the answer to its call, which is sent again. So it is the same as that of a call that has not
 * waited, in its value, its text and its other parts, and is checked in the same way.
 */
export function endingThere(tool: AgentTool, there: RunsThere): AgentTool {
  return layer(tool, {
    kind: 'end',
    plan: { order: 'one', labels: 'name', closedBy: undefined },
    run: async (given, whole) => {
      for (let time = 0; ; time++) {
        const end = await whole.decide('answer', () => answered(whole, given as CallThere, there))
        if (end === 'later') await whole.sleep(pauseBefore(time))
        else if ('answer' in end) return there.read({ ...end, undecided: undefined })
        else return failure(end.problem, { code: end.code, outcome: 'unknown' })
      }
    },
  })
}

/** An error must not be thrown: it would not be in the record. */
async function answered(whole: ToolContext, call: CallThere, { again, read }: RunsThere): Promise<Answered> {
  try {
    const { answer } = await again(call, whole)
    const result = await read({ answer, undecided: undefined }).catch(() => undefined)
    const isReceipt = result !== undefined && 'error' in result && result.error.pending?.isOfCall === true
    return isReceipt ? 'later' : { answer }
  } catch (error) {
    if (whole.signal.aborted) throw error
    const gone = goneFor(error)
    return gone === undefined ? 'later' : { problem: gone.message, code: gone.code }
  }
}
