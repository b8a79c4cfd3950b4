import { runAttacks } from './attack.ts'
import { SECRETS_PROVIDER_ATTACKS } from './secrets-provider.attacks.ts'

runAttacks('A secrets provider that misbehaves', SECRETS_PROVIDER_ATTACKS)
