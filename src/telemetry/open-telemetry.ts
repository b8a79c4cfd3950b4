import type * as OpenTelemetry from '@opentelemetry/api'
import type { Observer } from '../tool/event.ts'
import { CallMetrics } from './call-metrics.ts'
import { missingPackage } from '../tool/missing-package.ts'
import loadApi from './api-package.cjs'
import { CallSpans } from './call-spans.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'

/** The options of `openTelemetry`. */
export interface OpenTelemetryOptions {
  /** The default is the one of the global provider. */
  readonly tracer?: OpenTelemetry.Tracer | undefined
  /** The default is the one of the global provider. */
  readonly meter?: OpenTelemetry.Meter | undefined
  /** Puts inputs, outputs and messages on spans, with secrets masked. Off by default. */
  readonly captureContent?: boolean | undefined
}

const NAMES = optionNames<OpenTelemetryOptions>({ tracer: true, meter: true, captureContent: true })

const SCOPE = 'toolwright'
/** Figures that the GenAI conventions have on spans. */
const OF_THE_SPAN = 'gen_ai.usage.'

/**
 * Reports calls to OpenTelemetry by its GenAI conventions: a span and metrics for every call. Pass it as `on`.
 * @example
 * const runtime = createRuntime({ tools: [roll], on: openTelemetry() })
 * await runtime.call(roll, '')
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): Observer {
  checkOptionNames(options, NAMES, 'The options of openTelemetry')
  const { tracer, meter, captureContent = false } = options
  const api = apiForReports()
  const spans = new CallSpans({ api, tracer: () => tracer ?? api.trace.getTracer(SCOPE), captureContent })
  const metrics = meter === undefined ? globalMetrics(api) : constantMetrics(new CallMetrics(meter))
  return {
    around: (call, run) => spans.run(call, run),
    onEvent: (event) => {
      switch (event.type) {
        case 'call.started':
          spans.begin(event.call)
          break
        case 'review.requested':
        case 'review.decided':
          spans.review(event)
          break
        case 'metric.recorded':
          if (event.name.startsWith(OF_THE_SPAN)) spans.describe(event)
          else metrics().custom(event)
          break
        case 'call.finished':
          spans.end(event)
          metrics().end(event)
          break
        case 'call.progressed':
          break
      }
    },
  }
}

/** Instruments of the global provider, made anew when another is registered: an observer may be older than the SDK. */
function globalMetrics(api: typeof OpenTelemetry): () => CallMetrics {
  let provider: OpenTelemetry.MeterProvider | undefined
  let metrics: CallMetrics | undefined
  return () => {
    const current = api.metrics.getMeterProvider()
    if (metrics === undefined || current !== provider) {
      provider = current
      metrics = new CallMetrics(current.getMeter(SCOPE))
    }
    return metrics
  }
}

function constantMetrics(metrics: CallMetrics): () => CallMetrics {
  return () => metrics
}

function apiForReports(): typeof OpenTelemetry {
  try {
    return loadApi()
  } catch (cause) {
    throw missingPackage(cause, '@opentelemetry/api', 'to report calls to OpenTelemetry')
  }
}
