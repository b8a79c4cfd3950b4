import { runAttacks } from './attack.ts'
import { PRINCIPAL_ATTACKS } from './principals.attacks.ts'

runAttacks('A principal that gets what belongs to another', PRINCIPAL_ATTACKS)
