import type { PlanNode, PlanPart } from '../tool/plan-node.ts'
import type { ExplainedStep } from './explained-step.ts'
import { type PlanFigures, UNKNOWN_FIGURES } from './plan-figures.ts'
import { partPath, type Place, type PlacedPart } from './survey.ts'

/** Limits for the reader and for the stack. */
const DEEPEST = 50
const MOST_STEPS = 10_000

interface Tree {
  readonly figures: ReadonlyMap<Place, PlanFigures>
  steps: number
}

interface At {
  readonly path: string
  readonly depth: number
  /** Undefined for the whole. */
  readonly part: PlanPart | undefined
  /** How its label reads in the paths of runs. */
  readonly label: string
}

/** Lays a plan out as a tree. A tool in several places is shown in each of them, within the limits. */
export function explainSteps(root: Place, figures: ReadonlyMap<Place, PlanFigures>): ExplainedStep {
  return explain(root, { path: root.path, depth: 0, part: undefined, label: root.path }, { figures, steps: 0 })
}

function explain(outer: Place, at: At, tree: Tree): ExplainedStep {
  tree.steps++
  const { layers, paths, core } = unwrapped(outer, at.path)
  const { parts } = core
  const inside = { at: { ...at, path: paths.at(-1) ?? at.path }, tree }
  const hasRoom = at.depth < DEEPEST && tree.steps + parts.length <= MOST_STEPS
  const figures = { ...(tree.figures.get(outer) ?? UNKNOWN_FIGURES), calls: tree.figures.get(core)?.calls }
  return {
    ...describe(core, at, layers),
    inRuns: `${at.label}${(paths.at(-1) ?? at.path).slice(at.path.length)}`,
    paths,
    figures,
    parts: hasRoom ? parts.map((each) => explainPart(core, each, inside)) : [],
    leftOut: hasRoom || parts.length === 0 ? undefined : 'size',
  }
}

interface Around {
  readonly at: At
  readonly tree: Tree
}

function explainPart(whole: Place, { part, place }: PlacedPart, { at, tree }: Around): ExplainedStep {
  const below: At = {
    path: partPath(whole, part, at.path),
    depth: at.depth + 1,
    part,
    label: whole.plan.labels === 'index' ? '<n>' : part.label,
  }
  if (place !== undefined) return explain(place, below, tree)
  const again = { tool: part.tool, plan: part.tool.plan() }
  return { ...describe(again, below, []), inRuns: below.label, paths: [below.path], figures: UNKNOWN_FIGURES, parts: [], leftOut: 'cycle' }
}

interface Unwrapped {
  /** From the outermost in. */
  readonly layers: readonly PlanNode[]
  /** Of the layers, then of the tool. */
  readonly paths: readonly string[]
  readonly core: Place
}

/** The layers around a tool, and the tool. */
function unwrapped(outer: Place, path: string): Unwrapped {
  const layers: PlanNode[] = []
  const paths = [path]
  let core = outer
  for (let inside = core.parts[0]; core.plan.layer && inside?.place !== undefined; inside = core.parts[0]) {
    layers.push(core.plan)
    paths.push(partPath(core, inside.part, paths.at(-1)))
    core = inside.place
  }
  return { layers, paths, core }
}

type Description = Omit<ExplainedStep, 'inRuns' | 'paths' | 'figures' | 'parts' | 'leftOut'>

function describe({ tool, plan }: Pick<Place, 'tool' | 'plan'>, { path, part }: At, layers: readonly PlanNode[]): Description {
  return {
    label: part?.label ?? tool.name,
    path,
    tool: tool.name,
    version: tool.version,
    description: tool.description,
    kind: plan.kind,
    detail: plan.detail,
    layers: layers.map(({ kind, detail }) => (detail === undefined ? kind : `${kind}: ${detail}`)),
    effect: tool.effect,
    permissions: tool.permissions,
    gated: [plan, ...layers].some(({ gated }) => gated === true),
    conditions: [...layers, plan].flatMap(({ condition }) => condition ?? []),
    order: plan.order,
    takes: part?.takes,
    adapter: part?.adapter?.name,
    when: part?.when,
    compensation: part?.compensation,
    undoes: part?.undoes,
  }
}
