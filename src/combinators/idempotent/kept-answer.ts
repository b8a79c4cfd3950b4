import { ToolError } from '../../tool/errors/tool-error.ts'
import type { JsonData } from '../../tool/journal/codec.ts'
import { withIssue } from '../../tool/result/amendments.ts'
import { decodeResult, encodeResult } from '../../tool/result/result-codec.ts'
import type { SettledSuccess } from '../../tool/result/settled.ts'

/** As data; what data cannot hold is a failure, and the tool has run by then. */
export function toData(result: SettledSuccess, tool: string): JsonData {
  try {
    return encodeResult(result)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new ToolError(`Tool '${tool}' has run, but its answer cannot be kept under its key: ${why}`, {
      code: 'not_serializable',
      outcome: 'unknown',
      cause,
    })
  }
}

/** The answer of the call that ran, as if it were given now. Its provenance is of that call. */
export function keptAnswer(data: JsonData): SettledSuccess {
  const result = decodeResult(data, 'under the key') as SettledSuccess
  const message = `Repeated: the answer of the call with the same key that ended at ${new Date(result.provenance.timestamp).toISOString()}. Nothing was done again.`
  return withIssue(result, { severity: 'info', message })
}
