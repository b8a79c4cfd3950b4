import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { JsonSchema } from '../../schema/json-schema.ts'
import type { AnySchema } from '../../schema/schema-types.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { jsonSchema } from '../../tool/contract.ts'
import { tool } from '../../tool/tool.ts'
import { first, quorum } from './join.ts'
import { parallel } from './parallel.ts'

const shout = tool({ name: 'shout', description: 'd', effect: 'read', execute: (input) => `${input}!` })

/** Gives back what it was given, after its own schema. */
function echo(name: string, inputSchema: AnySchema): AgentTool<never, unknown> {
  return tool({ name, description: 'd', inputSchema, effect: 'read', execute: (input) => input })
}

function parametersOf(...schemas: readonly AnySchema[]): unknown {
  const branches = Object.fromEntries(schemas.map((schema, index) => [`b${index}`, echo(`b${index}`, schema)]))
  return parallel(branches, { name: 'whole' }).specification.parameters
}

describe('what the model sees', () => {
  test('one object with the fields of all branches, required by any of them [C3]', () => {
    const search = z.object({ query: z.string().describe('What to look for') })
    const news = z.object({ query: z.string(), days: z.number().optional() })
    expect(parametersOf(search, news)).toEqual({
      type: 'object',
      properties: { query: { type: 'string', description: 'What to look for' }, days: { type: 'number' } },
      required: ['query'],
    })
  })

  test('a field that two branches see differently must fit both', () => {
    expect(parametersOf(z.object({ n: z.number().min(3) }), z.object({ n: z.number().max(9) }))).toMatchObject({
      type: 'object',
      properties: {
        n: {
          allOf: [
            { type: 'number', minimum: 3 },
            { type: 'number', maximum: 9 },
          ],
        },
      },
    })
  })

  test('the same schema is shown once, whatever it is', () => {
    const either = z.union([z.object({ a: z.string() }), z.object({ b: z.string() })])
    expect(parametersOf(either, either)).toEqual(parametersOf(either))
  })

  test('what is not plainly an object is an allOf; a strict schema does not refuse the fields of the others', () => {
    const either = { anyOf: [{ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }] }
    const strict = { type: 'object', properties: { b: { type: 'string' } }, additionalProperties: false, minProperties: 1 }
    expect(parametersOf(either, strict)).toEqual({
      type: 'object',
      properties: { input: { allOf: [either, { type: 'object', properties: { b: { type: 'string' } }, minProperties: 1 }] } },
      required: ['input'],
    })
    expect(parametersOf(z.strictObject({ a: z.string() }), z.strictObject({ b: z.string() }))).toMatchObject({
      properties: { a: {}, b: {} },
      additionalProperties: false,
    })
    expect(parametersOf(z.strictObject({ a: z.string() }), z.object({ b: z.string() }))).not.toHaveProperty('additionalProperties')
  })

  test('references of a branch point at its own definitions still', async () => {
    const tree = { type: 'object', properties: { children: { type: 'array', items: { $ref: '#' } } }, required: ['children'] } as const
    const named = {
      type: 'object',
      properties: { name: { $ref: '#/$defs/name' } },
      required: ['name'],
      $defs: { name: { type: 'string', minLength: 2 } },
    } as const
    const parameters = parametersOf(tree, named)
    expect(parameters).toMatchObject({
      properties: { input: { allOf: [{ $ref: '#/$defs/branch_1' }, { $ref: '#/$defs/branch_2' }] } },
      $defs: { branch_2: { properties: { name: { $ref: '#/$defs/branch_2/$defs/name' } } } },
    })
    const check = tool({
      name: 'check',
      description: 'd',
      inputSchema: jsonSchema<unknown>(parameters as JsonSchema),
      execute: () => 'fits',
    })
    const fits = async (input: unknown) => (await check.call({ input })).ok
    expect(await fits({ children: [{ children: [] }], name: 'Ada' })).toBe(true)
    expect(await fits({ children: [{ children: 1 }], name: 'Ada' })).toBe(false)
    expect(await fits({ children: [], name: 'A' })).toBe(false)
  })

  test('what a library cannot say of a branch is a configuration error, as it is for the branch alone', () => {
    expect(() => parametersOf(z.object({ at: z.date() }), z.object({ n: z.number() }))).toThrow('has no JSON Schema for its input')
  })

  test('a text where all branches take a text, or all have an input of their own', async () => {
    const search = echo('search', z.object({ query: z.string() })) as AgentTool<{ query: string }, unknown>
    expect(parallel({ shout, again: shout }).specification.parameters).toEqual(shout.specification.parameters)
    const own = parallel({ search }, { inputs: { search: (query) => ({ query }) } })
    expect(own.specification.parameters).toEqual(shout.specification.parameters)
    expect(await own.call('ada')).toMatchObject({ value: { search: { query: 'ada' } } })
  })

  test('a text and fields fit no input: the definition is refused and says what to do', () => {
    const search = tool({ name: 'search', description: 'd', inputSchema: z.object({ query: z.string() }), execute: () => 1 })
    // @ts-expect-error the compiler says so too
    expect(() => parallel({ shout, search })).toThrow("Branch 'shout' takes a text and branch 'search' does not, so no input fits both.")
    const text = tool({ name: 'text', description: 'd', inputSchema: z.string(), execute: () => 1 })
    expect(() => parallel({ shout, text })).not.toThrow()
  })

  test('a declared schema is what the model sees and what branches are given, parsed [C3]', async () => {
    const search = tool({
      name: 'search',
      description: 'd',
      inputSchema: z.object({ query: z.string() }),
      effect: 'read',
      execute: ({ query }) => query,
    })
    const whole = parallel(
      { search, shout },
      {
        inputSchema: z.object({ query: z.string(), times: z.number().default(2) }),
        inputs: { shout: ({ query, times }) => query.repeat(times) },
      },
    )
    expect(whole.specification.parameters).toMatchObject({ properties: { times: { default: 2 } }, required: ['query'] })
    expect(await whole.call({ query: 'ho' })).toMatchObject({ value: { search: 'ho', shout: 'hoho!' } })
    expect(await whole.call({} as never)).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
  })
})

