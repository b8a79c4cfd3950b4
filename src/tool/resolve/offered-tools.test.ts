import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { gate } from '../../combinators/gate/gate.ts'
import { autoReview } from '../../review/auto-review.ts'
import { createTrace } from '../../telemetry/trace.ts'
import { tool } from '../tool.ts'
import { resolve } from './resolve.ts'

const Person = z.object({ 'full name': z.string().min(2), age: z.int().optional() })
const people = tool({
  name: 'people',
  description: 'Lists people.',
  inputSchema: z.object({ people: z.record(z.string(), Person), limit: z.int().default(3) }),
  effect: 'read',
  execute: (input) => input,
})
const sum = tool({
  name: 'sum',
  description: 'Adds.',
  inputSchema: z.union([z.tuple([z.number(), z.number()]), z.string()]),
  effect: 'read',
  execute: (input) => input,
})

const sent = (name: unknown): string => JSON.stringify({ people: [{ key: 'ada', value: { full_name: name, age: null } }], limit: null })

describe('tools in a dialect', () => {
  it('are shown strict, and called in the shape of the dialect', async () => {
    const tools = await resolve([people, sum], { dialect: 'openai-strict' })
    expect(tools.specifications).toMatchObject([
      { name: 'people', strict: true },
      { name: 'sum', strict: true },
    ])
    expect(await tools.call('people', sent('Ada'))).toMatchObject({
      ok: true,
      value: { people: { ada: { 'full name': 'Ada' } }, limit: 3 },
    })
    expect(await tools.call('sum', '{"input":{"item_1":1,"item_2":2}}')).toMatchObject({ ok: true, value: [1, 2] })
    expect(await tools.call('sum', '{"input":"one"}')).toMatchObject({ ok: true, value: 'one' })
  })

  it('are validated by their own schema, and the error names the place that the model sent', async () => {
    const tools = await resolve([people], { dialect: 'openai-strict' })
    const failed = await tools.call('people', sent('A'))
    expect(failed).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
    expect(failed.text).toContain("'people.0.value.full_name'")
    expect((await tools.call('people', JSON.stringify({ people: [{ key: 'ada', value: {} }], limit: null }))).text).toContain(
      "'people.0.value.full_name' is missing",
    )
  })

  it('name that place through a layer as well', async () => {
    const tools = await resolve([gate(people, { approval: true })], { dialect: 'openai-strict' })
    expect((await tools.call('people', sent('A'), { review: autoReview() })).text).toContain("'people.0.value.full_name'")
  })

  it('refuse what has no meaning at the place that the model sent', async () => {
    const tools = await resolve([people], { dialect: 'gemini' })
    const entry = { key: 'ada', value: { full_name: 'Ada' } }
    const failed = await tools.call('people', JSON.stringify({ people: [entry, entry] }))
    expect(failed.text).toContain("'people.1.key' repeats the key of another entry")
    expect(failed).toMatchObject({ ok: false, error: { code: 'invalid_input', outcome: 'not_started' } })
  })

  it('do not show secrets that stand at another place in the dialect', async () => {
    const login = tool({
      name: 'login',
      description: 'Logs in.',
      inputSchema: {
        type: 'object',
        properties: { keys: { type: 'object', additionalProperties: { type: 'string', sensitive: true } } },
        required: ['keys'],
      },
      effect: 'read',
      execute: () => 'done',
    })
    const trace = createTrace()
    const tools = await resolve([login], { dialect: 'openai-strict' })
    await tools.call('login', '{"keys":[{"key":"a","value":"hunter2secret"}]}', { on: trace })
    expect(JSON.stringify(trace.spans)).not.toContain('hunter2secret')
  })

  it('must name a dialect that exists', async () => {
    await expect(resolve([people], { dialect: 'cohere' as never })).rejects.toThrow(/There is no dialect "cohere"/)
  })
})

describe('a hostile value in a dialect', () => {
  const expression = {
    type: 'object',
    properties: { e: { $ref: '#/$defs/e' } },
    required: ['e'],
    $defs: {
      e: {
        anyOf: ['plus', 'minus', 'times'].map((op) => ({
          type: 'object',
          properties: { of: { $ref: '#/$defs/e' }, op: { const: op }, more: { type: 'string' } },
          required: ['op', 'of'],
          additionalProperties: false,
        })),
      },
    },
  } as const
  const evaluate = tool({ name: 'evaluate', description: 'Evaluates.', inputSchema: expression, effect: 'read', execute: () => 'done' })

  it.each([60, 5000])(
    'is refused at %i levels though each has three options: a reader that tried them all would not end',
    async (levels) => {
      const tools = await resolve([evaluate], { dialect: 'openai-strict' })
      const nested = `${'{"of":'.repeat(levels)}1${',"op":"plus","more":7}'.repeat(levels)}`
      expect(await tools.call('evaluate', `{"e":${nested}}`)).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
    },
  )
})
