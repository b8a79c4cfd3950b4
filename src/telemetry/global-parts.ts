import type * as OpenTelemetry from '@opentelemetry/api'

type Part = 'trace' | 'metrics' | 'context' | 'propagation'

const PARTS: readonly Part[] = ['trace', 'metrics', 'context', 'propagation']

/** The parts of OpenTelemetry that a process has one of. */
export interface GlobalParts {
  /** Those that were registered since. */
  readonly taken: () => ReadonlySet<Part>
  /** Gives up those that were registered since, so that others may register. */
  readonly release: () => void
}

/** Looks at what is registered now, so that only what comes later is given up at the end. */
export function watchGlobalParts(api: typeof OpenTelemetry): GlobalParts {
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

/** The API tells neither whether a context manager nor whether a propagator is registered: it shows in what they do. */
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
