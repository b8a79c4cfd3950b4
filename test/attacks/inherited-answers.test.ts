import { runAttacks } from './attack.ts'
import { INHERITED_ANSWER_ATTACKS } from './inherited-answers.attacks.ts'

runAttacks('A field that nobody gave decides', INHERITED_ANSWER_ATTACKS)
