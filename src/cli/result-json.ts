import type { AgentTool } from '../tool/agent-tool.ts'
import { failureData } from '../tool/result/failure-details.ts'
import type { ToolResult } from '../tool/result/result.ts'
import { plainData } from './plain-data.ts'

/** A result as plain data. The steps say how each part ended; what each of them gave is in the result that they led to. */
export function resultJson({ name, version }: AgentTool, result: ToolResult): Readonly<Record<string, unknown>> {
  const { steps, issues, attempts, level, compensation, usage, provenance } = result
  const shared = {
    steps: steps?.map((step) => ({ label: step.label, path: step.path, tool: step.tool, ok: step.result.ok, text: step.result.text })),
    issues,
    attempts: plainData(attempts),
    level,
    compensation: plainData(compensation),
    usage,
    provenance,
  }
  if (!result.ok) return { ok: false, tool: name, version, text: result.text, error: failureData(result.error), ...shared }
  const { text, value, content, confidence } = result
  return { ok: true, tool: name, version, text, value: plainData(value) ?? null, content, confidence, ...shared }
}
