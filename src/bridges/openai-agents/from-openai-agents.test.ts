import { applyPatchTool, type RunContext, tool as agentsTool, webSearchTool } from '@openai/agents'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { autoReview } from '../../review/auto-review.ts'
import { createRuntime } from '../../runtime/create-runtime.ts'
import { fromOpenAiAgents, openAiAgentsPeer } from './from-openai-agents.ts'

const weather = agentsTool({
  name: 'weather',
  description: 'Tells the weather of a city.',
  parameters: z.object({ city: z.string().min(2) }),
  execute: ({ city }) => ({ city, degrees: 21 }),
})

const asked: string[] = []
const review = autoReview((request) => (asked.push(request.tool), { action: 'reject' }))

describe('a function tool of OpenAI Agents as ours', () => {
  test('keeps name, description, schema and value, and counts as irreversible without an effect [T10]', async () => {
    const [adopted] = await fromOpenAiAgents([weather])
    expect(adopted).toMatchObject({ name: 'weather', description: 'Tells the weather of a city.', effect: 'irreversible' })
    expect({ $schema: 'http://json-schema.org/draft-07/schema#', ...adopted.specification.parameters }).toEqual(weather.parameters)
    expect(await adopted.call({ city: 'Bern' })).toMatchObject({ ok: true, value: { city: 'Bern', degrees: 21 } })
    expect(await adopted.call({ city: 'B' })).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
  })

  test('gets a context, the id of the call and its signal [T10]', async () => {
    const seen: unknown[] = []
    const look = agentsTool({
      name: 'look',
      description: 'd',
      parameters: z.object({}),
      execute: (_input, runContext: RunContext<{ user: string }> | undefined, details) => {
        seen.push(runContext?.context.user, details?.toolCall?.name, details?.signal)
        return 'ok'
      },
    })
    const [adopted] = await fromOpenAiAgents([look], { context: { user: 'ada' } })
    await adopted.call({})
    expect(seen).toEqual(['ada', 'look', expect.any(AbortSignal)])
  })

  test.each<[string, boolean | (() => Promise<boolean>) | undefined, boolean]>([
    ['says nothing', undefined, false],
    ['says no', false, false],
    ['says yes', true, true],
    ['has a rule of its own, which cannot be waited for', () => Promise.resolve(false), true],
  ])('asks a person as it says: it %s [T14]', async (_what, needsApproval, isAsked) => {
    const pay = agentsTool({
      name: 'pay',
      description: 'd',
      parameters: z.object({}),
      execute: () => 'paid',
      ...(needsApproval === undefined ? {} : { needsApproval }),
    })
    const [adopted] = await fromOpenAiAgents([pay])
    expect(await adopted.call({}, { review })).toMatchObject({ ok: !isAsked })
  })

  test('fails where the SDK tells the model of an error [T10]', async () => {
    const broken = agentsTool({
      name: 'broken',
      description: 'd',
      parameters: z.object({}),
      execute: () => Promise.reject(new Error('secret')),
    })
    const loud = agentsTool({
      name: 'loud',
      description: 'd',
      parameters: z.object({}),
      errorFunction: null,
      execute: () => Promise.reject(Object.assign(new Error('Busy.'), { status: 503 })),
    })
    const [silent, thrown] = await fromOpenAiAgents([broken, loud])
    expect(await silent.call({})).toMatchObject({ ok: false, error: { message: 'The tool failed, and does not say why.' } })
    expect(await thrown.call({})).toMatchObject({ ok: false, error: { code: 'service_unavailable' } })
  })

  test('gives texts, images and files as content [T10]', async () => {
    const shot = agentsTool({
      name: 'shot',
      description: 'd',
      parameters: z.object({}),
      execute: () => [
        { type: 'text', text: 'See.' },
        { type: 'image', image: { data: 'aW1n', mediaType: 'image/png' } },
        { type: 'image', image: 'data:image/gif;base64,R0lG' },
        { type: 'file', file: { url: 'https://x.test/a.pdf' } },
        { type: 'file', file: { data: 'cGRm', mediaType: 'application/pdf', filename: 'a.pdf' } },
      ],
    })
    const [adopted] = await fromOpenAiAgents([shot])
    expect(await adopted.call({})).toMatchObject({
      text: 'See.',
      content: [
        { type: 'image', data: 'aW1n', mimeType: 'image/png' },
        { type: 'image', data: 'R0lG', mimeType: 'image/gif' },
        { type: 'resource', uri: 'https://x.test/a.pdf' },
        { type: 'resource', uri: 'a.pdf', data: 'cGRm', mimeType: 'application/pdf' },
      ],
    })
  })

  test.each<[string, unknown, RegExp]>([
    ['a hosted tool', webSearchTool(), /runs inside the SDK or at its provider/],
    ['a patch tool', applyPatchTool({ editor: {} as never }), /runs inside the SDK or at its provider/],
    ['nothing', {}, /no tool/],
    [
      'guardrails',
      agentsTool({
        name: 'g',
        description: 'd',
        parameters: z.object({}),
        execute: () => '',
        inputGuardrails: [{ name: 'x', run: () => Promise.resolve({ behavior: { type: 'allow' } }) }],
      }),
      /guardrails/,
    ],
    [
      'a switch',
      agentsTool({ name: 's', description: 'd', parameters: z.object({}), execute: () => '', isEnabled: () => false }),
      /isEnabled/,
    ],
  ])('is refused where something of it would be lost: %s [T10]', async (_what, foreign, words) => {
    await expect(fromOpenAiAgents([foreign] as never)).rejects.toThrow(words)
  })

  test('stands in the list of a runtime by its peer, and misspelt names are refused [T10]', async () => {
    const runtime = createRuntime({ tools: [weather], peers: [openAiAgentsPeer({ metadata: { weather: { effect: 'read' } } })] })
    expect((await runtime.callByName('weather', '{"city":"Bern"}')).text).toBe('{"city":"Bern","degrees":21}')
    await expect(fromOpenAiAgents([weather], { metadata: { wether: {} } })).rejects.toThrow(/'wether'/)
    await expect(fromOpenAiAgents([weather], { metdata: {} } as never)).rejects.toThrow(/metdata/)
    await expect(fromOpenAiAgents(weather as never)).rejects.toThrow(/takes a list/)
  })
})
