import { runAttacks } from './attack.ts'
import { STEPS_ATTACKS } from './steps.attacks.ts'

runAttacks('the work at the door is bounded in steps', STEPS_ATTACKS)
