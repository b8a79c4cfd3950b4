import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { context as ambient, metrics, propagation, ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { compound } from '../tool/compound.ts'
import { failure } from '../tool/result/returned.ts'
import { tool } from '../tool/tool.ts'
import { openTelemetry } from './open-telemetry.ts'
import { startTelemetry, type StartTelemetryOptions, type Telemetry } from './start-telemetry.ts'

const running: Telemetry[] = []
afterEach(async () => {
  for (const telemetry of running.splice(0)) await telemetry.shutdown()
})

async function start(options: StartTelemetryOptions): Promise<Telemetry> {
  const telemetry = await startTelemetry(options)
  running.push(telemetry)
  return telemetry
}

async function scrape(url: string | undefined): Promise<string> {
  const response = await fetch(url ?? 'about:blank')
  expect(response.status).toBe(200)
  return response.text()
}

const roll = tool({ name: 'roll', description: 'Rolls.', effect: 'read', execute: () => 4 })
const lose = tool({ name: 'lose', description: 'Loses.', effect: 'read', execute: () => failure('Lost.') })
const game = compound({
  name: 'game',
  description: 'Plays.',
  parts: { roll, lose },
  run: async (input, context, parts) => {
    await context.call('first', parts.roll, input)
    return context.call('second', parts.lose, input)
  },
})

function collecting(): { readonly exporter: SpanExporter; readonly spans: ReadableSpan[] } {
  const spans: ReadableSpan[] = []
  return {
    spans,
    exporter: {
      export: (batch, done) => {
        spans.push(...batch)
        done({ code: 0 })
      },
      shutdown: async () => {},
    },
  }
}

describe('Prometheus', () => {
  test('scrapes one of success, failure or error for every call, with durations, by tool and agent [T12]', async () => {
    const telemetry = await start({ prometheus: { port: 0 }, serviceName: 'casino' })
    for (let round = 0; round < 3; round++) await game.call('', { on: telemetry.observer, agent: 'dealer' })
    await roll.call('', { on: telemetry.observer })
    const lines = (await scrape(telemetry.metricsUrl)).split('\n')
    expect(lines.filter((line) => line.startsWith('toolwright_tool_calls_total'))).toEqual([
      'toolwright_tool_calls_total{gen_ai_tool_name="roll",gen_ai_agent_name="dealer",toolwright_outcome="success",otel_scope_name="toolwright"} 3',
      'toolwright_tool_calls_total{gen_ai_tool_name="lose",gen_ai_agent_name="dealer",toolwright_outcome="failure",otel_scope_name="toolwright"} 3',
      'toolwright_tool_calls_total{gen_ai_tool_name="game",gen_ai_agent_name="dealer",toolwright_outcome="failure",otel_scope_name="toolwright"} 3',
      'toolwright_tool_calls_total{gen_ai_tool_name="roll",toolwright_outcome="success",otel_scope_name="toolwright"} 1',
    ])
    expect(lines.filter((line) => /^gen_ai_execute_tool_duration_count.*"lose"/.test(line))).toEqual([
      'gen_ai_execute_tool_duration_count{gen_ai_tool_name="lose",gen_ai_agent_name="dealer",gen_ai_tool_type="function",error_type="tool_failed",otel_scope_name="toolwright"} 3',
    ])
    expect(lines.find((line) => line.startsWith('target_info'))).toContain('service_name="casino"')
  })

  test('is served on loopback, under one path, and without the arguments of the process', async () => {
    const telemetry = await start({ prometheus: { port: 0 } })
    expect(telemetry.metricsUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/)
    expect((await fetch(new URL('/', telemetry.metricsUrl))).status).toBe(404)
    expect((await fetch(telemetry.metricsUrl ?? '', { method: 'POST' })).status).toBe(404)
    await roll.call('', { on: telemetry.observer })
    expect(await scrape(telemetry.metricsUrl)).not.toContain('process_')
  })

  test('a port in use, or none at all, is a clear error, and nothing is left behind', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      taken.close()
    })
    const { port } = taken.address() as AddressInfo
    await expect(startTelemetry({ prometheus: { port } })).rejects.toMatchObject({
      name: 'ConfigurationError',
      code: 'invalid_option',
      message: `Port ${port} of 127.0.0.1 is in use, so that Prometheus could not read metrics there. Choose another, or 0 for any free one.`,
    })
    for (const wrong of [-1, 65_536, 1.5, Number.NaN]) {
      await expect(startTelemetry({ prometheus: { port: wrong } })).rejects.toThrow('whole number from 0 to 65535')
    }
    await expect(startTelemetry({ prometheus: { port: 0, host: '192.0.2.1' } })).rejects.toThrow('cannot be bound (EADDRNOTAVAIL)')
    expect((await start({ prometheus: { port: 0 } })).metricsUrl).toBeDefined()
  })
})

