import { runAttacks } from './attack.ts'
import { ECHOED_ARGUMENTS_ATTACKS } from './echoed-arguments.attacks.ts'

runAttacks('Arguments that nothing has validated are repeated', ECHOED_ARGUMENTS_ATTACKS)
