import { identityOf } from '../tool/agent-tool.ts'
import type { Estimates } from '../tool/metadata.ts'
import type { Place, PlacedPart, Survey } from './survey.ts'

/** `derived` figures follow from those of the parts. */
export type FigureSource = 'declared' | 'recorded' | 'derived' | 'unknown'

/** One figure of a step, and where it comes from. */
export interface PlanFigure {
  readonly value: number | undefined
  readonly source: FigureSource
  /** Something that counts is unknown, such as a part or how many items there are: a time or a cost is at least this, a reliability at most. */
  readonly isBound: boolean
}

/** The figures of a step: latency as median and p99, cost, and the share of calls that succeed. */
export interface PlanFigures {
  readonly latencyMs: PlanFigure
  readonly p99Ms: PlanFigure
  readonly costUsd: PlanFigure
  readonly reliability: PlanFigure
  /** How many calls the recorded figures come from. */
  readonly calls?: number | undefined
}

/** Figures of real calls of a tool; `recordFigures` collects them. */
export interface RecordedFigures extends Estimates {
  /** How many calls they come from. */
  readonly calls?: number | undefined
}

/** By `name@version`, or by name for all versions. */
export type RecordedByTool = ReadonlyMap<string, RecordedFigures> | Readonly<Record<string, RecordedFigures>>

const FIGURES = ['latencyMs', 'p99Ms', 'costUsd', 'reliability'] as const
type FigureName = (typeof FIGURES)[number]

/** The extreme value of an unknown figure. Where this would change a sum, the sum is a bound. */
const WORST = { latencyMs: Number.MAX_SAFE_INTEGER, p99Ms: Number.MAX_SAFE_INTEGER, costUsd: Number.MAX_SAFE_INTEGER, reliability: 0 }

const UNKNOWN: PlanFigure = { value: undefined, source: 'unknown', isBound: false }
/** The figures of a tool without estimates. */
export const UNKNOWN_FIGURES: PlanFigures = { latencyMs: UNKNOWN, p99Ms: UNKNOWN, costUsd: UNKNOWN, reliability: UNKNOWN }

/** The figures of every tool of a plan. Recorded figures override declared ones, and those override derived ones. */
export function planFigures({ upwards }: Survey, recorded?: RecordedByTool): ReadonlyMap<Place, PlanFigures> {
  const known = new Map<Place, PlanFigures>()
  for (const place of upwards) {
    const parts = place.parts.map((each) => figuresAt(each, known))
    known.set(place, figuresOf(place, parts, recordedFor(place, recorded)))
  }
  return known
}

/** A tool that is a part of itself has no figures. */
function figuresAt({ place }: PlacedPart, known: ReadonlyMap<Place, PlanFigures>): PlanFigures {
  return (place === undefined ? undefined : known.get(place)) ?? UNKNOWN_FIGURES
}

function figuresOf(place: Place, parts: readonly PlanFigures[], recorded: RecordedFigures | undefined): PlanFigures {
  const derived = derivedFigures(place, parts)
  const declared = declaredFigures(place)
  const choose = (name: FigureName): PlanFigure => {
    const real = recorded?.[name]
    if (real !== undefined) return { value: real, source: 'recorded', isBound: false }
    const said = declared[name]
    return said === undefined ? derived[name] : { value: said, source: 'declared', isBound: false }
  }
  return {
    latencyMs: choose('latencyMs'),
    p99Ms: choose('p99Ms'),
    costUsd: choose('costUsd'),
    reliability: choose('reliability'),
    calls: recorded?.calls,
  }
}

/** A layer is counted under the name of the tool inside: the recorded figures are those of the tool. */
function recordedFor({ tool, plan }: Place, recorded: RecordedByTool | undefined): RecordedFigures | undefined {
  if (recorded === undefined || plan.layer) return undefined
  return lookUp(recorded, identityOf(tool)) ?? lookUp(recorded, tool.name)
}

function lookUp(recorded: RecordedByTool, key: string): RecordedFigures | undefined {
  if (recorded instanceof Map) return (recorded as ReadonlyMap<string, RecordedFigures>).get(key)
  return (recorded as Readonly<Record<string, RecordedFigures>>)[key]
}

/** The figures that a definition declares. The estimates of a compound also hold derived figures, which do not count as declared. */
function declaredFigures({ tool, plan, parts }: Place): Estimates {
  if (parts.length === 0) return tool.estimates
  if (plan.layer) return {}
  const follows = plan.figures(parts.map(({ part }) => part.tool.estimates))
  return Object.fromEntries(FIGURES.filter((name) => tool.estimates[name] !== follows[name]).map((name) => [name, tool.estimates[name]]))
}

function derivedFigures({ plan }: Place, parts: readonly PlanFigures[]): PlanFigures {
  if (parts.length === 0) return UNKNOWN_FIGURES
  const value = plan.figures(parts.map((part) => estimatesOf(part, (figure) => figure.value)))
  const isDoubtful = parts.some((part) => FIGURES.some((name) => isOpen(part[name])))
  const worst = isDoubtful ? plan.figures(parts.map((part) => estimatesOf(part, worstCase))) : value
  const derive = (name: FigureName): PlanFigure => {
    if (value[name] === undefined) return UNKNOWN
    const same = plan.layer ? parts[0]?.[name] : undefined
    return same?.value === value[name] && (same.isBound || worst[name] === value[name])
      ? same
      : { value: value[name], source: 'derived', isBound: plan.atLeast === true || worst[name] !== value[name] }
  }
  return { latencyMs: derive('latencyMs'), p99Ms: derive('p99Ms'), costUsd: derive('costUsd'), reliability: derive('reliability') }
}

function isOpen({ value, isBound }: PlanFigure): boolean {
  return value === undefined || isBound
}

function worstCase(figure: PlanFigure, name: FigureName): number | undefined {
  return isOpen(figure) ? WORST[name] : figure.value
}

/** The figures as tools state them. */
function estimatesOf(figures: PlanFigures, read: (figure: PlanFigure, name: FigureName) => number | undefined): Estimates {
  return Object.fromEntries(FIGURES.map((name) => [name, read(figures[name], name)]))
}
