import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { scanKernelCode } from '../../scripts/select/scan-kernel-code.ts'
import { SCAN_KERNEL } from './scan-kernel.ts'
import { DIMENSIONS, packed, UNIT, VectorTable } from './vector-table.ts'

const vector = fc.int8Array({ minLength: DIMENSIONS, maxLength: DIMENSIONS, min: -127, max: 127 })

describe('VectorTable', () => {
  test('compares by the kernel as it does in plain code, whatever is set, replaced and cleared', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(300), fc.option(vector, { nil: undefined })), { maxLength: 60 }), vector, (changes, query) => {
        const fast = new VectorTable()
        const plain = new VectorTable({ kernel: false })
        let rows = 0
        for (const [row, each] of changes) {
          fast.set(row, each)
          plain.set(row, each)
          rows = Math.max(rows, row + 1)
        }
        const products = [...fast.compare(query).subarray(0, rows)]
        expect(products).toEqual([...plain.compare(query).subarray(0, rows)])
        const some = Int32Array.from(products.keys()).filter((row) => row % 3 !== 1)
        const other = new Int8Array(DIMENSIONS)
        for (const table of [fast, plain]) {
          expect([...table.compare(other).subarray(0, rows)]).toEqual(products.map(() => 0))
          table.aim(query)
          expect([...table.pick(some, some.length).subarray(0, rows)]).toEqual(
            products.map((product, row) => (row % 3 === 1 ? 0 : product)),
          )
        }
      }),
      { numRuns: 200 },
    )
  })

  test('has the kernel that the script writes', () => {
    expect(SCAN_KERNEL).toBe(Buffer.from(scanKernelCode()).toString('base64'))
  })

  test('packs vectors to one length, and none without a direction', () => {
    const long = packed(new Float32Array(DIMENSIONS).fill(3)) as Int8Array
    expect(long.every((number) => number === Math.round(UNIT / 8))).toBe(true)
    expect(packed(new Float32Array(DIMENSIONS))).toBeUndefined()
    expect(packed(new Float32Array(DIMENSIONS).fill(Number.NaN))).toBeUndefined()
  })
})
