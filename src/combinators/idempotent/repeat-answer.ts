import type { AgentTool } from '../../tool/agent-tool.ts'
import type { Call } from '../../tool/engine/call.ts'
import type { JsonData } from '../../tool/journal/codec.ts'
import type { SettledResult, SettledSuccess } from '../../tool/result/settled.ts'
import { keptAnswer } from './kept-answer.ts'
import { keyConflict } from './refusals.ts'

export interface Repetition {
  /** Passes the door in place of the tool: permissions and policy are those of whoever asks now. */
  readonly doorkeeper: AgentTool
  readonly given: WeakMap<Call, SettledSuccess>
  readonly input: unknown
  readonly data: JsonData
}

/** Gives an answer again to whoever may call the tool. Who approved the call that ran is not asked again: nothing is done. */
export async function repeatAnswer(call: Call, { doorkeeper, given, input, data }: Repetition): Promise<SettledResult> {
  const answer = keptAnswer(data)
  given.set(call, answer)
  const admitted = await call.root.callPart(call, { label: 'repeated', tool: doorkeeper, input, isUnique: true })
  return admitted.ok ? answer : admitted
}

/** What the doorkeeper does once the door has let the call in. A reviewer who was asked by policy and edits asks for something else. */
export function answerAtDoor(given: Repetition['given'], call: Call): SettledSuccess {
  const answer = call.parent === undefined ? undefined : given.get(call.parent)
  if (answer === undefined || call.generation > 0) throw keyConflict(call.tool)
  return answer
}
