import { z } from 'zod'
import type { AgentTool } from '../../src/tool/agent-tool.ts'

/** All shapes take the same input: whose effects they are, and what is to happen. */
export const shapeInput = z.object({
  run: z.string(),
  /** The effect that fails, and how; none where it is empty. */
  failAt: z.string(),
  mode: z.enum(['ok', 'refused', 'unsaid', 'lost', 'flaky']),
  undoMode: z.enum(['ok', 'flaky']),
  decision: z.enum(['approve', 'edit', 'reject']),
  count: z.number(),
})

export type ShapeInput = z.output<typeof shapeInput>

/** The end of a run, told beforehand. */
export interface Expectation {
  readonly status: 'completed' | 'failed'
  /** Every effect that is done, undone or not. */
  readonly done: readonly string[]
  /** What is undone, in this order; within a group any order will do. */
  readonly undone: readonly (readonly string[])[]
}

/** Of a race nobody can tell who wins; but what stands must be what the last effect says. */
export interface RaceExpectation {
  readonly branches: readonly string[]
  readonly needed: number
  /** The last effect is this and the winners. */
  readonly last: string
}

/** A form that a run can have. */
export interface Shape {
  readonly name: string
  readonly tool: AgentTool<ShapeInput, unknown>
  /** The effects that may fail, and how they may. */
  readonly failures?: readonly { readonly at: string; readonly modes: readonly ShapeInput['mode'][] }[]
  readonly isGated?: boolean
  /** Whether these effects may stand where the run was cut off: by a cancel, or because its time was up. Without it, all may but those of sagas. */
  readonly mayStand?: (standing: readonly string[]) => boolean
  readonly expected: (input: ShapeInput) => Expectation | RaceExpectation
}

/** How an effect goes under this input. */
export function modeOf({ failAt, mode }: ShapeInput, effect: string): ShapeInput['mode'] {
  return failAt === effect ? mode : 'ok'
}

/** Whether it ends in a failure that stays one. */
export function fails({ failAt, mode }: ShapeInput): boolean {
  return failAt !== '' && mode !== 'ok' && mode !== 'flaky'
}

/** What becomes of effects that come one after the other, each of which can be undone. */
export function inOrder(input: ShapeInput, effects: readonly string[]): Expectation {
  if (!fails(input)) return { status: 'completed', done: effects, undone: [] }
  const { failAt, mode } = input
  const before = effects.slice(0, effects.indexOf(failAt))
  const undone = (mode === 'refused' ? before : [...before, failAt]).toReversed()
  return { status: 'failed', done: mode === 'unsaid' ? [...before, failAt] : before, undone: undone.map((effect) => [effect]) }
}
