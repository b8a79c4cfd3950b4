import { Agent, Runner } from '@openai/agents'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type AgentTurn, ScriptedAgentModel } from '../../../test/fixtures/openai-agents/scripted-agent-model.ts'
import { gate } from '../../combinators/gate/gate.ts'
import { autoReview } from '../../review/auto-review.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import { success } from '../../tool/result/returned.ts'
import { tool } from '../../tool/tool.ts'
import type { ToOpenAiAgentsOptions } from './bridge.ts'
import { toOpenAiAgents } from './to-openai-agents.ts'

const runner = new Runner({ tracingDisabled: true })

const weather = tool({
  name: 'weather',
  description: 'Tells the weather of a city.',
  inputSchema: z.object({ city: z.string(), days: z.int().min(1).default(1) }),
  effect: 'read',
  execute: ({ city, days }) => ({ city, days, degrees: 21 }),
})

async function chat(tools: readonly AgentTool[], turns: readonly AgentTurn[], options: ToOpenAiAgentsOptions = {}) {
  const bridge = await toOpenAiAgents(tools, options)
  const model = new ScriptedAgentModel(...turns)
  const agent = new Agent({ name: 'Desk', model, tools: bridge.tools })
  return { ...bridge, model, agent }
}

describe('a tool for OpenAI Agents', () => {
  test('has name, description and a strict schema, which it decodes [T10]', async () => {
    const { tools, agent, model } = await chat([weather], [[{ id: 'a', name: 'weather', args: { city: 'Bern', days: null } }], 'Mild.'])
    const [only] = tools
    expect(only).toMatchObject({ type: 'function', name: 'weather', description: 'Tells the weather of a city.', strict: true })
    expect(only?.parameters).toMatchObject({ required: ['city', 'days'], additionalProperties: false })
    const { finalOutput } = await runner.run(agent, 'How is Bern?')
    expect([finalOutput, model.told]).toEqual(['Mild.', ['{"city":"Bern","days":1,"degrees":21}']])
  })

  test('has its exact schema where strict mode has no room for it, or is not wanted [T10]', async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_none, index) => [`weather_${index}`, weather]))
    const { tools } = await toOpenAiAgents(many, { strict: 'anthropic-strict' })
    const beyond = tools.filter(({ strict }) => !strict)
    expect(beyond.length).toBeGreaterThan(0)
    expect(beyond[0]?.parameters).toEqual(weather.specification.parameters)
    const { tools: loose } = await toOpenAiAgents([weather], { strict: false })
    expect(loose[0]).toMatchObject({ strict: false, parameters: weather.specification.parameters })
  })

  test('tells the model what is wrong: arguments, broken JSON, a failure [T10]', async () => {
    const busy = tool({
      name: 'busy',
      description: 'd',
      effect: 'read',
      execute: () => {
        throw new ToolError('The line is busy.', { code: 'service_unavailable' })
      },
    })
    const { agent, model } = await chat(
      [weather, busy],
      [
        [
          { id: 'a', name: 'weather', args: { town: 'Bern' } },
          { id: 'b', name: 'weather', args: '{"city": ' },
          { id: 'c', name: 'busy', args: { input: 'x' } },
        ],
        'Well.',
      ],
    )
    const { interruptions } = await runner.run(agent, 'How?')
    expect(interruptions).toEqual([])
    expect(model.told[0]).toMatch(/^Error: Invalid input for tool 'weather'.* Correct the listed fields and call again\.$/s)
    expect(model.told[1]).toMatch(/valid JSON/)
    expect(model.told[2]).toBe('Error: The line is busy. Call again after a short pause.')
  })

  test('gives images and files as parts [T10]', async () => {
    const shot = tool({
      name: 'shot',
      description: 'd',
      effect: 'read',
      execute: () =>
        success(1, {
          text: 'See.',
          content: [
            { type: 'image', data: 'aW1n', mimeType: 'image/png' },
            { type: 'resource', uri: 'a.pdf', data: 'cGRm', mimeType: 'application/pdf' },
            { type: 'resource', uri: 'https://x.test/' },
          ],
        }),
    })
    const { agent, model } = await chat([shot], [[{ id: 'a', name: 'shot', args: { input: 'x' } }], 'Ok.'])
    await runner.run(agent, 'Shoot.')
    expect(JSON.stringify(model.told)).toContain('aW1n')
    expect(JSON.stringify(model.told)).toContain('a.pdf')
    expect(JSON.stringify(model.told)).toContain('Resource: https://x.test/')
  })

  test('runs beside others, also in a stream [T10]', async () => {
    const { agent, model } = await chat(
      [weather],
      [
        [
          { id: 'a', name: 'weather', args: { city: 'Bern', days: 1 } },
          { id: 'b', name: 'weather', args: { city: 'Rome', days: 2 } },
        ],
        'Mild.',
      ],
    )
    const stream = await runner.run(agent, 'How?', { stream: true })
    const items: string[] = []
    for await (const event of stream) if (event.type === 'run_item_stream_event') items.push(event.name)
    await stream.completed
    expect(items.filter((each) => each === 'tool_output')).toHaveLength(2)
    expect(model.told).toEqual(['{"city":"Bern","days":1,"degrees":21}', '{"city":"Rome","days":2,"degrees":21}'])
  })

  test('ends with the signal of the run [T10]', async () => {
    const heard = Promise.withResolvers<unknown>()
    const started = Promise.withResolvers<void>()
    const slow = tool({
      name: 'slow',
      description: 'd',
      effect: 'read',
      execute: (_input, { signal }) =>
        new Promise((_resolve, reject) => {
          started.resolve()
          signal.addEventListener('abort', () => {
            heard.resolve('aborted')
            reject(signal.reason as Error)
          })
        }),
    })
    const { agent } = await chat([slow], [[{ id: 'a', name: 'slow', args: { input: 'x' } }], 'Ok.'])
    const controller = new AbortController()
    const run = runner.run(agent, 'Go.', { signal: controller.signal })
    await started.promise
    controller.abort(new Error('enough'))
    await run.catch(() => undefined)
    expect(await heard.promise).toBe('aborted')
  })

  test('knows who calls by the context of the run [T10]', async () => {
    const who = tool({
      name: 'who',
      description: 'd',
      effect: 'read',
      execute: (_input, { principal, session }) => `${principal?.id} ${session}`,
    })
    const { agent, model } = await chat([who], [[{ id: 'a', name: 'who', args: { input: 'x' } }], 'Ok.'], {
      caller: ({ context }) => ({ principal: { id: (context as { user: string }).user, permissions: [] }, session: 's1' }),
    })
    await runner.run(agent, 'Who?', { context: { user: 'ada' } })
    expect(model.told).toEqual(['ada s1'])
  })

  test('asks a review handler where there is one, and the run is not interrupted [T14]', async () => {
    const deploy = gate(tool({ name: 'deploy', description: 'd', execute: (branch) => `${branch} is live` }))
    const { agent, model } = await chat([deploy], [[{ id: 'a', name: 'deploy', args: { input: 'main' } }], 'Ok.'], {
      review: autoReview(() => ({ action: 'continue' })),
    })
    expect((await runner.run(agent, 'Deploy.')).interruptions).toEqual([])
    expect(model.told).toEqual(['main is live'])
  })

  test('refuses unknown options [T10]', async () => {
    await expect(toOpenAiAgents([weather], { sesion: 'x' } as never)).rejects.toThrow(/sesion/)
    await expect(toOpenAiAgents([weather], { maxCalls: 0 })).rejects.toThrow(/maxCalls/)
    await expect(toOpenAiAgents(weather as never)).rejects.toThrow(/takes a list of tools/)
  })
})
