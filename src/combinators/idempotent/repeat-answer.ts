import { isRecord } from '../../schema/json-schema.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import type { JsonData } from '../../tool/journal/codec.ts'
import { withIssue } from '../../tool/result/amendments.ts'
import { decodeResult, encodeResult } from '../../tool/result/result-codec.ts'
import type { SettledResult, SettledSuccess } from '../../tool/result/settled.ts'
import { countAsInside, denialOf, type InnerCall, innerCallsData, revivedInnerCalls } from '../../tool/seam/judged-inside.ts'
import { callPart } from '../../tool/seam/parts.ts'
import { decideOnce } from '../../tool/seam/recorded.ts'
import { isEdited, type Notes } from '../../tool/seam/stand-in.ts'
import type { Whole } from '../../tool/seam/whole.ts'
import { keyConflict } from './refusals.ts'

export interface Repetition {
  /** Passes the door in place of the tool: permissions and policy of the present caller apply. */
  readonly doorkeeper: AgentTool
  readonly given: Notes<SettledSuccess>
  /** The tool whose answer it is. */
  readonly tool: AgentTool
  readonly input: unknown
  readonly data: JsonData
}

/**
 * Repeats an answer to a caller who may call the tool and to whom no call inside it is denied now. No approval is asked for calls inside,
 * because none of them runs.
 */
export async function repeatAnswer(whole: Whole, { doorkeeper, given, tool, input, data }: Repetition): Promise<SettledResult> {
  const answer = keptAnswer(data)
  given.leave(whole, answer)
  const admitted = await callPart(whole, { label: 'repeated', tool: doorkeeper, input, isUnique: true })
  if (!admitted.ok) return admitted
  const inside = revivedInnerCalls(isRecord(data) ? (data['inside'] as JsonData | undefined) : undefined, tool)
  if (inside.length > 0) await checkInside(whole, inside)
  return answer
}

/** The verdict is recorded: a resumed run gets the same answer or the same refusal. */
async function checkInside(whole: Whole, inside: readonly InnerCall[]): Promise<void> {
  const refusal = await decideOnce(whole, ':inside', async () => {
    const denial = await denialOf(whole, inside)
    return denial === undefined ? null : { code: denial.code, message: denial.message }
  })
  if (refusal !== null) throw new ToolError(refusal.message, { code: refusal.code, outcome: 'not_started' })
  countAsInside(whole, inside)
}

/** Runs after the door has admitted the call. A reviewer's edit, which a policy may cause, is another request. */
export function answerAtDoor(given: Repetition['given'], whole: Whole): SettledSuccess {
  const answer = given.around(whole)
  if (answer === undefined || isEdited(whole)) throw keyConflict(whole.tool)
  return answer
}

/** As data, with the calls inside it. If data cannot hold the result, that is a failure after the tool has run. */
export function toData(result: SettledSuccess, tool: string, inside: readonly InnerCall[]): JsonData {
  try {
    const data = encodeResult(result)
    return inside.length === 0 || !isRecord(data) ? data : { ...data, inside: innerCallsData(inside) }
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new ToolError(`Tool '${tool}' has run, but its answer cannot be kept under its key: ${why}`, {
      code: 'not_serializable',
      outcome: 'unknown',
      cause,
    })
  }
}

/** The answer of the first call, with the provenance of that call. */
function keptAnswer(data: JsonData): SettledSuccess {
  const result = decodeResult(data, 'under the key') as SettledSuccess
  const message = `Repeated: the answer of the call with the same key that ended at ${new Date(result.provenance.timestamp).toISOString()}. Nothing was done again.`
  return withIssue(result, { severity: 'info', message })
}
