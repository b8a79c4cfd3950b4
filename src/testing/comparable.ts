import { failureData } from '../tool/result/failure-details.ts'
import type { ToolResult } from '../tool/result/result.ts'

/** A result without what differs from run to run (ids, times, causes), so that two runs can be compared. */
export function comparable(result: ToolResult): unknown {
  const { issues, attempts, level, compensation, usage } = result
  const steps = result.steps?.map(({ label, path, tool, result: inner }) => ({ label, path, tool, result: comparable(inner) }))
  const details = { tool: result.provenance.tool, text: result.text, steps, issues, attempts, level, compensation, usage }
  if (result.ok) return { ok: true, value: result.value, content: result.content, confidence: result.confidence, ...details }
  return { ok: false, error: failureData(result.error), ...details }
}
