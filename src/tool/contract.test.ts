import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { AnySchema } from '../schema/schema-types.ts'
import type { StandardSchema } from '../schema/standard-schema.ts'
import { contractOf, jsonSchema } from './contract.ts'
import { ConfigurationError } from './errors/configuration-error.ts'
import { missingPackage } from './missing-package.ts'
import { tool } from './tool.ts'

const echo = (inputSchema: StandardSchema) => tool({ name: 'echo', description: 'd', inputSchema, execute: (input) => ({ input }) })

/** A schema of a library that nobody has heard of. */
function homemade(validate: StandardSchema['~standard']['validate']): StandardSchema {
  const describeInput = () => ({ type: 'object', properties: { a: {} } })
  return { '~standard': { version: 1, vendor: 'homemade', validate, jsonSchema: { input: describeInput, output: describeInput } } }
}

describe('a schema that throws', () => {
  test.each<readonly [string, () => never]>([
    [
      'an error',
      () => {
        throw new Error('the schema is broken')
      },
    ],
    [
      'a text',
      () => {
        throw 'the schema is broken'
      },
    ],
  ])('%s at once fails the call [T4]', async (_what, validate) => {
    const result = await echo(homemade(validate)).call({ a: 1 })
    expect(result).toMatchObject({ ok: false, error: { code: 'invalid_input', class: 'input_validation', outcome: 'not_started' } })
    expect(result.text).toBe("Error: Invalid input for tool 'echo': it could not be checked (the schema is broken).")
  })

  test('later fails the call [T4]', async () => {
    const result = await echo(homemade(() => Promise.reject(new Error('the schema is broken')))).call({ a: 1 })
    expect(result.text).toBe("Error: Invalid input for tool 'echo': it could not be checked (the schema is broken).")
  })

  test('fails the call of a tool whose output it checks, as semantic [T5]', async () => {
    for (const validate of [
      () => {
        throw new Error('broken')
      },
      () => Promise.reject(new Error('broken')),
    ]) {
      const it = tool({ name: 'it', description: 'd', effect: 'read', outputSchema: homemade(validate), execute: () => ({ a: 1 }) })
      await expect(it.call('')).resolves.toMatchObject({ ok: false, error: { code: 'invalid_output', class: 'semantic' } })
    }
  })

  test('in a transform of zod fails the call [T4]', async () => {
    const schema = z.object({ a: z.string().transform((text) => JSON.parse(text) as unknown) })
    const result = await tool({ name: 'echo', description: 'd', inputSchema: schema, execute: () => '' }).call({ a: '{' })
    expect(result).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
  })

  test('a configuration error passes, as it does everywhere [T7]', async () => {
    const broken = homemade(() => {
      throw new ConfigurationError('missing_service', 'no database')
    })
    await expect(echo(broken).call({})).rejects.toMatchObject({ code: 'missing_service' })
  })
})

describe('a schema that cannot be described', () => {
  const undescribed = (thrown: unknown): StandardSchema => {
    const refuse = (): never => {
      throw thrown
    }
    return {
      '~standard': { version: 1, vendor: 'homemade', validate: (value) => ({ value }), jsonSchema: { input: refuse, output: refuse } },
    }
  }

  test('is a configuration error with its cause [T3]', () => {
    const cause = new Error('no word for it')
    expect(() => echo(undescribed(cause)).specification).toThrow(ConfigurationError)
    expect(() => echo(undescribed(cause)).specification).toThrow(
      expect.objectContaining({
        code: 'invalid_schema',
        message: 'This homemade schema has no JSON Schema for its input: no word for it',
        cause,
      }),
    )
    expect(() => contractOf(5, 'It')).toThrow(ConfigurationError)
  })

  test('throws the configuration error of its library as it is', () => {
    const own = new ConfigurationError('missing_package', 'Install it.')
    expect(() => echo(undescribed(own)).specification).toThrow(own)
  })
})

describe('an asynchronous schema', () => {
  test('is waited for [T4]', async () => {
    const schema = z.object({ name: z.string().refine(async (name) => Promise.resolve(name !== 'taken'), 'is taken') })
    const it = tool({ name: 'it', description: 'd', inputSchema: schema, execute: ({ name }) => name })
    await expect(it.call({ name: 'free' })).resolves.toMatchObject({ value: 'free' })
    await expect(it.call({ name: 'taken' })).resolves.toMatchObject({ text: "Error: Invalid input for tool 'it': 'name': is taken." })
  })

  test('of valibot is waited for [T4]', async () => {
    const schema = v.objectAsync({
      name: v.pipeAsync(
        v.string(),
        v.checkAsync(async (name) => Promise.resolve(name !== 'taken'), 'is taken'),
      ),
    })
    const it = tool({ name: 'it', description: 'd', inputSchema: schema, execute: ({ name }) => name })
    await expect(it.call({ name: 'taken', more: 1 } as never)).resolves.toMatchObject({
      text: "Error: Invalid input for tool 'it': 'name': is taken.",
    })
  })

  test('of an output is waited for [T5]', async () => {
    const outputSchema = z.string().refine(async (text) => Promise.resolve(text !== 'bad'), 'is bad')
    const it = tool({ name: 'it', description: 'd', outputSchema, execute: (text) => text })
    await expect(it.call('good')).resolves.toMatchObject({ ok: true })
    await expect(it.call('bad')).resolves.toMatchObject({ ok: false, error: { code: 'invalid_output' } })
  })
})

