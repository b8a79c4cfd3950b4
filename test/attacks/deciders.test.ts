import { runAttacks } from './attack.ts'
import { DECIDER_ATTACKS } from './deciders.attacks.ts'

runAttacks('who may decide', DECIDER_ATTACKS)
