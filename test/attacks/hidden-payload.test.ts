import { HIDDEN_PAYLOAD_ATTACKS } from './hidden-payload.attacks.ts'
import { runAttacks } from './attack.ts'

runAttacks('A model hides its payload from the person who approves it', HIDDEN_PAYLOAD_ATTACKS)
