import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import type { CallOptions, Logger } from 'toolwright'
import { createTrace, openTelemetry } from 'toolwright/telemetry'

/** Calls a tool and gives all that one outlet told of it. */
type Outlet = (call: (options: CallOptions) => Promise<unknown>) => Promise<string>

export function collectingLogger(lines: string[]): Logger {
  const note = (fields: object, message: string): void => void lines.push(JSON.stringify(fields), inspect(fields, { depth: 12 }), message)
  return { trace: note, debug: note, info: note, warn: note, error: note }
}

/** By name, each place where the library tells of a call. */
export const OUTLETS: Readonly<Record<string, Outlet>> = {
  'the log': async (call) => {
    const lines: string[] = []
    await call({ log: collectingLogger(lines) })
    return lines.join('\n')
  },
  'events as JSON': async (call) => {
    const told: string[] = []
    await call({ on: (event) => void told.push(JSON.stringify(event)) })
    return told.join('\n')
  },
  'events as printed': async (call) => {
    const told: string[] = []
    await call({ on: (event) => void told.push(inspect(event, { depth: 12 })) })
    return told.join('\n')
  },
  'the attributes of spans': async (call) => {
    const exporter = new InMemorySpanExporter()
    const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })
    await call({ on: openTelemetry({ tracer: provider.getTracer('attack'), captureContent: true }) })
    await provider.forceFlush()
    const spans = exporter.getFinishedSpans()
    assert.ok(spans.length > 0)
    return JSON.stringify(spans.map(({ name, attributes, status, events }) => ({ name, attributes, status, events })))
  },
  'the trace': async (call) => {
    const trace = createTrace()
    await call({ on: trace })
    return JSON.stringify(trace.spans)
  },
}

/** Rejects if an outlet shows a text that it must never show, or shows nothing. */
export async function keeps(
  outlet: string,
  tellers: { readonly call: (options: CallOptions) => Promise<unknown>; readonly never: readonly string[] },
): Promise<void> {
  const told = await OUTLETS[outlet]!(tellers.call)
  assert.ok(told.length > 0, 'nothing was told')
  for (const each of tellers.never) assert.ok(!told.includes(each), `${outlet} shows ${each}`)
}
