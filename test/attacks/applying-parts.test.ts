import { runAttacks } from './attack.ts'
import { APPLYING_PARTS_ATTACKS } from './applying-parts.attacks.ts'

runAttacks('A schema that does not apply to a value speaks of it, or one that applies is not heard', APPLYING_PARTS_ATTACKS)
