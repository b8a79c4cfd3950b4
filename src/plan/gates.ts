import type { AgentTool } from '../tool/agent-tool.ts'
import type { Logger } from '../tool/ports/logger.ts'
import { warn } from '../tool/warn.ts'

/** Whether a plan shows that a person must or may approve a call somewhere inside. */
function hasGate(tool: AgentTool): boolean {
  return reaches(tool, ({ gated }) => gated === true)
}

/** Whether a plan shows that a person may be asked somewhere inside: at a gate, or by a tool with the tag `human`. */
export function mayAsk(tool: AgentTool): boolean {
  return reaches(tool, ({ gated }, { tags }) => gated === true || tags.includes('human'))
}

function reaches(tool: AgentTool, asks: (plan: ReturnType<AgentTool['plan']>, each: AgentTool) => boolean): boolean {
  const met = new Set([tool])
  // The loop also visits the tools that are added to the set on the way, each once.
  for (const each of met) {
    const plan = each.plan()
    if (asks(plan, each)) return true
    for (const part of plan.parts) met.add(part.tool)
  }
  return false
}

interface MissingWay {
  readonly log: Logger | undefined
  /** Who has no way to ask: `createRuntime`. */
  readonly who: string
  /** What to do about it. */
  readonly advice: string
}

/** Warns of tools whose gates can fire where nobody can be asked: their calls would fail when it is too late to mend it. */
export function warnOfGates(tools: Iterable<AgentTool>, { log, who, advice }: MissingWay): void {
  const names = [...new Set(Array.from(tools).flatMap((each) => (hasGate(each) ? [`'${each.name}'`] : [])))]
  if (names.length === 0) return
  const several = names.length > 1
  warn(log, `${names.join(', ')} ${several ? 'ask' : 'asks'} for approval, and ${who} has no way to ask a person: ${advice}`)
}
