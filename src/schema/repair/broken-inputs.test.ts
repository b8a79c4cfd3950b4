import { describe, expect, test } from 'vitest'
import { FIRST_BROKEN_INPUTS, LAST_BROKEN_INPUTS, LATER_BROKEN_INPUTS } from '../../../test/fixtures/broken-inputs/all-broken-inputs.ts'
import { type BrokenInput, REFUSED } from '../../../test/fixtures/broken-inputs/broken-input.ts'
import { isSameJson } from '../json-schema.ts'
import { repairInput } from './repair-input.ts'

const ALL = [...FIRST_BROKEN_INPUTS, ...LATER_BROKEN_INPUTS, ...LAST_BROKEN_INPUTS]

/** `refused` is right for a case to refuse, and merely unhelpful for one to repair. */
function verdictOn({ schema, given, expected }: BrokenInput): 'false' | 'refused' | 'repaired' {
  const repair = repairInput(schema, given)
  if (repair.refused) return 'refused'
  return expected !== REFUSED && isSameJson(repair.value, expected) ? 'repaired' : 'false'
}

describe('repairInput, on broken inputs that are kept as data', () => {
  test('repairs most of them and none of them wrongly; the rates are printed [H3]', ({ annotate }) => {
    const toRepair = ALL.filter(({ expected }) => expected !== REFUSED)
    const verdicts = ALL.map((each) => verdictOn(each))
    const repaired = verdicts.filter((verdict) => verdict === 'repaired').length
    const wrong = ALL.filter((_each, index) => verdicts[index] === 'false')
    const rates = `${repaired} of ${toRepair.length} repaired (${((100 * repaired) / toRepair.length).toFixed(1)} %), ${wrong.length} of ${ALL.length} falsely`
    // oxlint-disable-next-line no-console
    console.info(`Broken inputs: ${rates}`)
    void annotate(rates)
    expect(wrong.map(({ class: name, about }) => `${name}: ${about}`)).toEqual([])
    expect(repaired / toRepair.length).toBeGreaterThanOrEqual(0.98)
  })

  test('has at least 240 of them, a third to refuse', () => {
    expect(FIRST_BROKEN_INPUTS.length).toBeGreaterThanOrEqual(120)
    expect(LATER_BROKEN_INPUTS.length).toBeGreaterThanOrEqual(120)
    expect(ALL.filter(({ expected }) => expected === REFUSED).length / ALL.length).toBeGreaterThan(1 / 3)
  })

  test.each(ALL.map((each) => [`${each.class}: ${each.about}`, each] as const))('%s', (_title, each) => {
    const before = structuredClone(each.given)
    const repair = repairInput(each.schema, each.given)
    expect(each.given).toEqual(before)
    expect(repair).toMatchObject(each.expected === REFUSED ? { refused: true } : { value: each.expected })
    expect(repair.refused === true || repair.changes.length > 0).toBe(true)
  })
})
