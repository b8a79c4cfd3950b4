import type { JsonData } from '../../src/tool/journal/codec.ts'
import { isNotStarted } from '../../src/tool/result/result-codec.ts'
import { HELD, TIDIED } from '../programs/compound.ts'
import type { RunRecord } from './run-record.ts'
import { withoutAttempts } from './simulated-ledger.ts'
import type { EntryRow } from './tables.ts'
import type { World } from './world.ts'

/** Of a combinator, such as the time that a group has. */
const NOTE = /(^|\/)\./

/**
 * A compound that has begun something tidies up in the end, whatever became of its run. Another version of a program may do something else. Notes
 * of combinators count for nothing, and calls that were not started: a run that is over may walk where nothing has begun.
 */
export function judgeTidying({ plan }: World, { entries, effects, value }: RunRecord): readonly string[] {
  if (plan.upgrade !== undefined) return []
  const isDone = (entry: EntryRow): boolean =>
    entry.kind !== 'decision' && !NOTE.test(entry.path) && !isNotStarted(value(entry) as JsonData)
  const begun = new Set(entries.filter(isDone).flatMap(({ path }) => placesIn(withoutAttempts(path))))
  return [...begun].flatMap((place) =>
    effects.some(({ path, kind }) => kind === 'do' && withoutAttempts(path).startsWith(`${place}${TIDIED}`))
      ? []
      : [`not tidied up: ${place}`],
  )
}

/** The compounds of this kind on the way to a recorded step, that have begun their part. */
function placesIn(path: string): readonly string[] {
  const labels = path.split('/')
  return labels.flatMap((label, at) => (label === HELD || label.startsWith(`${HELD}:`) ? [[...labels.slice(0, at), ''].join('/')] : []))
}
