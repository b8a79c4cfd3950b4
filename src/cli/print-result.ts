import type { Trace } from '../telemetry/trace.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import { printable } from '../tool/printable.ts'
import { failureData, failureMessage } from '../tool/result/failure-details.ts'
import type { ContentPart, ToolFailure, ToolResult } from '../tool/result/result.ts'
import { onTerminal, type Output, plainData, told } from './output.ts'

interface PrintOptions {
  readonly output: Output
  /** Printed with the JSON. */
  readonly trace?: Trace | undefined
  /** The id of the durable run, printed with the JSON. */
  readonly run?: string | undefined
}

/** Prints the result of a call: the value to standard output, issues and errors to standard error. */
export function printResult(tool: AgentTool, result: ToolResult, { output, trace, run }: PrintOptions): void {
  if (output.json)
    output.printJson({ ...resultJson(tool, result), ...(run === undefined ? {} : { run }), ...(trace === undefined ? {} : { trace }) })
  else if (result.ok && result.text !== '') output.printData(process.stdout.isTTY ? onTerminal(result.text) : result.text)
  for (const { severity, message } of result.issues ?? [])
    output.note(`${output.paintNote('yellow', `${severity}:`)} ${printable(message)}`)
  if (result.ok) {
    for (const part of result.content ?? []) if (part.type !== 'text') output.note(`There is also ${partText(part)}; --json shows it.`)
  } else output.note(failureText(tool, result, output))
}

function failureText(tool: AgentTool, { error }: ToolFailure, output: Output): string {
  const { code, hint, outcome } = error
  const effect = outcome === 'unknown' && tool.effect !== 'read' ? '\nIt is not known whether it took effect.' : ''
  // Where nobody could be asked, the reason says what to do. The hint is for a model, which cannot. A tool may have written it.
  const advice = hint === '' || code === 'reviewer_unreachable' ? '' : told(`\n${hint}`)
  return `${output.paintNote('red', 'error:')} ${told(failureMessage(error))} ${output.paintNote('dim', `(${printable(code)})`)}${advice}${effect}`
}

function partText(part: Exclude<ContentPart, { readonly type: 'text' }>): string {
  return printable(part.type === 'resource' ? `the resource ${part.uri}` : `${part.type} content (${part.mimeType})`)
}

/** A result as plain data. A step has its outcome and its text, and not its value. */
function resultJson({ name, version }: AgentTool, result: ToolResult): Readonly<Record<string, unknown>> {
  const { steps, issues, attempts, level, compensation, validation, usage, provenance } = result
  const shared = {
    steps: steps?.map((step) => ({ label: step.label, path: step.path, tool: step.tool, ok: step.result.ok, text: step.result.text })),
    issues,
    attempts: plainData(attempts),
    level,
    compensation: plainData(compensation),
    validation: plainData(validation),
    usage,
    provenance,
  }
  if (!result.ok) return { ok: false, tool: name, version, text: result.text, error: failureData(result.error), ...shared }
  const { text, value, content, confidence } = result
  return { ok: true, tool: name, version, text, value: plainData(value) ?? null, content, confidence, ...shared }
}
