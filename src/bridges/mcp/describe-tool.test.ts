import { specTypeSchemas } from '@modelcontextprotocol/server'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { gate } from '../../combinators/gate/gate.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import type { AnySchema } from '../../schema/schema-types.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { jsonSchema } from '../../tool/contract.ts'
import { tool } from '../../tool/tool.ts'
import { describeTool } from './describe-tool.ts'

const giving = (outputSchema: AnySchema): AgentTool =>
  tool({ name: 'gives', description: 'Gives.', outputSchema, effect: 'read', execute: () => undefined as never }) as AgentTool

/** Judges structured content by the schema that a client is told. */
function judge(outputSchema: AnySchema): (content: unknown) => boolean {
  const schema: object = describeTool(giving(outputSchema)).outputSchema ?? {}
  return new Ajv2020({ strict: false }).compile(schema)
}

describe('annotations [T3]', () => {
  const make = (metadata: object) => tool({ name: 'acts', description: 'Acts.', execute: () => 'done', ...metadata }) as AgentTool
  test.each<[string, object, object]>([
    ['not declared', {}, { readOnlyHint: false, destructiveHint: true, idempotentHint: false }],
    ['read', { effect: 'read' }, { readOnlyHint: true, destructiveHint: false, idempotentHint: true }],
    ['write', { effect: 'write' }, { readOnlyHint: false, destructiveHint: true, idempotentHint: false }],
    ['write, idempotent', { effect: 'write', idempotent: true }, { readOnlyHint: false, destructiveHint: true, idempotentHint: true }],
    ['write, keyed', { effect: 'write', idempotent: 'keyed' }, { readOnlyHint: false, destructiveHint: true, idempotentHint: false }],
    ['irreversible', { effect: 'irreversible' }, { readOnlyHint: false, destructiveHint: true, idempotentHint: false }],
  ])('an effect that is %s', (_what, metadata, annotations) => {
    expect(describeTool(make(metadata)).annotations).toEqual({ ...annotations, openWorldHint: true })
    expect(describeTool(gate(make(metadata))).annotations).toEqual({ ...annotations, openWorldHint: true })
  })
})

test('a title is for people, and a tool without one has none', () => {
  const make = (metadata: object) => tool({ name: 'acts', description: 'Acts.', execute: () => 'done', ...metadata }) as AgentTool
  expect(describeTool(make({ title: 'Act now' }))).toMatchObject({ name: 'acts', title: 'Act now' })
  expect(describeTool(make({}))).not.toHaveProperty('title')
})

describe('inputs', () => {
  test('a tool of text takes one field', () => {
    const shout = tool({ name: 'shout', description: 'Shouts.', execute: (text: string) => text }) as AgentTool
    expect(describeTool(shout).inputSchema).toMatchObject({
      type: 'object',
      properties: { input: { type: 'string' } },
      required: ['input'],
    })
  })

  test('a composition at the root stands under one field, with all its keywords: models refuse it at the root', () => {
    const schema = {
      type: 'object',
      $defs: { address: { $anchor: 'addressDef', type: 'object' } },
      properties: { address: { $ref: '#/$defs/address' }, self: { $ref: '#' } },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    }
    const takes = tool({ name: 'takes', description: 'Takes.', inputSchema: jsonSchema(schema), execute: () => '' }) as AgentTool
    const { inputSchema } = describeTool(takes)
    expect(inputSchema).toMatchObject({
      type: 'object',
      $defs: schema.$defs,
      properties: { input: { allOf: schema.allOf, properties: { self: { $ref: '#/properties/input' } } } },
    })
    expect(() => new Ajv2020({ strict: false }).compile(inputSchema)).not.toThrow()
  })
})

describe('outputs', () => {
  test('a tool that declares none promises none', () => {
    const shout = tool({ name: 'shout', description: 'Shouts.', execute: (text: string) => text }) as AgentTool
    expect(describeTool(shout)).not.toHaveProperty('outputSchema')
  })

  test('an object is told as it is', () => {
    expect(describeTool(giving(z.object({ id: z.string() }))).outputSchema).toMatchObject({ type: 'object', required: ['id'] })
  })

  test.each([
    ['a list', z.array(z.number()), [1], ['x']],
    ['a text', z.string(), 'x', 1],
    ['one of several', z.union([z.object({ a: z.string() }), z.null()]), null, 'x'],
    ['nothing', z.null(), null, 1],
  ])('%s stands under `result`', (_what, schema, good, bad) => {
    const fits = judge(schema)
    expect([fits({ result: good }), fits({ result: bad }), fits({})]).toEqual([true, false, false])
  })

  test.each<[string, JsonSchema]>([
    ['definitions', { $defs: { n: { type: 'number' } }, type: 'array', items: { $ref: '#/$defs/n' } }],
    ['definitions of draft-07', { definitions: { n: { type: 'number' } }, type: 'array', items: { $ref: '#/definitions/n' } }],
    ['the root', { anyOf: [{ type: 'number' }, { type: 'array', items: { $ref: '#' } }] }],
    ['a place in it', { type: 'array', prefixItems: [{ type: 'number' }], items: { $ref: '#/prefixItems/0' } }],
    ['an anchor', { $defs: { n: { $anchor: 'number', type: 'number' } }, type: 'array', items: { $ref: '#number' } }],
    ['itself by name', { $id: 'urn:example:list', $defs: { n: { type: 'number' } }, type: 'array', items: { $ref: '#/$defs/n' } }],
  ])('references to %s still resolve there', (_what, schema) => {
    const fits = judge(schema)
    expect([fits({ result: [1, 2] }), fits({ result: ['x'] })]).toEqual([true, false])
  })

  test('a recursive output of zod still resolves', () => {
    const tree: z.ZodType = z.lazy(() => z.union([z.number(), z.array(tree)]))
    const fits = judge(tree)
    expect([fits({ result: [1, [2, []]] }), fits({ result: [1, ['x']] })]).toEqual([true, false])
  })
})

test('what a client is told is valid by the schemas of the protocol itself', async () => {
  for (const schema of [z.object({ id: z.string() }), z.array(z.number()), z.unknown(), z.string()])
    expect(await specTypeSchemas.Tool['~standard'].validate(describeTool(giving(schema)))).not.toHaveProperty('issues')
})
