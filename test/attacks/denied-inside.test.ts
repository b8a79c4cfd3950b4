import { runAttacks } from './attack.ts'
import { DENIED_INSIDE_ATTACKS } from './denied-inside.attacks.ts'

runAttacks('A kept answer is given although a call inside it is denied', DENIED_INSIDE_ATTACKS)
