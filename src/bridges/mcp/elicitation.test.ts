import { specTypeSchemas } from '@modelcontextprotocol/server'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { gate } from '../../combinators/gate/gate.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import { recordingReview } from '../../testing/recording-review.ts'
import type { ReviewRequest } from '../../tool/review.ts'
import { tool } from '../../tool/tool.ts'
import { decisionOf, elicitation } from './elicitation.ts'

function only(requests: readonly ReviewRequest[]): ReviewRequest {
  const [request] = requests
  if (request === undefined) throw new Error('Nobody was asked.')
  return request
}

/** The request that a question with this schema makes. */
async function question(answerSchema: unknown): Promise<ReviewRequest> {
  const recorder = recordingReview(() => ({ action: 'reject' }))
  const asks = tool({
    name: 'asks',
    description: 'Asks.',
    effect: 'read',
    execute: (_text, { ask }) => ask({ question: 'Which?', answerSchema }),
  })
  await asks.call('', { review: recorder })
  return only(recorder.requests)
}

async function approval(input: unknown, inputSchema: z.ZodType = z.unknown()): Promise<ReviewRequest> {
  const recorder = recordingReview(() => ({ action: 'reject' }))
  const pays = tool({ name: 'pays', description: 'Pays.', inputSchema, execute: () => 'paid' })
  await gate(pays, { why: 'Money.' }).call(input, { review: recorder })
  return only(recorder.requests)
}

/** Reads as an approval wherever it counts. */
const approving = { decision: 'approve', answer: 'x' }
const accepted = (content: unknown): unknown => ({ action: 'accept', content })

describe('forms', () => {
  test('an approval shows why, what and how risky, and asks for a decision', async () => {
    const Payment = z.object({ amount: z.number(), password: z.string() })
    expect(elicitation(await approval({ amount: 5, password: 'hunter2' }, Payment))).toMatchObject({
      message: expect.stringMatching(
        /^--- Approval wanted ---\ntool {4}pays@0\.0\.0\nrisk {4}high\n[^]*\nwhy {5}Money\.\ninput\n {2}\| \{\n {2}\| {3}"amount": 5,\n {2}\| {3}"password": "(?!hunter2).*"\n {2}\| \}$/,
      ),
      requestedSchema: { properties: { decision: { enum: ['approve', 'reject', 'edit', 'stop'] } }, required: ['decision'] },
    })
  })

  const whole = z.object({
    id: z.uuid().describe('Its id'),
    mail: z.email(),
    at: z.iso.datetime(),
    nights: z.int().min(1).max(30),
    rate: z.number().optional(),
    kind: z.enum(['a', 'b']).default('a'),
    always: z.literal('x'),
    sure: z.boolean(),
    tags: z.array(z.enum(['t', 'u'])).max(2),
    code: z.string().regex(/^[A-Z]+$/),
  })

  test('a flat answer is asked for field by field, in what the protocol knows of schemas [T16]', async () => {
    const { requestedSchema } = elicitation(await question(whole))
    expect(requestedSchema.properties).toEqual({
      id: { type: 'string', description: 'Its id' },
      mail: { type: 'string', format: 'email' },
      at: { type: 'string', format: 'date-time' },
      nights: { type: 'integer', minimum: 1, maximum: 30 },
      rate: { type: 'number' },
      kind: { type: 'string', enum: ['a', 'b'], default: 'a' },
      always: { type: 'string', enum: ['x'] },
      sure: { type: 'boolean' },
      tags: { type: 'array', items: { type: 'string', enum: ['t', 'u'] }, maxItems: 2 },
      code: { type: 'string' },
    })
    expect(requestedSchema.required?.toSorted()).toEqual(['always', 'at', 'code', 'id', 'mail', 'nights', 'sure', 'tags'])
  })

  test.each<[string, unknown, JsonSchema]>([
    ['a text', z.string().max(5), { type: 'string', maxLength: 5 }],
    ['a number', z.number(), { type: 'number' }],
    ['yes or no', z.boolean(), { type: 'boolean' }],
    ['a choice', z.enum(['a', 'b']), { type: 'string', enum: ['a', 'b'] }],
  ])('%s is asked for as one field', async (_what, schema, field) => {
    expect(elicitation(await question(schema)).requestedSchema).toEqual({
      type: 'object',
      properties: { answer: field },
      required: ['answer'],
      'x-toolwright': { kind: 'question' },
    })
  })

  test.each([
    ['fields inside of fields', z.object({ to: z.object({ city: z.string() }) })],
    ['a list', z.array(z.number())],
    ['a list of free texts', z.object({ tags: z.array(z.string()) })],
    ['one of several', z.union([z.string(), z.number()])],
    ['a field that may be null', z.object({ x: z.string().nullable() })],
    ['any fields', z.record(z.string(), z.string())],
    ['anything', z.unknown()],
  ])('%s are asked for as JSON text, with the schema', async (_what, schema) => {
    const { properties } = elicitation(await question(schema)).requestedSchema
    expect(properties).toEqual({ answer: { type: 'string', title: 'Answer', description: expect.stringContaining('As JSON that fits {') } })
  })

  test('every form is valid by the schemas of the protocol itself', async () => {
    const schemas = [whole, z.string(), z.array(z.number()), z.object({ a: z.object({}) }), z.object({})]
    const requests = [await approval({ amount: 1 }), ...(await Promise.all(schemas.map(question)))]
    for (const request of requests)
      expect(await specTypeSchemas.ElicitRequestFormParams['~standard'].validate(elicitation(request))).not.toHaveProperty('issues')
  })
})

