import type { Call } from '../../tool/engine/call.ts'
import type { PartCall } from '../../tool/engine/root-call.ts'
import { classifyError } from '../../tool/errors/classify-error.ts'
import { failureDetails } from '../../tool/result/failure-details.ts'
import { SettledFailure } from '../../tool/result/settled.ts'
import type { ToolResult } from '../../tool/result/result.ts'

/** A part that has ended, in whatever way. */
export interface PartEnd {
  /** Undefined where it could not even begin. */
  readonly call: Call | undefined
  readonly result: ToolResult
  /** What is fatal passes when the saga has undone what it did. */
  readonly fatal: { readonly thrown: unknown } | undefined
}

/** Calls a part of the saga, and does not let what is fatal pass yet. */
export async function callApart(saga: Call, part: PartCall): Promise<PartEnd> {
  const before = saga.children?.length ?? 0
  const pending = saga.root.callPart(saga, { ...part, isUnique: true })
  const call = saga.children?.[before]
  try {
    return { call, result: await pending, fatal: undefined }
  } catch (thrown) {
    const outcome = call?.fatalOutcome ?? 'not_started'
    const error = { ...failureDetails(classifyError(thrown)), outcome }
    return { call, result: new SettledFailure(call ?? saga, error, true), fatal: { thrown } }
  }
}
