import { runAttacks } from './attack.ts'
import { FORGED_ROWS_ATTACKS } from './forged-rows.attacks.ts'

runAttacks('a text that fills up the rows of a terminal', FORGED_ROWS_ATTACKS)
