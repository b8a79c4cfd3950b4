import { afterAll, beforeAll, expect, test } from 'vitest'
import { STOP_POINTS } from '../../src/run/stop-point.ts'
import { seeded } from './seeded.ts'
import { casesOf, type Passes, type StopCase, StopPoints } from './stop-points.ts'
import { isFull } from '../fixtures/is-full.ts'

const A_DAY_MS = 24 * 60 * 60 * 1000
/** Another twelfth of the cases every day; all of them in the full suite. */
const seed = Number(process.env['TORTURE_SEED'] ?? Math.floor(Date.now() / A_DAY_MS))
const AT_ONCE = 3

let points: StopPoints
let passes: Passes
let cases: readonly StopCase[]

beforeAll(async () => {
  points = await StopPoints.open()
  passes = new Map(await Promise.all(points.shapes.map(async (shape) => [shape.name, await points.countPasses(shape)] as const)))
  const all = casesOf(passes, seeded(seed))
  cases = all.filter((_, index) => isFull || (index + seed) % 12 === 0)
}, 120_000)

afterAll(() => points.close())

test('every stop-point is passed by some shape', () => {
  const passed = new Set([...passes.values()].flatMap((each) => [...each.keys()]))
  expect(STOP_POINTS.filter((point) => !passed.has(point))).toEqual([])
})

test.each(STOP_POINTS)(
  'a run whose process dies at %s comes to its end in another, whatever its shape [G5]',
  { timeout: 300_000 },
  async (point) => {
    const here = cases.filter((each) => each.point === point)
    const found: object[] = []
    const next = here.values()
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (const each of next) {
          const { died, problems } = await points.run(each, seed)
          // A later time may not come: how many writes go together differs.
          if (problems.length > 0 || (!died && each.time === 1)) found.push({ ...each, seed, died, problems })
        }
      }),
    )
    expect(found).toEqual([])
  },
)
