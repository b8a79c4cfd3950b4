import { describe, expect, test } from 'vitest'
import { pipe } from '../../combinators/pipe/pipe.ts'
import { combinator } from '../combinator.ts'
import { callPart } from '../seam/parts.ts'
import { stringInput } from '../input/string-input.ts'
import { tool } from '../tool.ts'
import { withCompensation, withError, withIssue, withSteps } from './amendments.ts'
import { failure, success } from './returned.ts'
import type { SagaReport } from './result.ts'
import type { SettledResult } from './settled.ts'

const said = {
  text: 'seven',
  content: [{ type: 'text', text: '7' }],
  issues: [{ severity: 'info', message: 'Old.' }],
  confidence: 0.5,
} as const
const give = tool({ name: 'give', description: 'd', effect: 'read', execute: () => success(7, said) })
const fail = tool({
  name: 'fail',
  description: 'd',
  effect: 'read',
  execute: () => {
    throw new Error('No.')
  },
})
const NEW = { severity: 'warning', message: 'New.' } as const
const REPORT: SagaReport = { state: 'completed', durable: false, outcomes: [], notUndone: [] }

const settled = async (of: typeof give | typeof fail): Promise<SettledResult> => (await of.call('')) as SettledResult

/** A tool that gives the answer of its part, amended. */
function amending(amend: (result: SettledResult) => SettledResult) {
  return combinator({
    name: 'amending',
    description: 'd',
    plan: {
      kind: 'x',
      order: 'one',
      labels: 'name',
      closedBy: undefined,
      layer: false,
      parts: [{ label: 'give', tool: give, takes: 'input' }],
      figures: () => ({}),
    },
    input: stringInput,
    run: async (input, whole) => amend(await callPart(whole, { label: 'give', tool: give, input })),
  })
}

const AMENDMENTS: readonly (readonly [string, (result: SettledResult) => SettledResult, object])[] = [
  ['withIssue', (result) => withIssue(result, NEW), { issues: [...said.issues, NEW] }],
  ['withCompensation', (result) => withCompensation(result, REPORT), { compensation: REPORT }],
]

describe('an amendment', () => {
  test.each(AMENDMENTS)('%s changes one thing, in a copy [T6]', async (_name, amend, changed) => {
    const result = await settled(give)
    const before = JSON.stringify(result)
    const amended = amend(result)
    expect(amended).toMatchObject({ ok: true, value: 7, ...said, ...changed })
    expect(amended.provenance).toBe(result.provenance)
    expect(JSON.stringify(result)).toBe(before)
  })

  test.each(AMENDMENTS)('%s reaches the caller of a compound that gives it, and not its steps [T6]', async (_name, amend, changed) => {
    const result = await amending(amend).call('')
    expect(result).toMatchObject({ ok: true, value: 7, ...said, ...changed, provenance: { tool: 'amending@0.0.0' } })
    const [step] = result.steps ?? []
    expect(step?.result.issues).toEqual(said.issues)
    expect(step?.result).toMatchObject({ confidence: 0.5, level: undefined, attempts: undefined, compensation: undefined })
  })

  test('of an amended answer keeps the amendment before [T6]', async () => {
    const result = withCompensation(withIssue(await settled(give), NEW), REPORT)
    expect(result).toMatchObject({ text: 'seven', issues: [...said.issues, NEW], compensation: REPORT, confidence: 0.5 })
  })

  test('of a failure keeps its error, and that it was thrown [T6]', async () => {
    const result = await settled(fail)
    expect(withIssue(result, NEW)).toMatchObject({ ok: false, thrown: true, text: 'Error: No.', error: { message: 'No.' }, issues: [NEW] })
    const returned = await settled(tool({ name: 'give', description: 'd', effect: 'read', execute: () => failure('No.') }) as typeof give)
    expect(withCompensation(returned, REPORT)).toMatchObject({ ok: false, thrown: false, compensation: REPORT })
  })

  test('withError changes the text too, and keeps the rest', async () => {
    const result = withIssue(await settled(fail), NEW)
    if (result.ok) throw new Error('It did not fail.')
    expect(withError(result, { ...result.error, message: 'Other.' })).toMatchObject({ text: 'Error: Other.', thrown: true, issues: [NEW] })
  })

  test('withSteps shows the calls of another result', async () => {
    const { steps } = await pipe(give, give).call('')
    expect(withSteps(await settled(give), steps).steps).toBe(steps)
  })
})

test('a refused success is a failure of the same origin, with all its details and the faults [T6] [V3]', async () => {
  const result = withCompensation(withIssue(await settled(give), NEW), REPORT)
  if (!result.ok) throw new Error('It failed.')
  const error = { code: 'odd', class: 'semantic', message: 'Odd.', retryable: false, hint: '', outcome: 'failed' } as const
  const refused = result.refused(error)
  expect(refused).toMatchObject({ ok: false, thrown: false, text: 'Error: Odd.', issues: [...said.issues, NEW], compensation: REPORT })
  expect(refused.provenance).toBe(result.provenance)
})

test('the faults that a validation found are in the text, and not in the bare text [V3]', async () => {
  const result = withIssue(await settled(give), NEW)
  expect(result.text).toBe('seven')
  const judged = result.amended({ validation: { verdict: 'warning' } })
  expect(judged.text).toBe('seven\nWarning: New.')
  expect(judged.ok && judged.bareText).toBe('seven')
})
