import { isRecord } from '../schema/json-schema.ts'
import { excerpt } from '../schema/quote.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import type { ToolContext } from '../tool/context.ts'
import type { ToolSuccess } from '../tool/result/result.ts'
import { failure, type ReturnedFailure, type ReturnedSuccess, success } from '../tool/result/returned.ts'
import type { RunStatusInput, RunStatusOutput } from './run-status.ts'
import { statusesFor } from './upstream-status.ts'

interface AskedRun {
  readonly id: string
  readonly wait: number
  readonly context: ToolContext
}

/**
 * The answer of another server about a run; undefined where none knows it. An answer counts only if every other server that is asked says that it does
 * not know the run: one that cannot be asked may be its server. Where several claim a run, one of them is wrong: none is believed.
 */
export async function askedUpstream(
  upstream: readonly AgentTool[],
  { id, wait, context }: AskedRun,
): Promise<ReturnedSuccess<RunStatusOutput> | ReturnedFailure | undefined> {
  const { statuses, isNamed } = statusesFor(id, upstream)
  const answers: ReturnedSuccess<RunStatusOutput>[] = []
  let failed: ReturnedFailure | undefined
  for (const [at, each] of statuses.entries()) {
    const answer = await context.call(`upstream-${at + 1}`, each as AgentTool<RunStatusInput, RunStatusOutput>, { run: id, wait })
    if (answer.ok) answers.push(isNamed ? success(answer.value, { text: answer.text, content: answer.content }) : saidBy(each, answer))
    else if (answer.error.code !== 'not_found') failed ??= failure(answer.error)
  }
  if (answers.length < 2) return failed ?? answers[0]
  return failure(`Several servers say that run '${excerpt(id, 64)}' is theirs, and it is not known which of them is right.`, {
    code: 'conflict',
    hint: 'Say that a person must look at the run, at the server that the receipt named.',
  })
}

/** The answer of a server that has not named the run here, as its word: the run may be one of a server that is not among those that are asked. */
function saidBy({ source }: AgentTool, { value, text, content }: ToolSuccess<RunStatusOutput>): ReturnedSuccess<RunStatusOutput> {
  const server = source?.replace(/^mcp:/, '')
  if (server === undefined) return success(value, { text, content })
  const said = `MCP server '${server}' says: ${text}`
  // Some peers show the value, and not the text. One that is no status must not pass for the word of this program either.
  if (!isRecord(value)) return success(said as never, { text: said, content })
  const behind = typeof value['server'] === 'string' ? ` > ${value['server']}` : ''
  return success({ ...(value as RunStatusOutput), server: `${server}${behind}` }, { text: said, content })
}
