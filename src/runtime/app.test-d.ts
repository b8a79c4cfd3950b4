import { expectTypeOf, test } from 'vitest'
import type { AppOptions } from '../store/app-options.ts'
import { createRuntime, type RuntimeOptions } from './create-runtime.ts'
import { defineConfig } from './define-config.ts'

test('an app is a text or its parts', () => {
  expectTypeOf<RuntimeOptions['app']>().toEqualTypeOf<string | AppOptions | undefined>()
  createRuntime({ app: 'orders:production' })
  createRuntime({ app: { environment: 'staging' } })
  defineConfig({ app: { name: 'orders', environment: 'production' }, tools: [] })
})

test('an app has no other parts, and is no list', () => {
  // @ts-expect-error -- An environment is a text.
  createRuntime({ app: { environment: 7 } })
  // @ts-expect-error -- There is no such part.
  createRuntime({ app: { name: 'orders', env: 'production' } })
  // @ts-expect-error -- A runtime is of one app.
  createRuntime({ app: ['orders'] })
})

test('an app is an option of the runtime, and not of a database', () => {
  // @ts-expect-error -- It is beside the database.
  createRuntime({ database: { app: 'orders' } })
})
