import { expectTypeOf, test } from 'vitest'
import type { RunDatabase, RunStore } from '../run/store/run-store.ts'
import { createRuntime, type RuntimeOptions } from '../runtime/create-runtime.ts'
import { fakeClock } from './fake-clock.ts'
import { memoryRuns, type MemoryRuns } from './memory-runs.ts'

test('runs in memory are a database of a runtime', () => {
  expectTypeOf(memoryRuns({ clock: fakeClock() })).toEqualTypeOf<MemoryRuns>()
  expectTypeOf<MemoryRuns>().toExtend<NonNullable<RuntimeOptions['database']>>()
  createRuntime({ database: memoryRuns() })
})

test('a store of one’s own is a database too', () => {
  const own: RunDatabase = { openRuns: async () => ({}) as RunStore }
  createRuntime({ database: own })
})

test('a clock has to be one', () => {
  // @ts-expect-error -- A date is no clock.
  memoryRuns({ clock: new Date() })
})

test('a database is one or the other', () => {
  // @ts-expect-error -- It has neither a url nor a store of runs.
  createRuntime({ database: { idle: async () => {} } })
})
