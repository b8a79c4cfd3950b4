import { runAttacks } from './attack.ts'
import { KEPT_REQUEST_ATTACKS } from './kept-requests.attacks.ts'

runAttacks('A record loses a part of what is approved', KEPT_REQUEST_ATTACKS)
