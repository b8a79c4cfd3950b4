import { runAttacks } from './attack.ts'
import { SHOWN_IN_CODE_ATTACKS } from './shown-in-code.attacks.ts'

runAttacks('The code of a tool asks about another input than the one that runs', SHOWN_IN_CODE_ATTACKS)
