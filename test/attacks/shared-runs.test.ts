import { runAttacks } from './attack.ts'
import { SHARED_RUN_ATTACKS } from './shared-runs.attacks.ts'

runAttacks('calls that share a run', SHARED_RUN_ATTACKS)
