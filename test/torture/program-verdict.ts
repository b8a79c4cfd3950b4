import type { EffectRecord } from './effect-order.ts'
import { isFinal, type RecordedEntry, type RunEnd, type Verdict } from './run-end.ts'

/** What the journal says of a saga. */
interface RecordedSaga {
  readonly path: string
  readonly state: string
  readonly notUndone: readonly string[]
}

const UNDOING: ReadonlySet<string> = new Set(['compensating', 'compensated', 'aborted', 'compensation_failed'])

/** Checks a run of any program by its effects and its journal: `undoable` are the names of leaves whose sagas can undo them. */
export function programVerdict(end: RunEnd, undoable: ReadonlySet<string>): Verdict {
  if (!isFinal(end)) return unended(end)
  const sagas = sagasIn(end.entries)
  return {
    lost: [],
    twice: [...repeated(end.records), ...unrecorded(end), ...severalKeys(end.records)],
    notUndone: [...standingIn(end, { sagas, undoable }), ...sagas.flatMap((saga) => outOfOrder(end.records, saga))],
    refusedWrongly: [],
  }
}

/** Of a run that has not come to an end nothing else is asked. */
function unended({ status, why }: RunEnd): Verdict {
  const nothing: Verdict = { lost: [], twice: [], notUndone: [], refusedWrongly: [] }
  if (status === 'blocked') return { ...nothing, refusedWrongly: [`it is blocked: ${why?.code} ${why?.message}`] }
  return { ...nothing, lost: [`it is ${status}, and has not ended`] }
}

/** An effect without a key happens once or not at all; under a key the ledger made one of all of them. */
function repeated(records: readonly EffectRecord[]): readonly string[] {
  return records
    .filter(({ isKeyed, times }) => !isKeyed && times > 1)
    .map(({ path, times }) => `'${path}' has no key, and was done ${times} times`)
}

function unrecorded({ records, entries }: RunEnd): readonly string[] {
  const keys = new Set(entries.map(({ key }) => key))
  return records.filter(({ key }) => !keys.has(key)).map(({ path }) => `'${path}' took effect, and is not in the journal`)
}

function severalKeys(records: readonly EffectRecord[]): readonly string[] {
  return [...Map.groupBy(records, ({ path }) => path)]
    .filter(([, same]) => new Set(same.map(({ key }) => key)).size > 1)
    .map(([path]) => `'${path}' was done under two keys`)
}

interface Sagas {
  readonly sagas: readonly RecordedSaga[]
  readonly undoable: ReadonlySet<string>
}

/** Effects of sagas that should have been undone, are not, and that nobody speaks of. */
function standingIn(end: RunEnd, { sagas, undoable }: Sagas): readonly string[] {
  const { records, entries, status } = end
  const undone = new Set(records.filter(({ kind }) => kind === 'undo').map(placeOf))
  const losers = losersIn(entries)
  const standing = records.filter(
    (record) => record.kind === 'do' && undoable.has(record.leaf) && !undone.has(placeOf(record)) && !isTold(end, sagas, placeOf(record)),
  )
  return sagas.flatMap((saga) => {
    const own = standing.filter(({ path }) => isDirectlyIn(path, saga.path))
    if (own.length === 0) return []
    const what = own.map(({ path }) => path).join(' ')
    if (saga.state !== 'completed') return [`the run is ${status}, a saga is ${saga.state}, and this stands: ${what}`]
    if (losers.some((loser) => isWithin(saga.path, loser))) return [`the run is ${status}, a branch lost, and this stands: ${what}`]
    const around = sagas.find(({ path, state }) => path !== saga.path && isWithin(saga.path, path) && UNDOING.has(state))
    return around === undefined ? [] : [`the saga '${around.path}' around is ${around.state}, and this stands: ${what}`]
  })
}

/** Branches and items that were cancelled, because others won or failed. */
function losersIn(entries: readonly RecordedEntry[]): readonly string[] {
  return entries.flatMap(({ path, data }) => {
    const [, around] = /^(.*)\/\.ended$/.exec(path) ?? []
    if (around === undefined || data === null) return []
    const { cancelled = [] } = JSON.parse(data) as { readonly cancelled?: readonly string[] }
    return cancelled.map((label) => `${around}/${label}`)
  })
}

function sagasIn(entries: readonly RecordedEntry[]): readonly RecordedSaga[] {
  return entries.flatMap(({ path, kind, data }) => {
    if (kind !== 'decision' || !path.endsWith(':saga') || data === null) return []
    const { undoing } = JSON.parse(data) as { readonly undoing: Omit<RecordedSaga, 'path'> }
    const { state, notUndone = [] } = undoing
    return [{ path: path.slice(0, -':saga'.length), state, notUndone }]
  })
}

/** The record of a saga names what it could not undo; the result of the run names what it could not reach. */
function isTold({ why }: RunEnd, sagas: readonly RecordedSaga[], place: string): boolean {
  const message = why?.message ?? ''
  if (message.includes('what it had done was not undone')) return true
  const told = [...message.matchAll(/Not undone: (.*?)\.(?!\w)/g)].flatMap(([, steps = '']) => steps.split(', '))
  return (
    told.some((step) => place.endsWith(`/${step}`)) ||
    sagas.some((saga) => saga.notUndone.some((step) => isWithin(place, `${saga.path}/${step}`)))
  )
}

/** What was undone was undone in reverse, each after all that came later. */
function outOfOrder(records: readonly EffectRecord[], saga: RecordedSaga): readonly string[] {
  const own = records.map((record) => ({ kind: record.kind, place: placeOf(record) })).filter(({ place }) => isDirectlyIn(place, saga.path))
  const undone = [...new Set(own.filter(({ kind }) => kind === 'undo').map(({ place }) => place))]
  const done = [...new Set(own.filter(({ kind }) => kind === 'do').map(({ place }) => place))]
  const expected = done.toReversed().filter((place) => undone.includes(place))
  const seen = undone.filter((place) => done.includes(place))
  if (saga.state === 'completed' && undone.length > 0)
    return [`the saga '${saga.path}' completed, and this was undone: ${undone.join(' ')}`]
  return expected.join() === seen.join() ? [] : [`undone in the order ${seen.join(' ')}; should be ${expected.join(' ')}`]
}

function isWithin(path: string, around: string): boolean {
  return path === around || path.startsWith(`${around}/`)
}

function isDirectlyIn(path: string, around: string): boolean {
  return path.startsWith(`${around}/`) && !path.slice(around.length + 1).includes('/')
}

/** The place of a step, also of the one that undoes it, whatever the attempt. */
function placeOf({ path }: EffectRecord): string {
  return path.replace(/@\d+$/, '').replace(/\/undo\.([^/]*)$/, '/$1')
}