describe('traces', () => {
  test('go to the exporter by the time of shutdown, nested under the span that is active', async () => {
    const { exporter, spans } = collecting()
    const telemetry = await start({ traces: exporter, serviceName: 'casino' })
    expect(telemetry.metricsUrl).toBeUndefined()
    await trace.getTracer('test').startActiveSpan('request', async (span) => {
      await game.call('', { on: telemetry.observer })
      span.end()
    })
    await telemetry.shutdown()
    expect(spans.map((span) => span.name)).toEqual(['execute_tool roll', 'execute_tool lose', 'execute_tool game', 'request'])
    expect(new Set(spans.map((span) => span.spanContext().traceId)).size).toBe(1)
    expect(spans[0]?.resource.attributes['service.name']).toBe('casino')
  })

  test('an observer that is older than the SDK reports once it runs', async () => {
    const on = openTelemetry()
    await roll.call('', { on })
    const { exporter, spans } = collecting()
    const telemetry = await start({ traces: exporter, prometheus: { port: 0 } })
    await lose.call('', { on })
    expect(await scrape(telemetry.metricsUrl)).toContain('gen_ai_tool_name="lose"')
    await telemetry.shutdown()
    expect(spans.map((span) => span.name)).toEqual(['execute_tool lose'])
  })
})

describe('the life of telemetry', () => {
  test('it can be stopped twice, gives up what it registered, and can be started again', async () => {
    const first = await start({ prometheus: { port: 0 }, traces: collecting().exporter })
    await Promise.all([first.shutdown(), first.shutdown()])
    await expect(fetch(first.metricsUrl ?? '')).rejects.toThrow('fetch failed')
    expect(propagation.fields()).toEqual([])
    const second = await start({ prometheus: { port: 0 } })
    await first.shutdown()
    await roll.call('', { on: second.observer })
    expect(await scrape(second.metricsUrl)).toContain('gen_ai_tool_name="roll"')
  })

  test('a scraper that never finishes its request does not hold it up', async () => {
    const telemetry = await start({ prometheus: { port: 0 } })
    const socket = connect(Number(new URL(telemetry.metricsUrl ?? '').port), '127.0.0.1')
    await once(socket, 'connect')
    socket.on('error', () => {}).write('GET /metrics HTTP/1.1\r\nHost: x')
    await scrape(telemetry.metricsUrl)
    await telemetry.shutdown()
    await expect(fetch(telemetry.metricsUrl ?? '')).rejects.toThrow('fetch failed')
  })

  test('it does not take the place of what the process has set up', async () => {
    const own = new MeterProvider()
    metrics.setGlobalMeterProvider(own)
    onTestFinished(() => metrics.disable())
    await expect(startTelemetry({ prometheus: { port: 0 } })).rejects.toThrow('set up in this process already')
    expect(metrics.getMeterProvider()).toBe(own)
    const telemetry = await start({ traces: collecting().exporter })
    await telemetry.shutdown()
    expect(metrics.getMeterProvider()).toBe(own)
    expect(
      ambient.with(ROOT_CONTEXT.setValue(Symbol.for('probe'), 1), () => ambient.active().getValue(Symbol.for('probe'))),
    ).toBeUndefined()
  })

  test('it wants something to do', async () => {
    await expect(startTelemetry({})).rejects.toMatchObject({ code: 'invalid_option' })
  })

  test('OTEL_SDK_DISABLED turns it off', async () => {
    vi.stubEnv('OTEL_SDK_DISABLED', 'true')
    onTestFinished(() => {
      vi.unstubAllEnvs()
    })
    const { exporter, spans } = collecting()
    const telemetry = await start({ prometheus: { port: 0 }, traces: exporter })
    await roll.call('', { on: telemetry.observer })
    await telemetry.shutdown()
    expect(telemetry.metricsUrl).toBeUndefined()
    expect(spans).toEqual([])
  })
})

test('without the packages the error names the one to install', async () => {
  const home = await mkdtemp(join(tmpdir(), 'toolwright-bare-'))
  onTestFinished(() => rm(home, { recursive: true }))
  const installed = join(home, 'node_modules', '@opentelemetry')
  await cp(join(import.meta.dirname, '..'), join(home, 'src'), { recursive: true })
  await mkdir(installed, { recursive: true })
  const program = `
    const { startTelemetry, openTelemetry, createTrace } = await import(${JSON.stringify(pathToFileURL(join(home, 'src', 'telemetry', 'index.ts')).href)})
    createTrace()
    const attempts = [async () => openTelemetry(), () => startTelemetry({ prometheus: { port: 0 } })]
    for (const attempt of attempts) await attempt().catch((error) => console.log(error.code, error.message))
  `
  const errors = async (): Promise<readonly string[]> =>
    (await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], { cwd: home })).stdout.trim().split('\n')
  const install = (name: string): Promise<void> =>
    symlink(join(import.meta.dirname, '../../node_modules/@opentelemetry', name), join(installed, name))
  expect(await errors()).toEqual([
    "missing_package Install '@opentelemetry/api' to report calls to OpenTelemetry: npm install @opentelemetry/api",
    "missing_package Install '@opentelemetry/api' to start telemetry: npm install @opentelemetry/api",
  ])
  await install('api')
  expect(await errors()).toEqual([
    "missing_package Install '@opentelemetry/sdk-node' to start telemetry: npm install @opentelemetry/sdk-node",
  ])
  await install('sdk-node')
  expect(await errors()).toEqual([
    "missing_package Install '@opentelemetry/exporter-prometheus' to start telemetry: npm install @opentelemetry/exporter-prometheus",
  ])
})
