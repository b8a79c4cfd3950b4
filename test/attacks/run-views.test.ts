import { runAttacks } from './attack.ts'
import { RUN_VIEWS_ATTACKS } from './run-views.attacks.ts'

runAttacks('A view of a durable run shows a secret', RUN_VIEWS_ATTACKS)
