import type { EffectRecord } from './effect-order.ts'
import type { Expectation, RaceExpectation, Shape, ShapeInput } from './shape.ts'

/** What is wrong with the end of a run; losses are told apart from what was done twice and what was not undone. */
export interface Verdict {
  readonly lost: readonly string[]
  readonly twice: readonly string[]
  readonly notUndone: readonly string[]
}

export interface RunEnd {
  readonly shape: Shape
  readonly input: ShapeInput
  readonly status: string
  /** Somebody asked it to end; it may have come to its end before. */
  readonly wasCancelled?: boolean
  /** The effects of this run, in the order of their coming. */
  readonly records: readonly EffectRecord[]
}

/** Compares the end of a run and its effects with what was to be expected. */
export function verdictOn({ shape, input, status, records, wasCancelled = false }: RunEnd): Verdict {
  const expected = shape.expected(input)
  const did = records.filter(({ kind }) => kind === 'do').map(({ effect }) => effect)
  const undone = records.filter(({ kind }) => kind === 'undo').map(({ effect }) => effect)
  const about = `${input.run} ${shape.name} ${JSON.stringify(input)}: `
  const twice = [...repeated(did, 'done'), ...repeated(undone, 'undone')]
  const seen = { status, did, undone }
  const verdict =
    wasCancelled && status === 'cancelled'
      ? cancelledVerdict(shape, seen)
      : 'branches' in expected
        ? raceVerdict(expected, seen)
        : plainVerdict(expected, seen)
  const tell = (problems: readonly string[]): readonly string[] =>
    problems.map((problem) => `${about}${problem} [${records.map(({ kind, effect }) => `${kind} ${effect}`).join(', ')}]`)
  return { lost: tell(verdict.lost), twice: tell(twice), notUndone: tell(verdict.notUndone) }
}

interface Seen {
  readonly status: string
  readonly did: readonly string[]
  readonly undone: readonly string[]
}

function repeated(effects: readonly string[], what: string): readonly string[] {
  return effects.filter((effect, index) => effects.indexOf(effect) !== index).map((effect) => `'${effect}' was ${what} under two keys`)
}

function cancelledVerdict({ mayStand }: Shape, { did, undone }: Seen): Pick<Verdict, 'lost' | 'notUndone'> {
  const standing = did.filter((effect) => !undone.includes(effect))
  return { lost: [], notUndone: mayStand?.(standing) === true ? [] : [`it was cancelled, and ${standing.join(', ')} stand`] }
}

function plainVerdict(expected: Expectation, { status, did, undone }: Seen): Pick<Verdict, 'lost' | 'notUndone'> {
  const lost: string[] = []
  if (status !== expected.status) lost.push(`it is ${status} and should be ${expected.status}`)
  const missing = expected.done.filter((effect) => !did.includes(effect))
  const more = did.filter((effect) => !expected.done.includes(effect))
  if (missing.length > 0) lost.push(`not done: ${missing.join(', ')}`)
  if (more.length > 0) lost.push(`done, and should not be: ${more.join(', ')}`)
  return { lost, notUndone: inReverse(expected.undone, undone) }
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
