import { runAttacks } from './attack.ts'
import { MADE_ANEW_ATTACKS } from './made-anew.attacks.ts'

runAttacks('A schema that makes another input each time does not change what was approved', MADE_ANEW_ATTACKS)
