import { runAttacks } from './attack.ts'
import { PRIVATE_COPY_ATTACKS } from './private-copy.attacks.ts'

runAttacks('An input that is changed while somebody decides', PRIVATE_COPY_ATTACKS)
