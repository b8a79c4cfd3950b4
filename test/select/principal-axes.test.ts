import { expect, test } from 'vitest'
import { principalAxes } from '../../scripts/select/principal-axes.ts'

test('the first axes are the directions in which vectors differ most, of length 1 and at right angles', () => {
  // Long along (3, 4, 0), short along (0, 0, 1), nothing else.
  const vectors = Float32Array.of(6, 8, 0, -6, -8, 0, 0, 0, 1, 3, 4, 0.5)
  const axes = principalAxes(vectors, { size: 3, count: 2 })
  expect(Math.abs((axes[0] as number) * 0.6 + (axes[1] as number) * 0.8)).toBeCloseTo(1, 2)
  expect(Math.abs(axes[5] as number)).toBeCloseTo(1, 2)
  for (const row of [0, 3]) expect(Math.hypot(...axes.subarray(row, row + 3))).toBeCloseTo(1)
  expect(axes.subarray(0, 3).reduce((sum, each, at) => sum + each * (axes[3 + at] as number), 0)).toBeCloseTo(0)
})
