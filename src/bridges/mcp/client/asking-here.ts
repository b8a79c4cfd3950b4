import { fenced } from '../../../review/describe-request.ts'
import type { AgentTool } from '../../../tool/agent-tool.ts'
import type { ToolContext } from '../../../tool/context.ts'
import { isExitEarly } from '../../../tool/errors/exit-early.ts'
import { layer } from '../../../tool/layer.ts'
import type { PendingRequest } from '../../../tool/result/pending-run.ts'
import { success } from '../../../tool/result/returned.ts'
import type { ReviewAnswer } from '../../../tool/review.ts'
import { filledForm, refusedForm } from './asked-approval.ts'
import type { DecidedRequest } from './link-calls.ts'
import { readableText } from './readable-text.ts'
import { type CallThere, goneFor, pauseBefore, type RunsThere } from './run-there.ts'

/** A request that waits on the server of a call. */
export interface RemoteRequest extends CallThere {
  readonly request: Pick<PendingRequest, 'id' | 'why' | 'input' | 'risk'>
}

/** A person whose decision does not count there is asked again, with the reason, so many times in all. After that it is decided there. */
const MOST_ATTEMPTS = 3
const LONGEST_PROBLEM = 500

/**
 * Asks here about a request that waits on the server of a tool, and brings the decision there. It is recorded before it is sent, and sent until the
 * server has it. A layer of the tool: the person is asked about that tool.
 */
export function askingHere(tool: AgentTool, there: RunsThere): AgentTool {
  return layer(tool, {
    kind: 'ask',
    plan: { order: 'one', labels: 'name', closedBy: undefined },
    givesOther: true,
    run: async (given, whole) => {
      const asked = given as RemoteRequest
      let problem = ''
      for (let time = 1; time <= MOST_ATTEMPTS; time++) {
        const decision = await reviewed(whole, asked, { there, problem })
        const filled =
          decision.action === 'reject' ? { content: refusedForm('reject', decision.reason) } : filledForm(decision, asked.request)
        const end =
          'problem' in filled ? filled : await brought(whole, asked, { there, content: filled.content as DecidedRequest['content'] })
        if (end === 'heard') return success(end as never)
        ;({ problem } = end)
      }
      return success('not heard' as never)
    },
  })
}

interface Asking {
  readonly there: RunsThere
  /** Why the decision before does not count; empty at first. */
  readonly problem: string
}

async function reviewed(whole: ToolContext, asked: RemoteRequest, { there, problem }: Asking): Promise<ReviewAnswer<'return', 'return'>> {
  const { why, input, risk } = asked.request
  try {
    return await whole.review({
      why: `MCP server '${there.server}' asks for an approval:\n${barred(why)}${again(problem)}`,
      input,
      ...(risk === 'high' ? { risk } : {}),
      onReject: 'return',
      onEdit: 'return',
    })
  } catch (error) {
    // Once: the run here has ended, and does not wait for a server that cannot be reached.
    if (isExitEarly(error)) await sent(whole, asked, { there, content: refusedForm('stop', undefined) as DecidedRequest['content'] })
    throw error
  }
}

interface Bringing {
  readonly there: RunsThere
  readonly content: DecidedRequest['content']
}

type Heard = 'heard' | { readonly problem: string }

async function brought(whole: ToolContext, asked: RemoteRequest, bringing: Bringing): Promise<Heard> {
  for (let time = 0; ; time++) {
    const end = await sent(whole, asked, bringing)
    if (end !== 'unreached') return end
    await whole.sleep(pauseBefore(time))
  }
}

/** A server that cannot be reached now may be reached later. An error must not be thrown: it would not be in the record. */
function sent(whole: ToolContext, { request, ...call }: RemoteRequest, { there, content }: Bringing): Promise<Heard | 'unreached'> {
  return whole.decide('sent', async () => {
    try {
      const { answer, isBrought } = await there.again(call, whole, { id: request.id, content })
      const result = await there.read({ answer, undecided: undefined })
      const pending = 'error' in result ? result.error.pending : undefined
      if (pending?.requests.some(({ id }) => id === request.id) !== true) return 'heard'
      if (!isBrought) return { problem: 'The server has not asked for it.' }
      return { problem: pending.refused?.join('\n') ?? 'It does not count there.' }
    } catch (error) {
      if (whole.signal.aborted) throw error
      const gone = goneFor(error)
      return gone === undefined ? 'unreached' : { problem: gone.message }
    }
  })
}

function again(problem: string): string {
  return problem === '' ? '' : `\n\nThe decision before does not count there:\n${barred(readableText(problem, LONGEST_PROBLEM))}`
}

/** Words of the server, behind a bar: none of their lines can pass for one of ours. */
function barred(text: string): string {
  return fenced(readableText(text, text.length).trim()).trimEnd()
}
