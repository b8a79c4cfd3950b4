import { runAttacks } from './attack.ts'
import { PARTS_OF_A_WHOLE_ATTACKS } from './parts-of-a-whole.attacks.ts'

runAttacks('A part of an approved whole runs with something else than a person was shown', PARTS_OF_A_WHOLE_ATTACKS)
