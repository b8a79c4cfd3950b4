import { runAttacks } from './attack.ts'
import { MADE_BY_SCHEMA_ATTACKS } from './made-by-schema.attacks.ts'

runAttacks('What a schema makes of an input runs, and a person was shown something else', MADE_BY_SCHEMA_ATTACKS)