describe('a transform', () => {
  test.each([
    ['a plain input', { a: 'x' }],
    ['an input with an undeclared field', { a: 'x', more: 1 }],
    ['an input with a null for a missing field', { a: 'x', b: null }],
  ])('runs exactly once for %s [T4]', async (_what, input) => {
    for (const object of [z.object, z.strictObject] as const) {
      let runs = 0
      const count = (text: string): string => `${text}${++runs}`
      const inputSchema = object({ a: z.string().transform(count), b: z.string().optional() })
      const result = await tool({ name: 'it', description: 'd', inputSchema, execute: ({ a }) => a }).call(input as never)
      expect(result).toMatchObject({ ok: true, value: 'x1' })
      expect(runs).toBe(1)
    }
  })

  test('runs exactly once for an input that is refused for another field [T4]', async () => {
    let runs = 0
    const inputSchema = z.strictObject({ a: z.string().transform(() => ++runs), b: z.string() })
    await tool({ name: 'it', description: 'd', inputSchema, execute: () => '' }).call({ a: 'x', more: 1 } as never)
    expect(runs).toBe(1)
  })

  test('of an output runs exactly once [T5]', async () => {
    let runs = 0
    const outputSchema = z.string().transform((text) => `${text}${++runs}`)
    await expect(tool({ name: 'it', description: 'd', outputSchema, execute: () => 'x' }).call('')).resolves.toMatchObject({ value: 'x1' })
  })
})

describe('an output', () => {
  const schemas: readonly (readonly [string, AnySchema])[] = [
    ['zod', z.object({ total: z.number(), tax: z.number().default(0) })],
    ['valibot', v.object({ total: v.number(), tax: v.optional(v.number(), 0) })],
    ['arktype', type({ total: 'number', tax: 'number = 0' })],
    [
      'JSON Schema',
      { type: 'object', properties: { total: { type: 'number' }, tax: { type: 'number', default: 0 } }, required: ['total'] },
    ],
  ]
  const giving = (outputSchema: AnySchema, output: unknown) =>
    tool({ name: 'it', description: 'd', effect: 'read', outputSchema, execute: () => output as never }).call('')

  test.each(schemas)('that fits its schema in %s has the defaults filled in [T5]', async (_library, schema) => {
    const output = { total: 5 }
    await expect(giving(schema, output)).resolves.toMatchObject({ ok: true, value: { total: 5, tax: 0 } })
    expect(output).toEqual({ total: 5 })
  })

  test.each(schemas)('that does not fit its schema in %s is a semantic failure that names the fields [T5]', async (_library, schema) => {
    for (const output of [{ tax: 'x' }, null, undefined, 'text', [], { total: '5' }]) {
      const result = await giving(schema, output)
      expect(result).toMatchObject({ ok: false, error: { code: 'invalid_output', class: 'semantic', retryable: false } })
    }
    const { text } = await giving(schema, { tax: 'x' })
    expect(text).toMatch(/^Error: Tool 'it' gave an output that does not fit its schema: /)
    expect(text).toContain("'total' is missing")
    expect(text).toContain("'tax': ")
  })

  test.each(schemas)('is described for the model by its schema in %s [T5]', (_library, outputSchema) => {
    const { specification } = tool({ name: 'it', description: 'd', outputSchema, execute: () => ({ total: 5 }) as never })
    expect(specification.outputSchema).toMatchObject({ type: 'object', properties: { total: { type: 'number' }, tax: { type: 'number' } } })
  })
})

describe('what is no schema', () => {
  test.each([undefined, 7, 'x', null, [1], true])('%o is a configuration error', (schema) => {
    expect(() => contractOf(schema, 'It')).toThrow(expect.objectContaining({ code: 'invalid_schema' }))
  })

  test('a library without JSON Schema can be called, and says so when a model is to be told [T3]', async () => {
    const silent: StandardSchema = { '~standard': { version: 1, vendor: 'silent', validate: (value) => ({ value }) } }
    const it = echo(silent)
    await expect(it.call({ a: 1 })).resolves.toMatchObject({ value: { input: { a: 1 } } })
    expect(() => it.specification).toThrow("Schemas of 'silent' offer no JSON Schema")
  })

  test('something that only looks like a Standard Schema is read as JSON Schema', () => {
    expect(contractOf({ '~standard': 1, type: 'string' }, 'It').validate(7)).toMatchObject({ issues: [{ message: 'must be string' }] })
  })
})

