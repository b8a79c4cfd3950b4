import { runAttacks } from './attack.ts'
import { CHANGED_SCHEMA_ATTACKS } from './changed-schemas.attacks.ts'

runAttacks('A changed schema makes another input of what was approved', CHANGED_SCHEMA_ATTACKS)
