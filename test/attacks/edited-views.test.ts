import { runAttacks } from './attack.ts'
import { EDITED_VIEWS_ATTACKS } from './edited-views.attacks.ts'

runAttacks('an edit of a view is what runs', EDITED_VIEWS_ATTACKS)
