import { type AgentTool, callTogether, compound, failure } from 'toolwright'

/** Calls two tools with the same input and takes the answer that comes first. The other call is cancelled. */
export function fastest<O>(near: AgentTool<string, O>, far: AgentTool<string, O>): AgentTool<string, O> {
  return compound({
    name: `fastest_of_${near.name}_and_${far.name}`,
    description: `Takes the first answer of: ${near.description} ${far.description}`,
    kind: 'fastest',
    parts: { near, far },
    async run(input, context, parts) {
      const calls = { near: { tool: parts.near, input }, far: { tool: parts.far, input } }
      const { results } = await callTogether(context, calls, { until: (latest) => latest.ok })
      return Object.values(results).find(({ ok }) => ok) ?? results.near ?? failure('Neither answered.')
    },
  })
}
