import { ConfigurationError, isConfigurationError } from '../../tool/errors/configuration-error.ts'
import { ToolExecutionError } from '../../tool/errors/tool-execution-error.ts'
import type { ToolSuccess } from '../../tool/result/result.ts'
import { spokenError } from './spoken-error.ts'
import type { RunEnd } from './tool-run.ts'

/** The success that a run came to. A failure is thrown: the SDK hands its message to the model. */
export function concluded(end: RunEnd): ToolSuccess {
  if ('thrown' in end) throw explained(end.thrown)
  const { result } = end
  if (result.ok) return result
  throw spokenError(new ToolExecutionError(`${result.error.message} ${result.error.hint}`, result, result.error.cause))
}

function explained(thrown: unknown): unknown {
  if (!isConfigurationError(thrown) || thrown.code !== 'missing_review_handler') return thrown
  return new ConfigurationError(
    thrown.code,
    `${thrown.message} Pass the toolApproval of toAiSdk to generateText or streamText, or give toAiSdk a review handler.`,
    { cause: thrown },
  )
}