describe('each branch', () => {
  const padded = tool({
    name: 'padded',
    description: 'd',
    inputSchema: z.object({ n: z.string().transform(Number), digits: z.number().default(3) }),
    effect: 'read',
    execute: ({ n, digits }) => String(n).padStart(digits, '0'),
  })
  const plain = tool({
    name: 'plain',
    description: 'd',
    inputSchema: z.strictObject({ n: z.string() }),
    effect: 'read',
    execute: (input) => JSON.stringify(input),
  })

  test('validates the input itself, with its own defaults and transforms, and drops the fields of the others', async () => {
    expect(await parallel({ padded, plain }).call({ n: '7', digits: 2 })).toMatchObject({ value: { padded: '07', plain: '{"n":"7"}' } })
  })

  test('is given the same whether a program, a model or a peer calls', async () => {
    const whole = parallel({ padded, plain })
    expect(await whole.execute({ n: '7' })).toEqual({ padded: '007', plain: '{"n":"7"}' })
  })

  test('where a policy judges, the input of the whole is checked against all branches first [T8]', async () => {
    const seen: unknown[] = []
    const policy = ({ tool: name, input }: { tool: string; input: unknown }) => {
      if (name === 'whole') seen.push(input)
      return 'allow' as const
    }
    const whole = parallel({ padded, plain }, { name: 'whole' })
    expect(await whole.call({ n: '7' }, { policy })).toMatchObject({ ok: true, value: { padded: '007' } })
    expect(seen).toEqual([{ n: '7' }])
    const refused = await whole.call({ n: 7 } as never, { policy })
    expect(refused).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
    expect(refused.text).toContain("'padded'")
    expect(refused.text).toContain("'plain'")
  })

  test('may have a schema that takes its time', async () => {
    const slow = tool({
      name: 'slow',
      description: 'd',
      inputSchema: z.object({ n: z.string().refine(async (n) => n !== 'bad') }),
      effect: 'read',
      execute: ({ n }) => n,
    })
    const whole = parallel({ slow, plain }, { name: 'whole' })
    expect(await whole.call({ n: 'good' }, { policy: () => 'allow' })).toMatchObject({ ok: true })
    expect(await whole.call({ n: 'bad' }, { policy: () => 'allow' })).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
  })

  test('validates once, however many run at a time', async () => {
    let validations = 0
    const counting = (name: string) =>
      tool({
        name,
        description: 'd',
        inputSchema: z.object({ n: z.string().refine(() => ++validations > 0) }),
        effect: 'read',
        execute: async ({ n }) => n,
      })
    const branches = { a: counting('a'), b: counting('b'), c: counting('c') }
    for (const concurrency of [1, 2, 3]) {
      validations = 0
      expect(await parallel(branches, { concurrency }).call({ n: 'x' })).toMatchObject({ value: { a: 'x', b: 'x', c: 'x' } })
      expect(validations).toBe(3)
    }
  })

  test('applies defaults and transforms in a race, with a deadline and with a permission of its own too', async () => {
    const inputSchema = z.object({ n: z.string().transform((n) => `${n}!`), m: z.string().default('m') })
    const echoing = (name: string, more: { readonly deadline?: '1m'; readonly permissions?: readonly string[] } = {}) =>
      tool({ ...more, name, description: 'd', inputSchema, effect: 'read', execute: ({ n, m }) => `${n}${m}` })
    const branches = { a: echoing('a', { deadline: '1m' }), b: echoing('b', { permissions: ['p'] }), c: echoing('c') }
    const principal = { id: 'ada', permissions: ['p'] }
    expect(await parallel(branches).call({ n: 'x' }, { principal })).toMatchObject({ value: { a: 'x!m', b: 'x!m', c: 'x!m' } })
    expect(await parallel(branches, { join: first() }).call({ n: 'x' }, { principal })).toMatchObject({ value: 'x!m' })
  })

  test('gets a value that no other branch can change', async () => {
    const inputSchema = z.object({ list: z.array(z.string()) })
    const greedy = tool({ name: 'greedy', description: 'd', inputSchema, effect: 'read', execute: ({ list }) => list.splice(0).length })
    const counts = tool({ name: 'counts', description: 'd', inputSchema, effect: 'read', execute: ({ list }) => list.length })
    const given = { list: ['a', 'b'] }
    expect(await parallel({ greedy, counts }).call(given)).toMatchObject({ value: { greedy: 2, counts: 2 } })
    expect(given).toEqual({ list: ['a', 'b'] })
  })

  test('that validates with a promise refuses before any begins, in every call', async () => {
    const begun: string[] = []
    const slow = tool({
      name: 'slow',
      description: 'd',
      inputSchema: z.object({ n: z.string().refine(async (n) => n !== 'bad') }),
      effect: 'read',
      execute: ({ n }) => n,
    })
    const other = tool({ name: 'other', description: 'd', inputSchema: z.object({ n: z.string() }), execute: ({ n }) => begun.push(n) })
    const whole = parallel({ other, slow })
    for (const _again of [1, 2, 3]) expect(await whole.call({ n: 'bad' })).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
    expect(begun).toEqual([])
    expect(await whole.call({ n: 'good' })).toMatchObject({ ok: true })
  })

  test('refuses a declared input before any begins', async () => {
    const begun: string[] = []
    const wide = tool({ name: 'wide', description: 'd', inputSchema: z.object({ n: z.number() }), execute: () => begun.push('wide') })
    const narrow = (check: z.ZodType<{ n: number }, { n: number }>) =>
      tool({ name: 'narrow', description: 'd', inputSchema: check, execute: () => begun.push('narrow') })
    const options = { inputSchema: z.object({ n: z.number() }) }
    for (const check of [z.object({ n: z.number().max(1) }), z.object({ n: z.number().refine(async (n) => n <= 1) })]) {
      const branches = { wide, narrow: narrow(check) }
      expect(await parallel(branches, options).call({ n: 2 })).toMatchObject({ error: { code: 'invalid_input', outcome: 'not_started' } })
      expect(begun).toEqual([])
      expect(await parallel(branches, { ...options, join: quorum({ count: 1 }) }).call({ n: 2 })).toMatchObject({ ok: true })
      expect(await parallel(branches, options).call({ n: 1 })).toMatchObject({ ok: true })
      begun.length = 0
    }
  })
})
