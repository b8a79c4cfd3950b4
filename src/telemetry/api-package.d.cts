import type * as OpenTelemetry from '@opentelemetry/api' with { 'resolution-mode': 'import' }

declare const load: () => typeof OpenTelemetry
export = load
