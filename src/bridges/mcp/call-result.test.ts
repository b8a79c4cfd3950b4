import { specTypeSchemas } from '@modelcontextprotocol/server'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { failure, success } from '../../tool/result/returned.ts'
import { tool } from '../../tool/tool.ts'
import { callResult } from './call-result.ts'

/** What a client is told when a tool gives this. */
async function told(value: unknown, outputSchema?: z.ZodType): Promise<ReturnType<typeof callResult>> {
  const definition = { name: 'gives', description: 'Gives.', effect: 'read', execute: () => value } as const
  const gives = (outputSchema === undefined ? tool(definition) : tool({ ...definition, outputSchema })) as AgentTool<string>
  const result = callResult(gives, await gives.call(''))
  expect(await specTypeSchemas.CallToolResult['~standard'].validate(JSON.parse(JSON.stringify(result)))).not.toHaveProperty('issues')
  return result
}

const text = (expected: unknown): object => ({ content: [{ type: 'text', text: expected }] })

test('a tool that declares no output gives its text alone [T6]', async () => {
  expect(await told({ a: 1 })).toEqual(text('{"a":1}'))
  expect(await told(undefined)).toEqual(text(''))
})

test('an output stands as it is or under `result`, as the tool was described [T6]', async () => {
  expect(await told({ a: 1 }, z.object({ a: z.number() }))).toMatchObject({ structuredContent: { a: 1 } })
  expect(await told([1], z.array(z.number()))).toMatchObject({ structuredContent: { result: [1] } })
  expect(await told(null, z.null())).toMatchObject({ structuredContent: { result: null } })
  expect(await told({ a: 1 }, z.unknown())).toMatchObject({ structuredContent: { result: { a: 1 } } })
})

test('a big integer is told as text, in both places', async () => {
  expect(await told({ n: 2n ** 64n }, z.object({ n: z.unknown() }))).toEqual({
    ...text('{"n":"18446744073709551616"}'),
    structuredContent: { n: '18446744073709551616' },
  })
})

test('a value that has no JSON form is a failure that says that the work was done, not a result without its structure', async () => {
  const loop: Record<string, unknown> = {}
  loop['self'] = loop
  expect(await told(loop, z.unknown())).toMatchObject({ isError: true, ...text(expect.stringContaining('did its work')) })
  expect(await told(loop)).toMatchObject({ content: [{ text: expect.stringContaining('JSON cannot hold') }] })
})

test('parts follow the text', async () => {
  const content = [
    { type: 'text', text: 'more' },
    { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
    { type: 'resource', uri: 'memo://1', data: 'AAAA', mimeType: 'x/y' },
    { type: 'resource', uri: 'memo://2', text: '' },
    { type: 'resource', uri: 'memo://3' },
    { type: 'resource', uri: 'memo://4', name: 'The fourth' },
  ] as const
  expect((await told(success('the text', { content }))).content).toEqual([
    { type: 'text', text: 'the text' },
    { type: 'text', text: 'more' },
    { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
    { type: 'resource', resource: { uri: 'memo://1', blob: 'AAAA', mimeType: 'x/y' } },
    { type: 'resource', resource: { uri: 'memo://2', text: '' } },
    { type: 'resource_link', name: 'memo://3', uri: 'memo://3' },
    { type: 'resource_link', name: 'The fourth', uri: 'memo://4' },
  ])
})

test('a failure says what went wrong and what to do, and its code stands beside it [T6]', async () => {
  expect(await told(failure('The disk is full.', { code: 'execution_failed', hint: 'Delete something.' }))).toEqual({
    isError: true,
    ...text('Error: The disk is full.\nDelete something.'),
    _meta: {
      'toolwright/error': {
        code: 'execution_failed',
        class: expect.any(String),
        retryable: expect.any(Boolean),
        outcome: 'failed',
        hint: 'Delete something.',
      },
    },
  })
})

test('what to do is not said twice', async () => {
  const { content } = await told(failure('The disk is full. Delete something.', { hint: 'Delete something.' }))
  expect(content).toEqual([{ type: 'text', text: 'Error: The disk is full. Delete something.' }])
})

test('the cause of a failure is not told', async () => {
  const leaks = tool({
    name: 'leaks',
    description: 'Leaks.',
    effect: 'read',
    execute: () => {
      throw new Error('cannot log in', { cause: { query: 'select password' } })
    },
  }) as AgentTool<string>
  const sent = JSON.stringify(callResult(leaks, await leaks.call('')))
  expect(sent).toContain('cannot log in')
  expect(sent).not.toMatch(/select password|\.ts:/)
})

test('a result that is larger than one message may be is a failure that shows how it begins', async () => {
  const large = tool({
    name: 'large',
    description: 'Gives much.',
    outputSchema: z.object({ text: z.string() }),
    effect: 'read',
    execute: (input) => ({ text: 'ä'.repeat(Number(input)) }),
  }) as AgentTool<string>
  const sized = async (characters: number) => callResult(large, await large.call(String(characters)))
  const fits = await sized(2_000_000)
  expect(fits).toMatchObject({ structuredContent: { text: expect.any(String) } })
  const tooLarge = await sized(3_000_000)
  expect(tooLarge).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/'large' did its work[^]*It begins: \{"text":"ä/) }],
  })
  expect(JSON.stringify(tooLarge).length).toBeLessThan(2000)
  const brief = tool({
    name: 'brief',
    description: 'Says little of much.',
    outputSchema: z.object({ text: z.string() }),
    effect: 'read',
    execute: () => success({ text: 'x'.repeat(11_000_000) }, { text: 'much' }),
  }) as AgentTool<string>
  expect(callResult(brief, await brief.call(''))).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('It begins: much') }],
  })
})
