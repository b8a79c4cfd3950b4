import { describe, expect, it } from 'vitest'
import { dialect } from '../../src/schema/dialects/dialect.ts'
import { CORPUS } from './corpus.ts'
import { anthropicProblems, geminiProblems, openAiProblems } from './vendor-rules.ts'

const cases = [
  { target: 'openai-strict', options: {}, problems: openAiProblems },
  { target: 'anthropic-strict', options: {}, problems: anthropicProblems },
  { target: 'gemini', options: {}, problems: (schema: unknown) => geminiProblems(schema) },
  { target: 'gemini', options: { nulls: 'type' }, problems: (schema: unknown) => geminiProblems(schema, 'parametersJsonSchema') },
] as const

describe('an independent reading of the vendors rules', () => {
  it('is tried on at least a hundred schemas', () => {
    expect(CORPUS.size).toBeGreaterThanOrEqual(130)
  })

  it.each(cases)('accepts every schema in the dialect $target $options [O7]', ({ target, options, problems }) => {
    const refused = Array.from(CORPUS, ([name, schema]) => [name, problems(dialect(schema, target, options).schema)] as const).filter(
      ([, found]) => found.length > 0,
    )
    expect(refused).toEqual([])
  })

  it.each(cases)('refuses most of them as they are for $target $options', ({ problems }) => {
    const accepted = [...CORPUS.values()].filter((schema) => problems(schema).length === 0)
    expect(accepted.length).toBeLessThan(CORPUS.size / 2)
  })
})
