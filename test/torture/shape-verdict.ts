import { programVerdict } from './program-verdict.ts'
import { isFinal, type RunEnd, type Verdict } from './run-end.ts'
import type { Expectation, RaceExpectation, Shape, ShapeInput } from './shape.ts'

/** What a run of a shape was to do. */
export interface ShapeRun {
  readonly shape: Shape
  readonly input: ShapeInput
}

const UNDOABLE: ReadonlySet<string> = new Set(['do_it'])

/** Compares the end of a run and its effects with what was to be expected. */
export function shapeVerdict({ shape, input }: ShapeRun, end: RunEnd): Verdict {
  const general = programVerdict(end, UNDOABLE)
  if (!isFinal(end)) return general
  const { status, records, wasCancelled = false, hadDeadline = false } = end
  const expected = shape.expected(input)
  const did = records.filter(({ kind }) => kind === 'do').map(({ effect }) => effect)
  const undone = records.filter(({ kind }) => kind === 'undo').map(({ effect }) => effect)
  const twice = [...repeated(did, 'done'), ...repeated(undone, 'undone')]
  const perhaps = end.entries.filter(({ isUnknown }) => isUnknown).map(({ path }) => labelIn(path))
  const seen = { status, did, undone, perhaps }
  const wasCutOff = (wasCancelled && status === 'cancelled') || (hadDeadline && status === 'failed')
  const verdict = wasCutOff
    ? cutOffVerdict(shape, seen)
    : 'branches' in expected
      ? raceVerdict(expected, seen)
      : plainVerdict(expected, seen)
  return {
    ...general,
    lost: verdict.lost,
    twice: [...general.twice, ...twice],
    notUndone: [...general.notUndone, ...verdict.notUndone],
  }
}

/** Without the number of the attempt. */
function labelIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/:?@\d+$/, '')
}

interface Seen {
  readonly status: string
  readonly did: readonly string[]
  readonly undone: readonly string[]
  /** The labels of steps that may have happened, as far as their run knows. */
  readonly perhaps: readonly string[]
}

function repeated(effects: readonly string[], what: string): readonly string[] {
  return effects.filter((effect, index) => effects.indexOf(effect) !== index).map((effect) => `'${effect}' was ${what} under two keys`)
}

function cutOffVerdict({ mayStand }: Shape, { status, did, undone }: Seen): Pick<Verdict, 'lost' | 'notUndone'> {
  const standing = did.filter((effect) => !undone.includes(effect))
  return { lost: [], notUndone: mayStand?.(standing) !== false ? [] : [`it is ${status}, was cut off, and ${standing.join(', ')} stand`] }
}

function plainVerdict(expected: Expectation, { status, did, undone, perhaps }: Seen): Pick<Verdict, 'lost' | 'notUndone'> {
  const lost: string[] = []
  if (status !== expected.status) lost.push(`it is ${status} and should be ${expected.status}`)
  const missing = expected.done.filter((effect) => !did.includes(effect))
  const more = did.filter((effect) => !expected.done.includes(effect))
  if (missing.length > 0) lost.push(`not done: ${missing.join(', ')}`)
  if (more.length > 0) lost.push(`done, and should not be: ${more.join(', ')}`)
  // A step that did not happen, and may have happened for all that its run knows, is undone as well.
  const wanted = [...did, ...expected.undone.flat()]
  const known = undone.filter((effect) => wanted.includes(effect) || !perhaps.includes(effect.slice(effect.lastIndexOf('.') + 1)))
  return { lost, notUndone: inReverse(expected.undone, known) }
}

/** The groups, one after the other. */
function inReverse(groups: readonly (readonly string[])[], undone: readonly string[]): readonly string[] {
  let from = 0
  for (const group of groups) {
    const here = undone.slice(from, from + group.length)
    if (here.toSorted().join(' ') !== group.toSorted().join(' '))
      return [`undone: ${undone.join(', ') || 'nothing'}; should be: ${groups.flat().join(', ')}`]
    from += group.length
  }
  return undone.length === from ? [] : [`undone, and should not be: ${undone.slice(from).join(', ')}`]
}

function raceVerdict({ branches, needed, last }: RaceExpectation, { status, did, undone }: Seen): Pick<Verdict, 'lost' | 'notUndone'> {
  if (status !== 'completed') return { lost: [`it is ${status} and should be completed`], notUndone: [] }
  const ends = did.filter((effect) => effect.startsWith(`${last}.`))
  const [end = ''] = ends
  const winners = end.split('.').slice(1)
  if (ends.length !== 1 || winners.length < needed) return { lost: [`its last effect is '${ends.join(', ')}'`], notUndone: [] }
  const standing = branches.filter((effect) => did.includes(effect) && !undone.includes(effect))
  const lost = winners.filter((effect) => !standing.includes(effect)).map((effect) => `the winner '${effect}' does not stand`)
  const notUndone = standing.filter((effect) => !winners.includes(effect)).map((effect) => `'${effect}' lost, and stands`)
  return { lost, notUndone }
}
