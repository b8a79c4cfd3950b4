import { expectTypeOf, test } from 'vitest'
import type { JsonSchema } from '../json-schema.ts'
import { allotStrict } from './allot-strict.ts'
import { dialect } from './dialect.ts'

test('a dialect may have no schema, and its report is data', () => {
  const made = dialect({ type: 'object' }, 'gemini', { limits: { depth: 4 } })
  expectTypeOf(made.schema).toEqualTypeOf<JsonSchema | undefined>()
  expectTypeOf(made.decode).returns.toEqualTypeOf<unknown>()
  expectTypeOf(made.cost.unions).toEqualTypeOf<number>()
  // @ts-expect-error there is no such target
  void dialect({}, 'cohere')
  // @ts-expect-error there is no such limit
  void dialect({}, 'gemini', { limits: { width: 4 } })
  // @ts-expect-error a report is not written to
  made.moved.push({ keyword: 'k', path: '', value: 1 })
})

test('tools are allotted by their names and parameters', () => {
  expectTypeOf(allotStrict([{ name: 'a', parameters: {} }], 'anthropic-strict')[0]?.strict).toEqualTypeOf<boolean | undefined>()
  // @ts-expect-error a tool has parameters
  void allotStrict([{ name: 'a' }], 'anthropic-strict')
})
