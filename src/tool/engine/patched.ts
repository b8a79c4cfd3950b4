import type { Call } from './call.ts'
import { diverged } from './decide.ts'
import { readEntry, writeEntry } from './journal-access.ts'
import { checkLabel } from '../path.ts'
import { PATCHED } from './replay.ts'
import { underWay } from './under-way.ts'

/**
 * Whether a compound takes the new way of a change in its program: true for a run that has not come past the change yet, false for one that
 * had recorded something after it. The answer is recorded, so that every later look gives the same.
 */
export async function patched(call: Call, label: string): Promise<boolean> {
  checkLabel(label)
  const { journal, behaviour, root } = call
  if (journal === undefined || behaviour.leaf) return true
  const path = `${call.path}${PATCHED}${label}`
  const recorded = readEntry(call, path)
  if (recorded !== undefined) {
    if (recorded.kind !== 'decision') throw diverged(call, path, 'a choice between two ways', `a ${recorded.kind}`)
    return recorded.value === true
  }
  // It does not wait until the run has caught up: what is not visited yet may be the old way.
  const isNew = root.replay?.isCatchingUp !== true
  await underWay(call, () => writeEntry(call, { kind: 'decision', path, value: isNew }, 'failed'))
  return isNew
}
