import { describe, expect, test } from 'vitest'
import { type BrokenInput, REFUSED } from '../../../test/fixtures/broken-inputs/broken-input.ts'
import { SAMPLE_TOOLS } from '../../../test/fixtures/spoilt-inputs/all-sample-tools.ts'
import { SPOILER_NAMES, spoiltInputs } from '../../../test/fixtures/spoilt-inputs/spoil-inputs.ts'
import { isRecord, isSameJson } from '../json-schema.ts'
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

/** Ways to wrap a value, whatever is wrong with it already. */
const COVERS: readonly ((value: unknown, name: string) => unknown)[] = [
  (value) => (Array.isArray(value) ? undefined : [value]),
  (value) => ({ value }),
  (value, name) => ({ [name]: value }),
  (value) => (typeof value === 'string' ? JSON.stringify(value) : undefined),
  (value) => (typeof value === 'string' ? ` ${value}\u200b` : undefined),
  (value) => (typeof value === 'string' && !value.includes('*') ? `**${value}**` : undefined),
  (value) => (typeof value === 'string' && !/[<>]/.test(value) ? `<b>${value}</b>` : undefined),
  (value, name) => (typeof value === 'string' ? `${name}: ${value}` : undefined),
]

/** A spoilt field of the input inside a cover. Every one of some hundred inputs, each in one cover. */
const COVERED = JUDGED.filter((_each, index) => index % 20 === 0).flatMap(({ input, verdict }, index) => {
  const { given, expected } = input
  const whole = SAMPLE_TOOLS.flatMap(({ schema, inputs }) => (schema === input.schema ? inputs : []))
  if (!isRecord(given)) return []
  const original = whole.find((each) => isOneOff(given, each))
  const name = Object.keys(given).find((key) => original !== undefined && !isSameJson(given[key], original[key]))
  const cover = COVERS[index % COVERS.length]
  const value = name === undefined ? undefined : cover?.(given[name], name)
  return name === undefined || value === undefined
    ? []
    : [{ input: { ...input, given: { ...given, [name]: value }, expected }, alone: verdict }]
})

/** Whether one field differs, and no name. */
function isOneOff(given: Readonly<Record<string, unknown>>, original: Readonly<Record<string, unknown>>): boolean {
  const names = Object.keys(original)
  const isSame = names.length === Object.keys(given).length && names.every((name) => Object.hasOwn(given, name))
  return isSame && names.filter((name) => !isSameJson(given[name], original[name])).length === 1
}

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

  test('repairs in a cover what it repairs without one, and refuses in it what is to be refused', ({ annotate }) => {
    const verdicts = COVERED.map(({ input, alone }) => ({ input, alone, verdict: verdictOn(input) }))
    const repairable = verdicts.filter(({ alone }) => alone === 'repaired')
    const repaired = repairable.filter(({ verdict }) => verdict === 'repaired').length
    void annotate(`${repaired} of ${repairable.length} repaired in a cover`)
    expect(repairable.length).toBeGreaterThan(200)
    expect(repaired / repairable.length).toBeGreaterThanOrEqual(0.99)
    const wrong = verdicts.filter(({ input, verdict }) => input.expected === REFUSED && verdict === 'false')
    expect(wrong.map(({ input }) => `${input.about}: ${JSON.stringify(input.given)}`)).toEqual([])
  })
})
