import type { Benchmark } from './figure.ts'
import { selectQuality } from './select/quality.ts'
import { selectSpeed } from './select/speed.ts'

/** Finding tools: how many are missed, and what it costs. `--only select` runs both. */
export const selectBenchmarks: readonly Benchmark[] = [selectQuality, selectSpeed]
