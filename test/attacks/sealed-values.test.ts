import { afterAll, vi } from 'vitest'
import { runAttacks } from './attack.ts'
import { closeScene, SEALED_VALUE_ATTACKS } from './sealed-values.attacks.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })
afterAll(closeScene)

runAttacks('sealed values', SEALED_VALUE_ATTACKS)
