import { once } from 'node:events'
import type { Store } from '../../src/store/store.ts'
import { STOP_POINTS, type StopPoint } from '../../src/run/stop-point.ts'
import { startChild } from './child.ts'
import { finishRun } from './finish-run.ts'
import { copyTemplate, dropDatabase, makeTemplate } from './pair-database.ts'
import { planOf } from './plan-of.ts'
import { openScene, type Scene } from './scene.ts'
import type { Shape, ShapeInput } from './shape.ts'
import { shapesOf } from './shapes.ts'
import { shapeVerdict } from './shape-verdict.ts'

/** A process that is to die at a point, for the given time that it passes it. */
export interface StopCase {
  readonly shape: string
  readonly point: StopPoint
  readonly time: number
}

/** How often a run of each shape passes each point. */
export type Passes = ReadonlyMap<string, ReadonlyMap<StopPoint, number>>

/** One database server and one ledger for all cases. */
export class StopPoints {
  readonly #scene: Scene
  readonly #store: Store
  readonly #shapes: readonly Shape[]
  #cases = 0

  private constructor(scene: Scene) {
    this.#scene = scene
    this.#store = scene.store
    this.#shapes = shapesOf(scene.ledger)
  }

  static async open(): Promise<StopPoints> {
    const scene = await openScene()
    await makeTemplate(scene.store)
    return new StopPoints(scene)
  }

  get shapes(): readonly Shape[] {
    return this.#shapes
  }

  /** Lets a run of the shape come to its end without a stop, and counts. */
  async countPasses(shape: Shape): Promise<ReadonlyMap<StopPoint, number>> {
    const passes = new Map<StopPoint, number>()
    const onStopPoint = (point: StopPoint): void => void passes.set(point, (passes.get(point) ?? 0) + 1)
    const { name, connection } = await this.#database()
    await finishRun(connection, { shapes: this.#shapes, shape, input: this.#plan(shape, name, 1), onStopPoint })
    await dropDatabase(this.#store, name)
    return passes
  }

  /** What is wrong with the end of a run whose first process died there, and whether it did die. */
  async run(
    { shape: shapeName, point, time }: StopCase,
    seed: number,
  ): Promise<{ readonly died: boolean; readonly problems: readonly string[] }> {
    const shape = this.#shapes.find(({ name }) => name === shapeName) as Shape
    const { name, connection } = await this.#database()
    const input = this.#plan(shape, name, seed)
    const child = await startChild('stop-process.ts')
    const exited = once(child, 'exit')
    child.send({ connection, socket: this.#scene.socket, shape: shapeName, input, point, time })
    const [, signal] = (await exited) as [number | null, string | null]
    const finished = await finishRun(connection, { shapes: this.#shapes, shape, input })
    const { records } = await this.#scene.ledger.report()
    const end = { ...finished, records: records.filter(({ run }) => run === name) }
    const problems = Object.values(shapeVerdict({ shape, input }, end)).flat()
    if (problems.length === 0) await dropDatabase(this.#store, name)
    return { died: signal === 'SIGKILL', problems }
  }

  async close(): Promise<void> {
    await this.#scene.close()
  }

  async #database(): Promise<{ readonly name: string; readonly connection: Store['connection'] }> {
    const name = `pair_${++this.#cases}`
    return { name, connection: await copyTemplate(this.#store, name) }
  }

  /** Whatever can be parked is; sagas fail where they have most to undo. */
  #plan(shape: Shape, run: string, seed: number): ShapeInput {
    const plan = planOf(shape, run, seed)
    const isSaga = shape.failures?.some(({ modes }) => modes.includes('lost')) ?? false
    const failAt = isSaga ? (shape.failures?.at(-1)?.at ?? '') : ''
    return {
      ...plan,
      failAt,
      mode: isSaga ? 'refused' : 'ok',
      undoMode: 'ok',
      decision: plan.decision === 'reject' ? 'edit' : plan.decision,
    }
  }
}

/** Every point that a shape passes, the first time and a later one. */
export function casesOf(passes: Passes, random: () => number): readonly StopCase[] {
  return STOP_POINTS.flatMap((point) =>
    [...passes].flatMap(([shape, counts]) => {
      const count = counts.get(point) ?? 0
      const later = 2 + Math.floor(random() * (count - 1))
      const times = count === 0 ? [] : count === 1 ? [1] : [1, later]
      return times.map((time) => ({ shape, point, time }))
    }),
  )
}
