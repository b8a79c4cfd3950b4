import { showProgram } from '../programs/table.ts'
import type { AgentTool } from '../../src/tool/agent-tool.ts'
import { planOf } from './plan-of.ts'
import { programVerdict } from './program-verdict.ts'
import type { RunEnd, Verdict } from './run-end.ts'
import { pick, seeded } from './seeded.ts'
import type { Shape } from './shape.ts'
import { shapeVerdict } from './shape-verdict.ts'
import type { ToolShelf } from './tool-shelf.ts'

/** A run that is to be started, and what is to happen to it. */
export interface RunPlan {
  /** Its key, and the name under which the ledger knows it. */
  readonly name: string
  /** What it is, for whoever reads of it. */
  readonly about: string
  readonly tool: AgentTool
  readonly input: unknown
  readonly judge: (end: RunEnd) => Verdict
  /** So many callers start it at the same time. */
  readonly callers: number
  /** Somebody cancels it so much later. */
  readonly cancelAfterMs?: number | undefined
  readonly deadlineMs?: number | undefined
  readonly startInMs?: number | undefined
}

/** What the shares of runs are. */
export interface RunMix {
  /** Of generated programs; the rest are of the shapes. */
  readonly programs: number
  readonly cancelled: number
  readonly deadlines: number
  readonly startedLater: number
}

export interface RunPlanOptions {
  readonly shelf: ToolShelf
  readonly seed: number
  readonly mix: RunMix
}

const AN_HOUR_MS = 3_600_000

/** What the run with this number is, as a pure function of the seed. */
export function runPlan(number: number, { shelf, seed, mix }: RunPlanOptions): RunPlan {
  const random = seeded(seed + number * 104_729)
  const name = `run-${number}`
  const subject = random() < mix.programs ? programSubject(shelf, number) : shapeSubject(shelf, { name, seed: seed + number * 7919 })
  const isCancelled = random() < mix.cancelled
  const isLater = random() < mix.startedLater
  return {
    name,
    ...subject,
    callers: number % 7 === 0 ? 2 : 1,
    cancelAfterMs: isCancelled ? (pick(random, [30, 600, 8000]) ?? 0) * random() : undefined,
    deadlineMs: random() < mix.deadlines ? 20 + (pick(random, [100, 1000, 6000]) ?? 0) * random() : undefined,
    // Nobody waits for an hour: such a run is cancelled, and has to end all the same.
    startInMs: isLater ? (isCancelled && random() < 0.5 ? AN_HOUR_MS : 6000 * random()) : undefined,
  }
}

type Subject = Pick<RunPlan, 'about' | 'tool' | 'input' | 'judge'>

function programSubject(shelf: ToolShelf, number: number): Subject {
  const { program, tool, undoable } = shelf.program(number)
  return { about: showProgram(program), tool: tool as AgentTool, input: 'x', judge: (end) => programVerdict(end, undoable) }
}

function shapeSubject({ shapes }: ToolShelf, { name, seed }: { readonly name: string; readonly seed: number }): Subject {
  const shape = shapes[seed % shapes.length] as Shape
  const input = planOf(shape, name, seed)
  return {
    about: `${shape.name} ${JSON.stringify(input)}`,
    tool: shape.tool as AgentTool,
    input,
    judge: (end) => shapeVerdict({ shape, input }, end),
  }
}
