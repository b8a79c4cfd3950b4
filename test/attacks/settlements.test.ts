import { runAttacks } from './attack.ts'
import { SETTLEMENT_ATTACKS } from './settlements.attacks.ts'

runAttacks('who may say that a step took effect', SETTLEMENT_ATTACKS)
