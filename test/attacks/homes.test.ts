import { afterAll, vi } from 'vitest'
import { runAttacks } from './attack.ts'
import { closeServed, HOME_ATTACKS } from './homes.attacks.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })
afterAll(closeServed)

runAttacks('the home of the embedded database', HOME_ATTACKS)