describe('answers', () => {
  test.each([
    [z.object({ city: z.string() }), { city: 'Oslo' }, { city: 'Oslo' }],
    [z.string(), { answer: 'Oslo' }, 'Oslo'],
    [z.array(z.number()), { answer: '[1,2]' }, [1, 2]],
    [z.object({ a: z.object({ b: z.null() }) }), { answer: '{"a":{"b":null}}' }, { a: { b: null } }],
    [z.null(), { answer: 'null' }, null],
  ])('%# the answer of a form reaches the tool', async (schema, content, value) => {
    expect(decisionOf(await question(schema), accepted(content))).toEqual({ action: 'answer', value })
  })

  test.each([
    ['text that is no JSON', z.array(z.number()), { answer: '[1' }],
    ['JSON that is no text', z.array(z.number()), { answer: [1] }],
    ['nothing', z.string(), {}],
  ])('%s is a rejection', async (_what, schema, content) => {
    expect(decisionOf(await question(schema), accepted(content))).toMatchObject({ action: 'reject' })
  })

  test.each([
    { content: approving },
    { action: 'cancel', content: approving },
    { action: 'ACCEPT', content: approving },
    undefined,
    null,
    7,
    'accept',
    [],
    {},
    { action: 'approve' },
    { action: ['accept'] },
    { action: 'cancel' },
    { action: 'cancel', content: { reason: 'Mine.' } },
  ])('the response %j decides for a rejection [T14]', async (response) => {
    expect(decisionOf(await approval({}), response)).toMatchObject({ action: 'reject', reason: expect.any(String) })
    expect(decisionOf(await question(z.string()), response)).toMatchObject({ action: 'reject' })
  })

  test.each([
    [{ action: 'decline' }, undefined],
    [{ action: 'decline', content: {} }, undefined],
    [{ action: 'decline', content: { reason: 7 } }, undefined],
    [{ action: 'decline', content: { reason: 'Ask me on Monday.' } }, 'Ask me on Monday.'],
  ])('the response %j is a rejection in the words of the person, and in no others [T14]', async (response, reason) => {
    for (const request of [await approval({}), await question(z.string())])
      expect(decisionOf(request, response)).toEqual({ action: 'reject', reason })
  })

  test.each<[unknown, object]>([
    [
      { decision: 'approve', reason: 'fine' },
      { action: 'continue', note: 'fine' },
    ],
    [
      { decision: 'stop', reason: '' },
      { action: 'stop', reason: undefined },
    ],
    [
      { decision: 'edit', input: '{"amount":1}' },
      { action: 'edit', patch: { amount: 1 } },
    ],
    [
      { decision: 'edit', input: '[1]' },
      { action: 'edit', input: [1] },
    ],
    [{ decision: 'edit', input: '{' }, { action: 'reject' }],
    [{ decision: 'edit', input: 5 }, { action: 'reject' }],
    [{ decision: 'edit' }, { action: 'reject' }],
    [
      { decision: 'reject', reason: 'no' },
      { action: 'reject', reason: 'no' },
    ],
    [
      { decision: 'reject', reason: { a: 1 } },
      { action: 'reject', reason: undefined },
    ],
    [{ decision: true }, { action: 'reject', reason: 'The form came back without a decision.' }],
    [['approve'], { action: 'reject' }],
    [{ __proto__: { decision: 'approve' } }, { action: 'reject' }],
  ])('%# the form %j', async (content, decision) => {
    const parsed: unknown = JSON.parse(JSON.stringify(content))
    expect(decisionOf(await approval({ amount: 5 }), accepted(parsed))).toMatchObject(decision)
  })

  test('a text is edited as it stands', async () => {
    expect(decisionOf(await approval('"quoted"'), accepted({ decision: 'edit', input: '"other"' }))).toEqual({
      action: 'edit',
      input: '"other"',
    })
  })
})

describe('a text that cannot be shown as it is', () => {
  const hidden = 'yes\u202Eon'
  const formOf = async (answerSchema: JsonSchema): Promise<unknown> => elicitation(await question(answerSchema)).requestedSchema.properties

  test('is the name of no field: the answer is JSON', async () => {
    expect(await formOf({ type: 'object', properties: { [hidden]: { type: 'string' } } })).toMatchObject({ answer: { type: 'string' } })
  })

  test('is no default', async () => {
    const fields = { plain: { type: 'string', default: 'yes' }, odd: { type: 'string', default: hidden } }
    expect(await formOf({ type: 'object', properties: fields })).toEqual({
      plain: { type: 'string', default: 'yes' },
      odd: { type: 'string' },
    })
  })

  test('is a choice with a title, and a default that is no choice is left out', async () => {
    const fields = { odd: { type: 'string', enum: ['a', hidden], default: 'a' }, other: { type: 'string', enum: ['a'], default: 'b' } }
    const form = (await formOf({ type: 'object', properties: fields })) as Record<string, object>
    expect(form['other']).toEqual({ type: 'string', enum: ['a'] })
    expect(form['odd']).toMatchObject({ default: 'a', oneOf: [{ const: 'a' }, { const: hidden }] })
    expect(JSON.stringify((form['odd'] as { oneOf: { title: string }[] }).oneOf.map(({ title }) => title))).not.toContain('\u202E')
  })
})
