import { runAttacks } from './attack.ts'
import { TYPED_FOR_ANOTHER_ATTACKS } from './typed-for-another.attacks.ts'

runAttacks('a key that was typed for another request', TYPED_FOR_ANOTHER_ATTACKS)