describe('a package that is not installed', () => {
  test('is named, with what it is for', async () => {
    const name = 'no-such-package'
    const cause: unknown = await import(/* @vite-ignore */ name).catch((error: unknown) => error)
    expect(missingPackage(cause, name, 'to do this')).toMatchObject({
      code: 'missing_package',
      message: "Install 'no-such-package' to do this: npm install no-such-package",
    })
  })

  test.for(['no-such-package', '@no-such/package'])('is named with the one version that works: %s', async (name) => {
    const cause: unknown = await import(/* @vite-ignore */ name).catch((error: unknown) => error)
    expect(missingPackage(cause, `${name}@1.2.3`, 'to do this')).toMatchObject({
      code: 'missing_package',
      message: `Install '${name}' to do this: npm install ${name}@1.2.3`,
    })
  })

  test('that is installed and fails, or asks for another one that is not there, is not said to be missing', () => {
    const failed = new Error('The driver cannot be used here.')
    expect(missingPackage(failed, 'pg', 'to use a database')).toBe(failed)
    const other = Object.assign(new Error("Cannot find package 'pgpass' imported from a file"), { code: 'ERR_MODULE_NOT_FOUND' })
    expect(missingPackage(other, 'ai', 'to ask a model')).toBe(other)
  })

  test('is named when a valibot schema is shown to a model or has to be read [T3]', async () => {
    const program = `
      import { registerHooks } from 'node:module'
      registerHooks({ resolve: (name, context, next) => {
        if (name === '@valibot/to-json-schema') throw Object.assign(new Error('not found'), { code: 'MODULE_NOT_FOUND' })
        return next(name, context)
      } })
      const v = await import('valibot')
      const { tool } = await import('${new URL('./tool.ts', import.meta.url).href}')
      const it = tool({ name: 'it', description: 'd', inputSchema: v.object({ a: v.string() }), execute: () => '' })
      const codes = []
      try { it.specification } catch (error) { codes.push(error.code, error.message) }
      await it.call({ a: null }).catch((error) => codes.push(error.code))
      console.log(JSON.stringify(codes))
    `
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])
    expect(JSON.parse(stdout)).toEqual([
      'missing_package',
      "Install '@valibot/to-json-schema' to show valibot schemas to a model: npm install @valibot/to-json-schema",
      'missing_package',
    ])
  })
})

describe('jsonSchema', () => {
  test('gives a raw schema a type and behaves like the schema itself', async () => {
    const Point = jsonSchema<{ x: number; y?: number }>({
      type: 'object',
      properties: { x: { type: 'number' }, y: { type: 'number', default: 2 } },
      required: ['x'],
    })
    const sum = tool({ name: 'sum', description: 'd', inputSchema: Point, execute: ({ x, y = 0 }) => x + y })
    await expect(sum.call({ x: 1 })).resolves.toMatchObject({ value: 3 })
    await expect(sum.call({ x: 1, z: null, y: null } as never)).resolves.toMatchObject({ value: 3 })
    expect(sum.specification.parameters).toEqual({
      type: 'object',
      properties: { x: { type: 'number' }, y: { type: 'number', default: 2 } },
      required: ['x'],
    })
  })

  test('refuses a wrong schema at once', () => {
    expect(() => jsonSchema<string>({ type: 'text' })).toThrow(
      expect.objectContaining({
        name: 'ConfigurationError',
        code: 'invalid_schema',
        message: expect.stringContaining('jsonSchema is not a valid JSON Schema'),
      }),
    )
  })
})

describe('the objects inside a default', () => {
  const tags = { tags: [] as string[] }
  const schemas: Readonly<Record<string, StandardSchema>> = {
    'zod default': z.object({ filter: z.object({ tags: z.array(z.string()) }).default(tags) }),
    'zod default in an open object': z.looseObject({ filter: z.object({ tags: z.array(z.string()) }).default(tags) }),
    'zod default by a function': z.object({ filter: z.object({ tags: z.array(z.string()) }).default(() => tags) }),
    'zod prefault': z.object({ filter: z.looseObject({ tags: z.any() }).prefault(tags) }),
    'zod catch': z.object({ filter: z.object({ tags: z.array(z.string()) }).catch(tags) }),
    'valibot optional': v.object({ filter: v.optional(v.object({ tags: v.array(v.string()) }), tags) }),
  }

  test.each(Object.entries(schemas))('%s: are those of one call', async (_name, inputSchema) => {
    const write = tool({
      name: 'write',
      description: 'd',
      inputSchema,
      effect: 'read',
      execute: (input, { principal }) => {
        const { filter } = input as { filter: typeof tags }
        filter.tags.push(principal?.id ?? '')
        return filter.tags.join()
      },
    })
    for (const id of ['ada', 'bob']) expect((await write.call({}, { principal: { id, permissions: [] } })).text).toBe(id)
    expect(tags).toEqual({ tags: [] })
  })
})
