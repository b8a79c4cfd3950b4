import type { McpToolMetadata } from '../../../runtime/mcp-server-entry.ts'
import { isStatusThere, markUpstream, type UpstreamRuns } from '../../../runtime/upstream-status.ts'
import { describeIssues } from '../../../schema/describe-issues.ts'
import type { AgentTool } from '../../../tool/agent-tool.ts'
import type { ToolContext } from '../../../tool/context.ts'
import { contractOf, jsonSchema } from '../../../tool/contract.ts'
import type { Effect, Idempotent } from '../../../tool/metadata.ts'
import { tool } from '../../../tool/tool.ts'
import { awaitedTool } from './awaited-tool.ts'
import { importedResult, unfitOutput } from './imported-result.ts'
import type { CallAgain, ReadAnswer } from './run-there.ts'
import type { McpInput } from './mcp-input.ts'
import type { McpToolDefinition } from './tool-definition.ts'
import type { UpstreamAnswer, UpstreamCall } from './upstream-call.ts'

export interface ImportSetting {
  readonly server: string
  /** The name that models write. */
  readonly name: string
  readonly metadata: McpToolMetadata | undefined
  readonly trustAnnotations: boolean
  /** The runs that the server has given receipts of. */
  readonly runs: UpstreamRuns
  /** The server tells of its runs: a durable run here waits for one there. */
  readonly awaits: boolean
  /** The server may ask people here. */
  readonly asksHere: boolean
  /** Calls the tool on the server. */
  readonly call: (call: UpstreamCall) => Promise<UpstreamAnswer>
}

/** A tool of ours that calls one of a server. Throws a ConfigurationError if a schema of the server cannot be used. */
export function importedTool(
  definition: McpToolDefinition,
  { server, name, metadata = {}, trustAnnotations, runs, awaits, asksHere, call }: ImportSetting,
): AgentTool<McpInput> {
  const { outputSchema: narrower, ...own } = metadata
  const { title, description, inputSchema, outputSchema } = definition
  const hints = trustAnnotations ? hintedEffect(definition) : UNTRUSTED
  const exact = outputSchema === undefined ? undefined : jsonSchema<unknown>(outputSchema)
  const serverContract = exact === undefined || narrower === undefined ? undefined : contractOf(exact, 'The outputSchema of the server')
  const made: AgentTool<McpInput> = tool({
    source: `mcp:${server}`,
    ...(title === undefined ? {} : { title }),
    ...hints,
    ...given(own),
    name,
    description,
    inputSchema: jsonSchema<McpInput>(inputSchema),
    outputSchema: narrower ?? exact,
    execute: async (input: McpInput, context: ToolContext) => read(await call({ definition, input, context, tool: made })),
  }) as AgentTool<McpInput>
  const read: ReadAnswer = async ({ answer, undecided }) => {
    const result = importedResult(answer, { server, effect: own.effect ?? hints.effect, undecided, hasStatus: runs.status !== undefined })
    if ('error' in result && result.error.pending !== undefined) runs.named(result.error.pending.run)
    if (serverContract === undefined || !('value' in result)) return result
    const checked = await serverContract.validate(result.value)
    if (checked.issues !== undefined) throw unfitOutput(server, describeIssues(checked.issues, result.value))
    return result
  }
  const isStatus = isStatusThere(definition.name, inputSchema)
  markUpstream(made, runs, isStatus)
  if (isStatus || !awaits) return made
  const again: CallAgain = (sent, context, decided) =>
    call({ ...sent, definition, context, tool: { effect: 'write', idempotent: true }, decided })
  return markUpstream(awaitedTool(made, { server, status: () => runs.status, asksHere, again, read }), runs, false)
}

interface Hints {
  readonly effect: Effect
  readonly idempotent: Idempotent
}

const UNTRUSTED: Hints = { effect: 'irreversible', idempotent: false }

/** The hints of a server that the user trusts. A hint that is missing says the worst. */
function hintedEffect({ annotations: { readOnlyHint, destructiveHint, idempotentHint } }: McpToolDefinition): Hints {
  if (readOnlyHint === true) return { effect: 'read', idempotent: false }
  return { effect: destructiveHint === false ? 'write' : 'irreversible', idempotent: idempotentHint === true }
}

/** An undefined option does not override. */
function given<T extends object>(options: T): Partial<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Partial<T>
}
