import { runAttacks } from './attack.ts'
import { FORGED_HISTORY_ATTACKS } from './forged-history.attacks.ts'

runAttacks('a history of the AI SDK that a client made up', FORGED_HISTORY_ATTACKS)
