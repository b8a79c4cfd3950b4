import type { broaderQuery } from '../../schema/repair/broader-query.ts'
import type { firstPage } from '../../schema/repair/first-page.ts'
import type { protectedChanges } from '../../schema/repair/protected-changes.ts'
import type { repairInput } from '../../schema/repair/repair-input.ts'

/** The rules by which inputs are repaired and repairs are judged. */
export interface RepairRules {
  readonly repairInput: typeof repairInput
  readonly protectedChanges: typeof protectedChanges
  readonly firstPage: typeof firstPage
  readonly broaderQuery: typeof broaderQuery
}

let loaded: RepairRules | undefined

/** Loads the rules when they are first needed: a program whose inputs are right does without them. */
export async function repairRules(): Promise<RepairRules> {
  if (loaded === undefined) {
    const [repair, changes, page, query] = await Promise.all([
      import('../../schema/repair/repair-input.ts'),
      import('../../schema/repair/protected-changes.ts'),
      import('../../schema/repair/first-page.ts'),
      import('../../schema/repair/broader-query.ts'),
    ])
    loaded = { ...repair, ...changes, ...page, ...query }
  }
  return loaded
}
