import type { RunRecord } from './run-record.ts'
import { type Effect, placeOf, withoutAttempts } from './simulated-ledger.ts'
import type { EntryRow } from './tables.ts'

interface Saga {
  readonly path: string
  readonly state: string
  /** Paths within the saga. */
  readonly notUndone: readonly string[]
}

const RECORD = ':saga'
const UNDONE = new Set(['compensated', 'aborted', 'compensation_failed'])

/** Sagas of a run that has ended: undone in full and in reverse, or completed, and what stands of one that was undone is told. */
export function judgeSagas(record: RunRecord): readonly string[] {
  const sagas = record.entries.flatMap((entry) => sagaOf(record, entry))
  const losers = losersOf(record)
  return sagas.flatMap((saga) => [
    ...judgeState(record, saga, { sagas, losers }),
    ...judgeTold(record, saga, sagas),
    ...judgeOrder(record, saga),
  ])
}

function sagaOf(record: RunRecord, entry: EntryRow): readonly Saga[] {
  if (entry.kind !== 'decision' || !entry.path.endsWith(RECORD)) return []
  const { undoing } = record.value(entry) as { readonly undoing: { readonly state: string; readonly notUndone?: readonly string[] } }
  const { state, notUndone = [] } = undoing
  return [{ path: entry.path.slice(0, -RECORD.length), state, notUndone }]
}

const GROUP_END = '/.ended'

/** Where branches and items lie that were cancelled because others had won or failed. */
export function losersOf(record: RunRecord): readonly string[] {
  return record.entries.flatMap((entry) => {
    if (!entry.path.endsWith(GROUP_END)) return []
    const { cancelled } = record.value(entry) as { readonly cancelled: readonly string[] }
    return cancelled.map((label) => `${entry.path.slice(0, -GROUP_END.length)}/${label}`)
  })
}

interface Around {
  readonly sagas: readonly Saga[]
  readonly losers: readonly string[]
}

function judgeState(record: RunRecord, saga: Saga, { sagas, losers }: Around): readonly string[] {
  const { standing, isUndoable, row, isToldByResult } = record
  const { path, state } = saga
  const own = standing.filter(
    (effect) => isStepOf(effect, path) && isUndoable(effect) && !isTold(effect, sagas) && !isToldByResult(effect.path),
  )
  if (own.length === 0) return []
  const where = own.map((effect) => effect.path).join(' ')
  if (state === 'running' || state === 'compensating') return [`a saga was left ${state} in a run that ${row.status}: ${where}`]
  if (state !== 'completed') return [`a saga is ${state}, and an effect stands: ${where}`]
  const problems: string[] = []
  if (losers.some((loser) => isWithin(path, loser)))
    problems.push(`a completed saga of a loser stands in a run that ${row.status}: ${path}`)
  const around = sagas.find(
    (other) => other.path !== path && isWithin(path, other.path) && (UNDONE.has(other.state) || other.state === 'compensating'),
  )
  if (around !== undefined) problems.push(`a completed saga stands inside one that is ${around.state}: ${path}`)
  return problems
}

/** What a saga says is not undone is what stands; what it does not say is undone. */
function judgeTold({ standing, entries, effects, value }: RunRecord, saga: Saga, sagas: readonly Saga[]): readonly string[] {
  if (!UNDONE.has(saga.state)) return []
  const untold = standing.filter((effect) => isWithin(effect.path, saga.path) && !isTold(effect, sagas) && !isUnknown(effect))
  const problems = untold.map(({ path }) => `not undone, and not said to be: ${path}`)
  for (const step of saga.notUndone) {
    const place = `${saga.path}/${step}`
    const inside = entries.filter(({ kind, path }) => kind === 'call' && isAt(path, place) && !path.includes('/undo.'))
    const isCertain = inside.every((entry) => (value(entry) as CallResult | undefined)?.error?.outcome !== 'unknown' && entry.data !== null)
    const stands = standing.some(({ path }) => isAt(path, place))
    const happened = effects.some(({ path, kind }) => kind === 'do' && isAt(path, place))
    if (isCertain && happened && !stands) problems.push(`said to be not undone, and is undone: ${place}`)
  }
  return problems
}

interface CallResult {
  readonly error?: { readonly outcome?: string }
}

/** An effect that nobody waited for any more: what was cut off is not known to have happened. */
function isUnknown({ isLate }: Effect): boolean {
  return isLate
}

function judgeOrder({ effects }: RunRecord, { path, state }: Saga): readonly string[] {
  const own = effects.filter((effect) => !effect.isLate && isStepOf(effect, path))
  const steps = (kind: Effect['kind']): string[] => [
    ...new Set(own.filter((effect) => effect.kind === kind).map((effect) => placeOf(effect.path, kind))),
  ]
  const [done, undone] = [steps('do'), steps('undo')]
  const problems: string[] = []
  const expected = done.toReversed().filter((step) => undone.includes(step))
  const seen = undone.filter((step) => done.includes(step))
  if (expected.join() !== seen.join()) problems.push(`undone in the wrong order: ${seen.join(' ')}`)
  if (state === 'completed' && undone.length > 0) problems.push(`a completed saga was undone: ${path}`)
  return problems
}

function isTold({ path }: Effect, sagas: readonly Saga[]): boolean {
  return sagas.some((saga) => isWithin(path, saga.path) && saga.notUndone.some((step) => isAt(path, `${saga.path}/${step}`)))
}

/** A step of the saga itself, and not of something inside it. */
function isStepOf({ path }: Effect, saga: string): boolean {
  return path.startsWith(`${saga}/`) && !path.slice(saga.length + 1).includes('/')
}

function isWithin(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`)
}

/** At the place or inside it, whichever attempt it was. */
function isAt(path: string, place: string): boolean {
  return isWithin(path, place) || isWithin(withoutAttempts(path), withoutAttempts(place))
}
