import { judgeEffects } from './judge-effects.ts'
import { judgeReads } from './judge-reads.ts'
import { judgeReviews } from './judge-reviews.ts'
import { judgeSagas, losersOf } from './judge-sagas.ts'
import { judgeTidying } from './judge-tidying.ts'
import { recordOf, type RunRecord } from './run-record.ts'
import type { World } from './world.ts'

const CANCEL_WITHIN_MS = 120_000
/** A row that is locked for longer than a worker may be silent stops those who are well. */
const LONGEST_LOCK_MS = 10_000
/** So often a run may be claimed for nothing: when a notice and a timer meet. */
const CLAIMS_WITHOUT_FAULTS = 3

/** What is wrong with a world that has come to its end: by ledger, journal and rows alone. */
export function judge(world: World): readonly string[] {
  const { people, plan, ledger, database, watch } = world
  const problems = [...watch.problems, ...ledger.problems, ...people.problems, ...database.alarms]
  if (people.started.length < plan.runs.length) problems.push('a start was never confirmed')
  if (database.longestLockMs > LONGEST_LOCK_MS) problems.push('a row was locked for longer than a worker may be silent')
  for (const started of people.started) problems.push(...judgeRun(world, recordOf(world, started)))
  problems.push(...judgeReviews(world))
  return [...new Set(problems)]
}

function judgeRun(world: World, record: RunRecord): readonly string[] {
  const { row, started } = record
  const { database, watch } = world
  const { status } = row
  if (status === 'blocked') return judgeBlocked(world, record)
  if (row.ended_at === null) {
    const more = `${row.held_back ? ' and held back' : ''}${row.cancel === null ? '' : ', though cancelled'}`
    return [`a run never ended: it is ${status}${more}`]
  }
  const problems: string[] = []
  const endedAt = row.ended_at - world.beginning
  if (started.cancelledAt !== undefined && endedAt - started.cancelledAt > CANCEL_WITHIN_MS) {
    problems.push('a cancelled run ended much later')
  }
  if ((watch.deaths.get(row.id) ?? 0) > allowedClaims(world)) problems.push('a run was claimed again and again for nothing')
  if (world.plan.runs[started.number]?.asksOutcome === true && status !== 'completed')
    problems.push(`a run whose people told what happened is ${status}`)
  if (database.refused.has(row.id)) return problems
  if (isLeftAsItStood(world, record)) return [...problems, ...judgeEffects(world, record)]
  return [
    ...problems,
    ...judgeEffects(world, record),
    ...judgeReads(record),
    ...judgeSagas(record),
    ...judgeTidying(world, record),
    ...judgeStops(record),
  ]
}

const STOPPED = ':stopped'

/**
 * The record says whether a reviewer's stop came in time. Then the run is not cancelled, unless the stop came in a branch whose race was decided
 * already: such a run goes on.
 */
function judgeStops(record: RunRecord): readonly string[] {
  const { row, entries, value } = record
  if (row.status !== 'cancelled') return []
  const losers = losersOf(record)
  const counts = entries.some(
    (entry) =>
      entry.path.endsWith(STOPPED) &&
      !entry.path.includes('/undo.') &&
      value(entry) === true &&
      !losers.some((loser) => entry.path.startsWith(loser)),
  )
  return counts ? ['a stop came in time, and the run is cancelled'] : []
}

function judgeBlocked(world: World, record: RunRecord): readonly string[] {
  const { row } = record
  const { code = '', message = '' } = JSON.parse(row.why ?? '{}') as { code?: string; message?: string }
  if (world.database.refused.has(row.id)) return []
  const { upgrade } = world.plan
  const isRefusal = code === 'plan_changed' || code === 'replay_diverged'
  if (isRefusal && upgrade !== undefined) {
    const isLeft = world.mayGoOn(row) ? ['a run is blocked, and a worker has not tried to go on with it'] : []
    return [...isLeft, ...judgeEffects(world, record)]
  }
  return [`a run is blocked: ${code}${isRefusal && upgrade === undefined ? `: ${message}` : ''}`]
}

/** A cancelled run that no version of the program can go on with ends without undoing anything, and says so. */
function isLeftAsItStood({ plan }: World, { row }: RunRecord): boolean {
  return plan.upgrade !== undefined && row.status === 'cancelled' && (row.why ?? '').includes('cancelled as it stood')
}

/** What befell workers and connections may each cost claims. */
function allowedClaims({ plan, watch }: World): number {
  const { lost, unanswered, unansweredCommits, stuck, swallowed } = plan.network
  const isLossy = lost + unanswered + unansweredCommits + stuck + swallowed > 0
  // Each time that a run was put away, a worker with another version of the program may try it once.
  return CLAIMS_WITHOUT_FAULTS + 3 * watch.faults + (isLossy ? 20 : 0) + (plan.upgrade === undefined ? 0 : 20)
}
