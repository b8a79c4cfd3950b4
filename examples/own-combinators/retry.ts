import { type AgentTool, backoff, callWithRetry, compound } from 'toolwright'

/** Calls a tool again while that may help, at most so many times. */
export function retry<O>(tool: AgentTool<string, O>, attempts: number): AgentTool<string, O> {
  return compound({
    name: `retry_${tool.name}`,
    description: tool.description,
    kind: 'retry',
    parts: { tool },
    run: (input, context, parts) =>
      callWithRetry(context, { label: 'try', tool: parts.tool, input, backoff: backoff({ attempts, base: '100ms' }) }),
  })
}
