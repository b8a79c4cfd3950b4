import { describeIssues } from '../../schema/describe-issues.ts'
import { isRecord } from '../../schema/json-schema.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { behaviourOf } from '../../tool/behaviour.ts'
import { reasonOf } from '../../tool/errors/message-of.ts'
import type { ReviewRequest } from '../../tool/review.ts'
import type { RunsContext } from '../runs-context.ts'

/**
 * Why the tool itself would refuse the result that a person gives for one of its steps, or undefined. The JSON Schema of the request cannot say
 * every rule of an output. A process without the tool knows no more than the schema: then the step is judged when the run goes on.
 */
export async function outcomeIssues(context: RunsContext, { about, tool }: ReviewRequest, word: unknown): Promise<string | undefined> {
  if (about !== 'outcome' || !isRecord(word) || word['happened'] !== true) return undefined
  const leaf = findLeaf((await context.tools()).values(), tool)
  const contract = leaf === undefined ? undefined : behaviourOf(leaf).output
  if (contract === undefined) return undefined
  try {
    const { issues } = await contract.validate(word['value'])
    return issues === undefined ? undefined : describeIssues(issues, word['value'])
  } catch (error) {
    return reasonOf(error)
  }
}

/** A name may stand for layers too; the output is that of the tool in them. */
function findLeaf(tools: Iterable<AgentTool>, name: string): AgentTool | undefined {
  const seen = new Set(tools)
  // Tools that are added meanwhile are visited too.
  for (const each of seen) {
    if (each.name === name && behaviourOf(each).leaf) return each
    for (const part of each.plan().parts) seen.add(part.tool)
  }
  return undefined
}
