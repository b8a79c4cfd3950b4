import { TracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace'
import { expect, test } from 'vitest'
import { scriptedModel } from '../../test/fixtures/scripted-language-model.ts'
import { openTelemetry } from '../telemetry/open-telemetry.ts'
import { tool } from '../tool/tool.ts'
import { agent } from './agent.ts'

test('spans follow the GenAI conventions: invoke_agent, chat and execute_tool, with their tokens [T18]', async () => {
  const exporter = new InMemorySpanExporter()
  const tracer = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }).getTracer('test')
  const weather = tool({ name: 'weather', description: 'Tells the weather.', effect: 'read', execute: (city) => `${city}: rain` })
  const { model } = scriptedModel({ calls: [['weather', { input: 'Oslo' }]] }, 'It rains.')
  await agent({ name: 'guide', role: 'Guide', goal: 'Help.', model, tools: [weather] }).run('How is Oslo?', {
    on: openTelemetry({ tracer }),
  })
  const spans = exporter.getFinishedSpans()
  expect(spans.map(({ name }) => name)).toEqual(['chat scripted-1', 'execute_tool weather', 'chat scripted-1', 'invoke_agent guide'])
  expect(spans[0]?.attributes).toMatchObject({
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'scripted-1',
    'gen_ai.provider.name': 'scripted',
    'gen_ai.usage.input_tokens': 10,
    'gen_ai.usage.output_tokens': 5,
  })
  expect(spans[1]?.attributes).toMatchObject({ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.agent.name': 'guide' })
  expect(spans[3]?.attributes).toMatchObject({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'guide',
    'gen_ai.usage.input_tokens': 20,
    'gen_ai.usage.output_tokens': 10,
  })
})
