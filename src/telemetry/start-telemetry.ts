import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type * as OpenTelemetry from '@opentelemetry/api'
import type * as Prometheus from '@opentelemetry/exporter-prometheus'
import type * as NodeSdk from '@opentelemetry/sdk-node'
import type { NodeSDKConfiguration } from '@opentelemetry/sdk-node'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import type { Observer } from '../tool/event.ts'
import { missingPackage } from '../tool/missing-package.ts'
import { openTelemetry, type OpenTelemetryOptions } from './open-telemetry.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'

/** The options of `startTelemetry`. */
export interface StartTelemetryOptions extends Pick<OpenTelemetryOptions, 'captureContent'> {
  /** Where Prometheus reads metrics. Port 0 takes any free one; the host is 127.0.0.1 unless another is named. */
  readonly prometheus?: { readonly port: number; readonly host?: string | undefined } | undefined
  /** Where spans go: an exporter, or `'environment'` for the settings of the `OTEL_*` variables (OTLP to localhost:4318 where they are not set). */
  readonly traces?: 'environment' | NodeSDKConfiguration['traceExporter'] | undefined
  /** The default is `OTEL_SERVICE_NAME`, else `toolwright`. */
  readonly serviceName?: string | undefined
}

const NAMES = optionNames<StartTelemetryOptions>({ prometheus: true, traces: true, serviceName: true, captureContent: true })

/** Telemetry that was started, until it is shut down. */
export interface Telemetry {
  /** Pass it as `on` to calls, or to `createRuntime`. */
  readonly observer: Observer
  /** The address for Prometheus to scrape. */
  readonly metricsUrl: string | undefined
  /** Sends the remaining data and stops. */
  readonly shutdown: () => Promise<void>
}

/**
 * Starts the OpenTelemetry SDK of this process, for metrics, traces or both. `OTEL_SDK_DISABLED=true` turns it off.
 * @example
 * const telemetry = await startTelemetry({ prometheus: { port: 0 }, serviceName: 'refund-desk' })
 * await roll.call('', { on: telemetry.observer })
 * console.log(telemetry.metricsUrl) // such as http://127.0.0.1:40123/metrics
 * await telemetry.shutdown()
 */
