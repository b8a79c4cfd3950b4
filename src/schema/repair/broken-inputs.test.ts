import { describe, expect, test } from 'vitest'
import {
  BLIND_BROKEN_INPUTS,
  CLASS_PROBES,
  FIFTH_AUTHOR_BROKEN_INPUTS,
  FIRST_BROKEN_INPUTS,
  FOURTH_AUTHOR_BROKEN_INPUTS,
  LAST_BLIND_BROKEN_INPUTS,
  LAST_BROKEN_INPUTS,
  LATER_BROKEN_INPUTS,
  NEXT_BLIND_BROKEN_INPUTS,
  NINTH_AUTHOR_BROKEN_INPUTS,
  OTHER_BLIND_BROKEN_INPUTS,
  SEVENTH_AUTHOR_BROKEN_INPUTS,
  SIXTH_AUTHOR_BROKEN_INPUTS,
  TENTH_AUTHOR_BROKEN_INPUTS,
  THIRD_AUTHOR_BROKEN_INPUTS,
  TOOL_INPUTS,
} from '../../../test/fixtures/broken-inputs/all-broken-inputs.ts'
import { type BrokenInput, REFUSED } from '../../../test/fixtures/broken-inputs/broken-input.ts'
import { isSameJson } from '../json-schema.ts'
import { repairInput } from './repair-input.ts'

const SETS = {
  first: FIRST_BROKEN_INPUTS,
  later: LATER_BROKEN_INPUTS,
  last: LAST_BROKEN_INPUTS,
  blind: BLIND_BROKEN_INPUTS,
  'next blind': NEXT_BLIND_BROKEN_INPUTS,
  'last blind': LAST_BLIND_BROKEN_INPUTS,
  'whole tools': TOOL_INPUTS,
  'other blind': OTHER_BLIND_BROKEN_INPUTS,
  'third author': THIRD_AUTHOR_BROKEN_INPUTS,
  'fourth author': FOURTH_AUTHOR_BROKEN_INPUTS,
  'fifth author': FIFTH_AUTHOR_BROKEN_INPUTS,
  'sixth author': SIXTH_AUTHOR_BROKEN_INPUTS,
  'seventh author': SEVENTH_AUTHOR_BROKEN_INPUTS,
  'ninth author': NINTH_AUTHOR_BROKEN_INPUTS,
  'tenth author': TENTH_AUTHOR_BROKEN_INPUTS,
  'class probes': CLASS_PROBES,
}
const ALL = Object.values(SETS).flat()

/** `refused` is right for a case to refuse, and merely unhelpful for one to repair. */
function verdictOn(input: BrokenInput): 'false' | 'refused' | 'repaired' {
  const repair = repairOf(input)
  if (repair.refused) return 'refused'
  return input.expected !== REFUSED && isSameJson(repair.value, input.expected) ? 'repaired' : 'false'
}

const repairs = new Map<BrokenInput, ReturnType<typeof repairInput>>()

/** The rates are counted in several ways; each input is repaired once for all of them. */
function repairOf(input: BrokenInput): ReturnType<typeof repairInput> {
  let repair = repairs.get(input)
  if (repair === undefined) repairs.set(input, (repair = repairInput(input.schema, input.given)))
  return repair
}

function ratesOf(cases: readonly BrokenInput[]): string {
  const verdicts = cases.map((each) => verdictOn(each))
  const count = (verdict: string): number => verdicts.filter((each) => each === verdict).length
  const toRepair = cases.filter(({ expected }) => expected !== REFUSED).length
  const rate = ((100 * count('repaired')) / toRepair).toFixed(1)
  return `${count('repaired')} of ${toRepair} repaired (${rate} %), ${count('false')} of ${cases.length} falsely`
}

describe('repairInput, on broken inputs that are kept as data', () => {
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

  // Last, when every schema has been compiled by the test of an input: all at once they take seconds.
  test('repairs most of them and none of them wrongly; the rates are printed [H3]', ({ annotate }) => {
    const rates = Object.entries({ ...SETS, all: ALL }).map(([name, cases]) => `${name}: ${ratesOf(cases)}`)
    // oxlint-disable-next-line no-console
    console.info(`Broken inputs\n${rates.join('\n')}`)
    void annotate(rates.join('; '))
    const wrong = ALL.filter((each) => verdictOn(each) === 'false')
    expect(wrong.map(({ class: name, about }) => `${name}: ${about}`)).toEqual([])
    const toRepair = ALL.filter(({ expected }) => expected !== REFUSED)
    expect(toRepair.filter((each) => verdictOn(each) === 'repaired').length / toRepair.length).toBeGreaterThanOrEqual(0.98)
  })
})
