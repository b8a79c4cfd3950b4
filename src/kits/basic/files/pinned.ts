import type { AgentTool } from '../../../tool/agent-tool.ts'
import { behaviourOf } from '../../../tool/behaviour.ts'
import { type ErrorClass } from '../../../tool/errors/error-codes.ts'
import { isToolError, ToolError } from '../../../tool/errors/tool-error.ts'
import { layer } from '../../../tool/layer.ts'
import type { ToolResult } from '../../../tool/result/result.ts'
import { callPart } from '../../../tool/seam/parts.ts'
import type { Whole } from '../../../tool/seam/whole.ts'
import type { WriteRequest } from './write-request.ts'

const LABEL = 'write'

interface Refusal {
  readonly code: string
  readonly class: ErrorClass
  readonly message: string
  readonly hint: string
}

type Rehearsed = { readonly ifHash: string } | { readonly refusal: Refusal }

export interface PinOptions {
  readonly needsApproval: (request: WriteRequest) => boolean
  /** Gives the hash of the file that a write starts from; throws where it could not succeed. */
  readonly rehearse: (request: WriteRequest, signal: AbortSignal) => Promise<string>
}

/**
 * Before a person is asked about a write, names in its input the state of the file that it starts from. So the approval binds to that
 * state too, also in a run that is resumed: a file that has changed by then is not written. Nobody is asked about a write that could not succeed.
 */
export function pinned<I, O>(writer: AgentTool<I, O>, options: PinOptions): AgentTool<I, O> {
  return layer(writer, {
    kind: 'pin',
    label: LABEL,
    plan: { order: 'one', labels: 'name', closedBy: undefined },
    run: (input, whole) => runPinned(writer as AgentTool, { input, whole, options }),
  })
}

interface Run {
  readonly input: unknown
  readonly whole: Whole
  readonly options: PinOptions
}

async function runPinned(writer: AgentTool, { input, whole, options }: Run): Promise<ToolResult> {
  const part = (given: unknown): Promise<ToolResult> => callPart(whole, { label: LABEL, tool: writer, input: given, isUnique: true })
  const request = await parsed(writer, input)
  if (request === undefined || !isAsked(options, request)) return part(input)
  const found = await whole.decide('state', () => rehearsed(options, request, whole.signal))
  if ('refusal' in found) throw new ToolError(found.refusal.message, { ...found.refusal, outcome: 'not_started' })
  return part({ ...request, ifHash: found.ifHash })
}

/** Undefined where the input is not valid: the writer says so itself. */
async function parsed(writer: AgentTool, input: unknown): Promise<WriteRequest | undefined> {
  try {
    return (await behaviourOf(writer).input.accept(input, writer.name)) as WriteRequest
  } catch {
    return undefined
  }
}

/** A predicate that throws fails the writer; until then it counts as a yes. */
function isAsked({ needsApproval }: PinOptions, request: WriteRequest): boolean {
  try {
    return needsApproval(request)
  } catch {
    return true
  }
}

/** A refusal is data too, so that a replay refuses as the run did. */
async function rehearsed({ rehearse }: PinOptions, request: WriteRequest, signal: AbortSignal): Promise<Rehearsed> {
  try {
    return { ifHash: await rehearse(request, signal) }
  } catch (error) {
    if (!isToolError(error)) throw error
    const { code, class: errorClass, message, hint } = error
    return { refusal: { code, class: errorClass, message, hint } }
  }
}
