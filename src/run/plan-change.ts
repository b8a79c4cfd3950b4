import type { AgentTool } from '../tool/agent-tool.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'

/**
 * Whether a run that recorded these paths can go on under the plan of this tool: every path must still be there, and no step that takes
 * effect may have come before one that was done. Where a compound's own code chooses the labels, nobody can tell, and the replay itself
 * finds out.
 */
export function checkPlan(run: string, tool: AgentTool, paths: readonly string[]): void {
  const problem = problemIn(tool, { label: tool.name, below: pathsBelow(paths) })
  if (problem === undefined) return
  throw new ConfigurationError(
    'plan_changed',
    `The run '${run}' cannot go on under this version of '${tool.name}': ${problem} Let it end under the version that began it, or cancel it and begin anew.`,
  )
}

/** Labels of the steps that were recorded, as a tree. */
interface Recorded {
  readonly label: string
  readonly below: ReadonlyMap<string, Recorded>
}

function pathsBelow(paths: readonly string[]): ReadonlyMap<string, Recorded> {
  interface Growing {
    readonly label: string
    readonly below: Map<string, Growing>
  }
  const root: Growing = { label: '', below: new Map() }
  for (const path of paths) {
    let node = root
    const [, ...labels] = path.split(':')[0]?.split('/') ?? []
    for (const each of labels) {
      const label = each.replace(/[#@].*$/, '')
      const next = node.below.get(label) ?? { label, below: new Map() }
      node.below.set(label, next)
      node = next
    }
  }
  return root.below
}

function problemIn(tool: AgentTool, { label, below }: Recorded): string | undefined {
  const { kind, parts, inOrder = false } = tool.plan()
  if (kind === 'leaf' || kind === 'compound') return undefined
  const recordedOf = (partLabel: string): Recorded | undefined => below.get(partLabel) ?? itemOf(below, partLabel, kind)
  for (const recorded of below.values()) {
    if (isOwn(recorded.label) || parts.some((part) => recordedOf(part.label)?.label === recorded.label)) continue
    if (kind === 'map' || kind === 'loop') continue
    return `it did the step '${recorded.label}' in '${label}', which is no more.`
  }
  const last = parts.findLastIndex((part) => recordedOf(part.label) !== undefined)
  for (const [index, part] of parts.entries()) {
    const recorded = recordedOf(part.label)
    if (recorded === undefined) {
      if (inOrder && index < last && part.tool.effect !== 'read')
        return `it is past the place of the step '${part.label}' in '${label}', which takes effect and was not there before.`
      continue
    }
    const problem = problemIn(part.tool, recorded)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** Decisions of a combinator stand under labels of its own. */
function isOwn(label: string): boolean {
  return label.startsWith('.') || label.startsWith('undo.') || label === 'sleep'
}

/** The items of a map stand under their numbers. */
function itemOf(below: ReadonlyMap<string, Recorded>, _label: string, kind: string): Recorded | undefined {
  if (kind !== 'map') return undefined
  return [...below.values()].find(({ label }) => /^\d+$/.test(label))
}
