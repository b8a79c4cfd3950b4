import type { AgentTool } from '../tool/agent-tool.ts'
import { type Behaviour, behaviourOf } from '../tool/behaviour.ts'
import type { PlanNode, PlanPart } from '../tool/plan-node.ts'

/** A tool of a plan. A tool in several places is surveyed once, at the first of them. */
export interface Place {
  readonly tool: AgentTool
  readonly plan: PlanNode
  readonly behaviour: Behaviour
  /** Labels from the root down, those of layers too: the path that events and journals give its calls. */
  readonly path: string
  readonly parts: readonly PlacedPart[]
}

export interface PlacedPart {
  readonly part: PlanPart
  /** Undefined for a tool that is a part of itself. */
  readonly place: Place | undefined
}

interface Cycle {
  readonly path: string
  readonly tool: AgentTool
}

export interface Survey {
  readonly root: Place
  /** From the root down, in the order of the plan. */
  readonly places: readonly Place[]
  /** The parts before the whole. */
  readonly upwards: readonly Place[]
  readonly cycles: readonly Cycle[]
}

class OpenPlace implements Place {
  readonly tool: AgentTool
  readonly plan: PlanNode
  readonly behaviour: Behaviour
  readonly path: string
  readonly parts: PlacedPart[] = []
  isOpen = true

  constructor(tool: AgentTool, path?: string) {
    this.behaviour = behaviourOf(tool)
    this.tool = tool
    this.plan = tool.plan()
    this.path = path ?? tool.name
  }
}

/** The tool inside the layers; without layers, the tool itself. */
export function coreOf(place: Place): Place {
  let core = place
  while (core.plan.layer && core.parts[0]?.place !== undefined) core = core.parts[0].place
  return core
}

/** The path of a part. */
export function partPath(place: Place, part: PlanPart, path: string = place.path): string {
  return `${path}/${part.label}`
}

/** Visits every tool of a plan once: the time grows with the tools and edges, however often they are shared and however deep they lie. */
export function survey(root: AgentTool): Survey {
  const known = new Map<AgentTool, OpenPlace>()
  const upwards: Place[] = []
  const cycles: Cycle[] = []
  const begin = (tool: AgentTool, path?: string): OpenPlace => {
    const place = new OpenPlace(tool, path)
    known.set(tool, place)
    return place
  }
  const first = begin(root)
  const way = [first]
  for (let place = way.at(-1); place !== undefined; place = way.at(-1)) {
    const part = place.plan.parts[place.parts.length]
    if (part === undefined) {
      place.isOpen = false
      upwards.push(place)
      way.pop()
      continue
    }
    const path = partPath(place, part)
    const there = known.get(part.tool)
    if (there === undefined) way.push(begin(part.tool, path))
    else if (there.isOpen) {
      cycles.push({ path, tool: part.tool })
      place.parts.push({ part, place: undefined })
    } else place.parts.push({ part, place: there })
  }
  return { root: first, places: [...known.values()], upwards, cycles }
}
