import { runAttacks } from './attack.ts'
import { PATTERNS_OF_STRANGERS_ATTACKS } from './patterns-of-strangers.attacks.ts'

runAttacks('A pattern or a reference of a stranger keeps the process busy where its input was valid', PATTERNS_OF_STRANGERS_ATTACKS)
