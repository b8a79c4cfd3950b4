import { runAttacks } from './attack.ts'
import { KEPT_RESULTS_ATTACKS } from './kept-results.attacks.ts'

runAttacks('A kept result is given for another request', KEPT_RESULTS_ATTACKS)
