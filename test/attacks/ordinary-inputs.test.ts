import { runAttacks } from './attack.ts'
import { ORDINARY_INPUTS } from './ordinary-inputs.attacks.ts'

runAttacks('ordinary large inputs are taken', ORDINARY_INPUTS)
