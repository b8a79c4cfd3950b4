import { describe, expect, it } from 'vitest'
import { anthropicCost } from '../../../test/dialects/vendor-rules.ts'
import { allotStrict } from './allot-strict.ts'

function withOptionals(name: string, count: number): { name: string; parameters: Record<string, unknown> } {
  const properties = Object.fromEntries(Array.from({ length: count }, (_, index) => [`p_${index}`, { type: 'string' }]))
  return { name, parameters: { type: 'object', properties, additionalProperties: false } }
}

describe('allotStrict', () => {
  it('keeps all strict tools of a request within the budgets, the cheapest first', () => {
    const tools = [withOptionals('large', 20), withOptionals('small', 2), withOptionals('middle', 10), withOptionals('none', 0)]
    const allotted = allotStrict(tools, 'anthropic-strict')
    expect(allotted.filter(({ strict }) => strict).map(({ name }) => name)).toEqual(['small', 'middle', 'none'])
    const costs = allotted.filter(({ strict }) => strict).map(({ dialect: { schema } }) => anthropicCost(schema).optionals)
    expect(costs.reduce((sum, each) => sum + each)).toBeLessThanOrEqual(24)
    expect(allotted[0]?.dialect.schema).toEqual(tools[0]?.parameters)
  })

  it('makes at most twenty tools strict for Anthropic, and all for OpenAI', () => {
    const tools = Array.from({ length: 30 }, (_, index) => withOptionals(`tool_${index}`, 0))
    expect(allotStrict(tools, 'anthropic-strict').filter(({ strict }) => strict)).toHaveLength(20)
    expect(allotStrict(tools, 'openai-strict').every(({ strict }) => strict)).toBe(true)
    expect(allotStrict(tools, 'gemini').some(({ strict }) => strict)).toBe(false)
  })

  it('renames properties that would have the whole request refused, strict or not', () => {
    const bad = { name: 'bad', parameters: { type: 'object', properties: { 'a b': { type: 'string' } } } }
    const [allotted] = allotStrict([bad], 'anthropic-strict', { limits: { tools: 0 } })
    expect(allotted).toMatchObject({ strict: false, dialect: { schema: { properties: { a_b: {} } } } })
  })
})
