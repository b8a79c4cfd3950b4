import { runAttacks } from './attack.ts'
import { CRAFTED_ID_ATTACKS } from './crafted-ids.attacks.ts'

runAttacks('An id is written like the key of another caller', CRAFTED_ID_ATTACKS)
