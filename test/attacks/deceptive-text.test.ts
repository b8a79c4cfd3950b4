import { runAttacks } from './attack.ts'
import { DECEPTIVE_TEXT_ATTACKS } from './deceptive-text.attacks.ts'

runAttacks('a text that lies to the person who reads it', DECEPTIVE_TEXT_ATTACKS)
