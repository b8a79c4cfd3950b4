import { type AgentTool, callTogether, compound, type Duration, failure } from 'toolwright'

/** Calls a tool, and once more when it has not answered after a while. The answer that comes first counts. */
export function hedge<O>(tool: AgentTool<string, O>, after: Duration): AgentTool<string, O> {
  const later = compound({
    name: `later_${tool.name}`,
    description: tool.description,
    parts: { tool },
    async run(input, context, parts) {
      await context.sleep(after)
      return context.call('again', parts.tool, input)
    },
  })
  return compound({
    name: `hedge_${tool.name}`,
    description: tool.description,
    kind: 'hedge',
    parts: { tool, later },
    async run(input, context, parts) {
      const calls = { now: { tool: parts.tool, input }, later: { tool: parts.later, input } }
      const { results } = await callTogether(context, calls, { until: (latest) => latest.ok })
      return Object.values(results).find(({ ok }) => ok) ?? results.now ?? failure('Nobody answered.')
    },
  })
}
