import type { AgentTool } from '../../tool/agent-tool.ts'
import type { JsonData } from '../../tool/journal/codec.ts'
import type { SettledResult, SettledSuccess } from '../../tool/result/settled.ts'
import { callPart } from '../../tool/seam/parts.ts'
import { isEdited, type Notes } from '../../tool/seam/stand-in.ts'
import type { Whole } from '../../tool/seam/whole.ts'
import { keptAnswer } from './kept-answer.ts'
import { keyConflict } from './refusals.ts'

export interface Repetition {
  /** Passes the door in place of the tool: permissions and policy are those of whoever asks now. */
  readonly doorkeeper: AgentTool
  readonly given: Notes<SettledSuccess>
  readonly input: unknown
  readonly data: JsonData
}

/** Gives an answer again to whoever may call the tool. Who approved the call that ran is not asked again: nothing is done. */
export async function repeatAnswer(whole: Whole, { doorkeeper, given, input, data }: Repetition): Promise<SettledResult> {
  const answer = keptAnswer(data)
  given.leave(whole, answer)
  const admitted = await callPart(whole, { label: 'repeated', tool: doorkeeper, input, isUnique: true })
  return admitted.ok ? answer : admitted
}

/** What the doorkeeper does once the door has let the call in. A reviewer who was asked by policy and edits asks for something else. */
export function answerAtDoor(given: Repetition['given'], whole: Whole): SettledSuccess {
  const answer = given.around(whole)
  if (answer === undefined || isEdited(whole)) throw keyConflict(whole.tool)
  return answer
}
