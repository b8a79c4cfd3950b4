import { runAttacks } from './attack.ts'
import { COMMAND_LINE_ATTACKS } from './command-line.attacks.ts'

runAttacks('a foreign text in what the command line prints', COMMAND_LINE_ATTACKS)
