import { runAttacks } from './attack.ts'
import { IGNORED_ANSWER_ATTACKS, SILENCE_ATTACKS, UNATTENDED_ATTACKS, VERDICT_ATTACKS } from './unapproved.attacks.ts'

runAttacks('a review in code whose answer is ignored', IGNORED_ANSWER_ATTACKS)
runAttacks('a review in code with nobody to ask', UNATTENDED_ATTACKS)
runAttacks('a gate at which nobody decides', SILENCE_ATTACKS)
runAttacks('an odd verdict of a policy', VERDICT_ATTACKS)
