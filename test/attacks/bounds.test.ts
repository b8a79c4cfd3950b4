import { runAttacks } from './attack.ts'
import { BOUNDS_ATTACKS } from './bounds.attacks.ts'

runAttacks('nothing small stalls the process', BOUNDS_ATTACKS)
