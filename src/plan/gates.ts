import type { AgentTool } from '../tool/agent-tool.ts'
import type { Logger } from '../tool/ports/logger.ts'
import type { PlanNode } from '../tool/plan-node.ts'
import { warn } from '../tool/warn.ts'
import { type ApprovalWay, obstacleOn } from './approval-way.ts'

/** Whether a plan shows that a person must or may approve a call somewhere inside. */
function hasGate(tool: AgentTool): boolean {
  return reaches(tool, ({ gated }) => gated === true)
}

/** Whether a plan shows that a person may be asked somewhere inside: at a gate, or by a tool with the tag `human`. */
export function mayAsk(tool: AgentTool): boolean {
  return reaches(tool, ({ gated }, { tags }) => gated === true || tags.includes('human'))
}

function reaches(tool: AgentTool, asks: (plan: PlanNode, each: AgentTool) => boolean): boolean {
  for (const each of treeOf([tool])) if (asks(each.plan(), each)) return true
  return false
}

/** The tools and all tools inside, each once. */
export function* treeOf(tools: Iterable<AgentTool>): Generator<AgentTool, void> {
  const met = new Set(tools)
  // The loop also visits the tools that are added to the set on the way.
  for (const each of met) {
    yield each
    for (const part of each.plan().parts) met.add(part.tool)
  }
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

/** Warns of gates that nobody can open on the way on which approvals come here. */
export function warnOfUnreachable(tools: Iterable<AgentTool>, way: ApprovalWay, log: Logger | undefined): void {
  const lines = new Set<string>()
  for (const each of treeOf(tools)) {
    const { gated, approvals } = each.plan()
    const obstacle = gated === true ? obstacleOn(way, approvals) : undefined
    if (obstacle !== undefined) lines.add(`No approval of '${each.name}' can count: ${obstacle.why}. ${obstacle.cure}`)
  }
  for (const line of lines) warn(log, line)
}
