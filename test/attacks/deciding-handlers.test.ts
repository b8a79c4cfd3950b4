import { runAttacks } from './attack.ts'
import { DECIDING_HANDLER_ATTACKS } from './deciding-handlers.attacks.ts'

runAttacks('handlers that say who has decided', DECIDING_HANDLER_ATTACKS)
