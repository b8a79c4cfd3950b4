import { measureBytesPerRun } from './durable-bytes.ts'
import { measureSteps } from './durable-steps.ts'
import { measureOpening } from './durable-store.ts'
import { measureWorkers } from './durable-workers.ts'
import type { Benchmark } from './figure.ts'

/** What it costs that a run survives its process. `--only durable` measures all of them. */
export const durableBenchmarks: readonly Benchmark[] = [
  { name: 'durable-embedded', run: (effort) => measureSteps('embedded', effort) },
  { name: 'durable-url', run: (effort) => measureSteps('url', effort) },
  { name: 'durable-open', run: measureOpening },
  { name: 'durable-bytes', run: measureBytesPerRun },
  { name: 'durable-workers', run: measureWorkers },
]
