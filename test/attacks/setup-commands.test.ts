import { runAttacks } from './attack.ts'
import { SETUP_COMMANDS_ATTACKS } from './setup-commands.attacks.ts'

runAttacks('what lies around where a project is set up', SETUP_COMMANDS_ATTACKS)
