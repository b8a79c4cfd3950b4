import { runAttacks } from './attack.ts'
import { UNSEEN_INPUT_ATTACKS } from './unseen-input.attacks.ts'

runAttacks('An input is approved unseen', UNSEEN_INPUT_ATTACKS)
