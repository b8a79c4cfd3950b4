import { describeIssues } from '../../schema/describe-issues.ts'
import { isRecord } from '../../schema/json-schema.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { behaviourOf } from '../../tool/behaviour.ts'
import { reasonOf } from '../../tool/errors/message-of.ts'
import type { ReviewRequest } from '../../tool/review.ts'
import type { RunsContext } from '../runs-context.ts'

/**
 * Why the tool itself would refuse the result that a person gives for one of its steps, or undefined. The JSON Schema of the request cannot say
 * every rule of an output, and a word cannot be taken back: so a process without the tool takes none where the output has a schema.
 */
export async function outcomeIssues(context: RunsContext, request: ReviewRequest, word: unknown): Promise<string | undefined> {
  const { about, tool } = request
  if (about !== 'outcome' || !isRecord(word) || word['happened'] !== true) return undefined
  const leaf = findLeaf((await context.tools()).values(), tool)
  if (leaf === undefined && promisesOutput(request))
    return `this process does not know the tool '${tool}', and cannot check it. Settle it where the tool is known: with its configuration (--config), or in its program.`
  const contract = leaf === undefined ? undefined : behaviourOf(leaf).output
  if (contract === undefined) return undefined
  try {
    const { issues } = await contract.validate(word['value'])
    return issues === undefined ? undefined : describeIssues(issues, word['value'])
  } catch (error) {
    return reasonOf(error)
  }
}

/** The question asks for a value that fits the output of the tool. */
function promisesOutput({ answerSchema }: ReviewRequest): boolean {
  const forms: unknown = answerSchema?.['anyOf']
  return (
    Array.isArray(forms) && forms.some((form) => isRecord(form) && Array.isArray(form['required']) && form['required'].includes('value'))
  )
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
