import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { comparable } from '../../testing/replay-from-every-prefix.ts'
import { memoryJournal } from '../journal/journal.ts'
import { tool } from '../tool.ts'
import { decodeResult, encodeResult } from './result-codec.ts'
import type { Attempt, ResultDetails, SagaReport } from './result.ts'
import { failure, type SuccessOptions } from './returned.ts'
import { SettledFailure, type SettledResult, SettledSuccess } from './settled.ts'

const values = fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withNullPrototype: true })
const issues = fc.array(fc.record({ severity: fc.constantFrom('info', 'warning', 'critical'), message: fc.string() }), { maxLength: 3 })
const options = fc.record(
  {
    text: fc.string(),
    content: fc.array(fc.record({ type: fc.constant('text' as const), text: fc.string() })),
    issues,
    confidence: fc.double(),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<SuccessOptions>
const provenance = fc.record({ tool: fc.string(), invocationId: fc.string(), timestamp: fc.nat() })
const error = fc.record(
  {
    code: fc.string(),
    class: fc.constantFrom('semantic', 'transient', 'rejected'),
    message: fc.string(),
    retryable: fc.boolean(),
    hint: fc.string(),
    outcome: fc.constantFrom('not_started', 'failed', 'unknown'),
    retryAfterMs: fc.nat(),
  },
  { requiredKeys: ['code', 'class', 'message', 'retryable', 'hint', 'outcome'] },
)
const details: fc.Arbitrary<Partial<Pick<ResultDetails, 'level' | 'attempts' | 'compensation' | 'validation'>>> = fc.record(
  {
    level: fc.string(),
    validation: fc.record({ verdict: fc.constantFrom('warning', 'conditional') }),
    attempts: fc.array(fc.record({ number: fc.nat(), tool: fc.string(), at: fc.nat(), error })) as fc.Arbitrary<Attempt[]>,
    compensation: fc.record({
      state: fc.constantFrom('completed', 'compensated'),
      durable: fc.boolean(),
      outcomes: fc.constant([]),
      notUndone: fc.array(fc.string()),
    }) as fc.Arbitrary<SagaReport>,
  },
  { requiredKeys: [] },
)

const plain: fc.Arbitrary<SettledResult> = fc.oneof(
  fc
    .tuple(provenance, fc.jsonValue(), fc.option(options, { nil: undefined }))
    .map(([origin, value, said]) => new SettledSuccess({ provenance: origin }, value, said)),
  fc.tuple(provenance, error, fc.boolean()).map(([origin, why, thrown]) => new SettledFailure({ provenance: origin }, why, thrown)),
)

const results: fc.Arbitrary<SettledResult> = fc.tuple(plain, details).map(([result, more]) => result.amended(more))

describe('the codec of results', () => {
  test('gives back what it was given, by way of JSON', () => {
    fc.assert(
      fc.property(results, fc.option(fc.record({ tokens: fc.nat() }), { nil: undefined }), (result, usage) => {
        const read = decodeResult(JSON.parse(JSON.stringify(encodeResult(result, usage))), 'here')
        expect(comparable(read)).toEqual({ ...(comparable(result) as object), usage })
        expect(read.provenance).toEqual(result.provenance)
        expect(!read.ok && read.thrown).toBe(!result.ok && result.thrown)
      }),
    )
  })

  test('writes the same again of what it has read', () => {
    fc.assert(
      fc.property(results, (result) => {
        const data = encodeResult(result)
        expect(encodeResult(decodeResult(data, 'here'))).toEqual(data)
      }),
    )
  })

  test.each([[null], ['text'], [{}], [{ provenance: {} }], [{ value: 1 }], [{ provenance: {}, error: 'no' }]])(
    'refuses %j, and says where it is',
    (data) => {
      expect(() => decodeResult(data, "in the journal at 'a/b'")).toThrow("The value in the journal at 'a/b' is not a result.")
    },
  )
})

test('whatever is given to failure is a failure that can be read, sent and kept [T6]', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(values, fc.func(fc.anything()), fc.string().map(Symbol), fc.string().map(Error)), async (reason) => {
      const journal = memoryJournal()
      const fails = tool({ name: 'fails', description: 'd', effect: 'read', execute: () => failure(reason) })
      const result = await fails.call('', { journal })
      expect(result.ok).toBe(false)
      expect(result.text).toMatch(/^Error: [^]*\S/)
      expect(result.text).not.toContain('[object Object]')
      expect(JSON.parse(JSON.stringify(result))).toMatchObject({ text: result.text })
      const again = await fails.call('', { journal: memoryJournal(JSON.parse(JSON.stringify(journal.entries))) })
      expect(comparable(again)).toEqual(comparable(result))
    }),
  )
})