export async function startTelemetry(options: StartTelemetryOptions): Promise<Telemetry> {
  checkOptionNames(options, NAMES, 'The options of startTelemetry')
  const { prometheus, traces, captureContent } = options
  if (prometheus !== undefined) checkOptionNames(prometheus, ['port', 'host'], "The options of 'prometheus' of startTelemetry")
  if (prometheus === undefined && traces === undefined)
    throw new ConfigurationError('invalid_option', 'startTelemetry has nothing to do: give it prometheus, traces or both.')
  if (process.env['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true') return OFF
  const { api, NodeSDK } = await loadSdk()
  const metrics = prometheus === undefined ? undefined : await metricsFor(prometheus)
  const globals = watchGlobalParts(api)
  const sdk = new NodeSDK({
    serviceName: options.serviceName ?? process.env['OTEL_SERVICE_NAME'] ?? 'toolwright',
    metricReaders: metrics === undefined ? [] : [metrics.reader],
    logRecordProcessors: [],
    ...(traces === undefined ? { spanProcessors: [] } : traces === 'environment' ? {} : { traceExporter: traces }),
    /** The detectors would publish the arguments of the process, secrets and all, unless the operator asks for them. */
    autoDetectResources: process.env['OTEL_NODE_RESOURCE_DETECTORS'] !== undefined,
  })
  const stop = async (): Promise<void> => {
    globals.release()
    await metrics?.endpoint.close()
    await sdk.shutdown()
  }
  try {
    sdk.start()
    checkTaken(globals, options)
  } catch (error) {
    await stop()
    throw error
  }
  let stopping: Promise<void> | undefined
  return {
    observer: openTelemetry({ captureContent }),
    metricsUrl: metrics?.endpoint.url,
    shutdown: () => (stopping ??= stop()),
  }
}

/** A process has one of each: the SDK does not report that one was registered before. */
function checkTaken(globals: GlobalParts, { prometheus, traces }: StartTelemetryOptions): void {
  const taken = globals.taken()
  if ((prometheus === undefined || taken.has('metrics')) && (traces === undefined || taken.has('trace'))) return
  throw new ConfigurationError(
    'invalid_option',
    'OpenTelemetry is set up in this process already. Pass openTelemetry() as `on` to your calls: it reports to what is there.',
  )
}

const OFF: Telemetry = { observer: { onEvent: () => {} }, metricsUrl: undefined, shutdown: async () => {} }

interface Sdk {
  readonly api: typeof OpenTelemetry
  readonly NodeSDK: typeof NodeSdk.NodeSDK
}

async function loadSdk(): Promise<Sdk> {
  try {
    const [api, { NodeSDK }] = await Promise.all([import('@opentelemetry/api'), import('@opentelemetry/sdk-node')])
    return { api, NodeSDK }
  } catch (cause) {
    const [first, second] = ['@opentelemetry/api', '@opentelemetry/sdk-node'].map((name) =>
      missingPackage(cause, name, 'to start telemetry'),
    )
    throw first === cause ? second : first
  }
}

async function loadPrometheus(): Promise<typeof Prometheus> {
  try {
    return await import('@opentelemetry/exporter-prometheus')
  } catch (cause) {
    throw missingPackage(cause, '@opentelemetry/exporter-prometheus', 'to start telemetry')
  }
}

interface Metrics {
  readonly reader: NonNullable<NodeSDKConfiguration['metricReaders']>[number]
  readonly endpoint: MetricsEndpoint
}

/** The server of the exporter cannot choose a free port and reports no error. Our server calls the exporter instead. */
async function metricsFor({ port, host = '127.0.0.1' }: NonNullable<StartTelemetryOptions['prometheus']>): Promise<Metrics> {
  const { PrometheusExporter } = await loadPrometheus()
  const reader = new PrometheusExporter({ preventServerStart: true })
  const endpoint = await serveMetrics({ port, host, respond: (request, response) => reader.getMetricsRequestHandler(request, response) })
  return { reader, endpoint }
}

type Part = 'trace' | 'metrics' | 'context' | 'propagation'

const PARTS: readonly Part[] = ['trace', 'metrics', 'context', 'propagation']

/** The parts of OpenTelemetry that a process has one of. */
interface GlobalParts {
  /** Those that were registered since. */
  readonly taken: () => ReadonlySet<Part>
  /** Gives up those that were registered since, so that others may register. */
  readonly release: () => void
}

/** Remembers the parts that are registered now, so that only later ones are removed at the end. */
function watchGlobalParts(api: typeof OpenTelemetry): GlobalParts {
  const before = registered(api)
  const taken = (): ReadonlySet<Part> => {
    const now = registered(api)
    return new Set(PARTS.filter((part) => before[part] !== now[part]))
  }
  return {
    taken,
    release: () => {
      for (const part of taken()) api[part].disable()
    },
  }
}

/** The API does not show whether a context manager or a propagator is registered: their effect shows it. */
function registered({ trace, metrics, context, propagation, ROOT_CONTEXT }: typeof OpenTelemetry): Record<Part, unknown> {
  const provider = trace.getTracerProvider()
  const probe = Symbol('probe')
  return {
    trace: 'getDelegate' in provider && typeof provider.getDelegate === 'function' ? (provider.getDelegate() as unknown) : provider,
    metrics: metrics.getMeterProvider(),
    context: context.with(ROOT_CONTEXT.setValue(probe, true), () => context.active().getValue(probe) === true),
    propagation: propagation.fields().length > 0,
  }
}

interface MetricsEndpointOptions {
  /** 0 takes any free one. */
  readonly port: number
  readonly host: string
  readonly respond: (request: IncomingMessage, response: ServerResponse) => void
}

/** An HTTP server that answers `GET /metrics`. It does not keep the process alive. */
interface MetricsEndpoint {
  readonly url: string
  readonly close: () => Promise<void>
}

async function serveMetrics({ port, host, respond }: MetricsEndpointOptions): Promise<MetricsEndpoint> {
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new ConfigurationError('invalid_option', `The port for Prometheus must be a whole number from 0 to 65535, not ${String(port)}.`)
  const server = createServer((request, response) => {
    if (request.method === 'GET' && request.url?.split('?')[0] === '/metrics') respond(request, response)
    else response.writeHead(404).end()
  }).unref()
  await listening(server, port, host)
  const address = server.address() as AddressInfo
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return { url: `http://${name}:${address.port}/metrics`, close: () => closed(server) }
}

function listening(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(refused(cause, port, host)))
    server.listen({ port, host }, () => resolve())
  })
}

function refused(cause: NodeJS.ErrnoException, port: number, host: string): ConfigurationError {
  const why = cause.code === 'EADDRINUSE' ? 'is in use' : `cannot be bound (${cause.code ?? cause.message})`
  const message = `Port ${port} of ${host} ${why}, so that Prometheus could not read metrics there. Choose another, or 0 for any free one.`
  return new ConfigurationError('invalid_option', message, { cause })
}

/** Scrapers keep their connections open: without closing them the server would never end. */
function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
