import { pick, seeded } from './seeded.ts'
import type { Shape, ShapeInput } from './shape.ts'

/** What a run is to do, as a pure function of its seed. */
export function planOf(shape: Shape, run: string, seed: number): ShapeInput {
  const random = seeded(seed)
  const isToFail = random() < 0.5 && shape.failures !== undefined
  const failure = isToFail ? pick(random, shape.failures ?? []) : undefined
  const mode = pick(random, failure?.modes ?? []) ?? 'ok'
  return {
    run,
    failAt: failure?.at ?? '',
    mode,
    undoMode: random() < 0.2 ? 'flaky' : 'ok',
    decision: shape.isGated === true ? (pick(random, ['approve', 'edit', 'reject'] as const) ?? 'approve') : 'approve',
    count: 2 + Math.floor(random() * 4),
  }
}
