import { runAttacks } from './attack.ts'
import { ANSWERED_SECRETS_ATTACKS } from './answered-secrets.attacks.ts'

runAttacks('A secret of an answer leaks through an outlet', ANSWERED_SECRETS_ATTACKS)
