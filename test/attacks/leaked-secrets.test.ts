import { runAttacks } from './attack.ts'
import { LEAKED_SECRETS_ATTACKS } from './leaked-secrets.attacks.ts'

runAttacks('A secret leaks through an outlet', LEAKED_SECRETS_ATTACKS)
