import { describe, expect, test } from 'vitest'
import { type BrokenInput, REFUSED } from '../../../test/fixtures/broken-inputs/broken-input.ts'
import { SAMPLE_TOOLS } from '../../../test/fixtures/spoilt-inputs/all-sample-tools.ts'
import { SPOILER_NAMES, spoiltInputs } from '../../../test/fixtures/spoilt-inputs/spoil-inputs.ts'
import { isSameJson } from '../json-schema.ts'
import { repairInput } from './repair-input.ts'

/** Undefined for an input that is valid in spite of its spoiler. */
function verdictOn({ schema, given, expected }: BrokenInput): 'false' | 'refused' | 'repaired' | undefined {
  const repair = repairInput(schema, given)
  if (repair.refused) return 'refused'
  if (repair.changes.length === 0) return undefined
  return expected !== REFUSED && isSameJson(repair.value, expected) ? 'repaired' : 'false'
}

const JUDGED = spoiltInputs(SAMPLE_TOOLS)
  .map((input) => ({ input, verdict: verdictOn(input) }))
  .filter(({ verdict }) => verdict !== undefined)

describe('repairInput, on valid inputs that spoilers have broken', () => {
  test('has many spoilers and tools, and every sample is valid as it is', () => {
    expect(new Set(SPOILER_NAMES).size).toBeGreaterThanOrEqual(120)
    expect(SAMPLE_TOOLS.length).toBeGreaterThanOrEqual(40)
    for (const { schema, inputs } of SAMPLE_TOOLS)
      for (const input of inputs) expect(repairInput(schema, input)).toEqual({ value: input, changes: [], cost: 0 })
  })

  test('gives back the input that was spoilt', ({ annotate }) => {
    const toRepair = JUDGED.filter(({ input }) => input.expected !== REFUSED)
    const repaired = toRepair.filter(({ verdict }) => verdict === 'repaired').length
    void annotate(`${repaired} of ${toRepair.length} repaired`)
    expect(repaired / toRepair.length).toBeGreaterThanOrEqual(0.99)
  })

  test('refuses what several inputs may have become, and gives back no other input', () => {
    const wrong = JUDGED.filter(({ verdict }) => verdict === 'false')
    expect(wrong.map(({ input }) => `${input.about}: ${JSON.stringify(input.given)}`)).toEqual([])
  })
})
