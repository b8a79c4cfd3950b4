import type { NodeSDKConfiguration } from '@opentelemetry/sdk-node'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import type { Observer } from '../tool/event.ts'
import { type GlobalParts, watchGlobalParts } from './global-parts.ts'
import { importOptional } from '../tool/import-optional.ts'
import { type MetricsEndpoint, serveMetrics } from './metrics-endpoint.ts'
import { openTelemetry, type OpenTelemetryOptions } from './open-telemetry.ts'

export interface StartTelemetryOptions extends Pick<OpenTelemetryOptions, 'captureContent'> {
  /** Where Prometheus reads metrics. Port 0 takes any free one; the host is 127.0.0.1 unless another is named. */
  readonly prometheus?: { readonly port: number; readonly host?: string | undefined } | undefined
  /** Where spans go: an exporter, or `'environment'` for what the `OTEL_*` variables say (OTLP to localhost:4318 where they are not set). */
  readonly traces?: 'environment' | NodeSDKConfiguration['traceExporter'] | undefined
  /** The default is `OTEL_SERVICE_NAME`, else `toolwright`. */
  readonly serviceName?: string | undefined
}

export interface Telemetry {
  /** Pass it as `on` to calls, or to `createRuntime`. */
  readonly observer: Observer
  /** What Prometheus should scrape. */
  readonly metricsUrl: string | undefined
  /** Sends what is left and stops. */
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
  const { prometheus, traces, captureContent } = options
  if (prometheus === undefined && traces === undefined)
    throw new ConfigurationError('invalid_option', 'startTelemetry has nothing to do: give it prometheus, traces or both.')
  if (process.env['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true') return OFF
  const api = await importOptional('@opentelemetry/api', 'to start telemetry', () => import('@opentelemetry/api'))
  const { NodeSDK } = await importOptional('@opentelemetry/sdk-node', 'to start telemetry', () => import('@opentelemetry/sdk-node'))
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

/** A process has one of each: the SDK does not say when it found the place taken. */
function checkTaken(globals: GlobalParts, { prometheus, traces }: StartTelemetryOptions): void {
  const taken = globals.taken()
  if ((prometheus === undefined || taken.has('metrics')) && (traces === undefined || taken.has('trace'))) return
  throw new ConfigurationError(
    'invalid_option',
    'OpenTelemetry is set up in this process already. Pass openTelemetry() as `on` to your calls: it reports to what is there.',
  )
}

const OFF: Telemetry = { observer: { onEvent: () => {} }, metricsUrl: undefined, shutdown: async () => {} }

interface Metrics {
  readonly reader: NonNullable<NodeSDKConfiguration['metricReaders']>[number]
  readonly endpoint: MetricsEndpoint
}

/** The exporter has a server of its own, which takes no free port and tells of no error: ours asks the exporter. */
async function metricsFor({ port, host = '127.0.0.1' }: NonNullable<StartTelemetryOptions['prometheus']>): Promise<Metrics> {
  const { PrometheusExporter } = await importOptional(
    '@opentelemetry/exporter-prometheus',
    'to start telemetry',
    () => import('@opentelemetry/exporter-prometheus'),
  )
  const reader = new PrometheusExporter({ preventServerStart: true })
  const endpoint = await serveMetrics({ port, host, respond: (request, response) => reader.getMetricsRequestHandler(request, response) })
  return { reader, endpoint }
}
