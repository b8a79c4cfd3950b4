import { fieldStep } from '../tool/schema/field-path.ts'
import type { Atom } from './subsumes-atom.ts'
import type { Case } from './subsumes-case.ts'
import type { Comparison } from './subsumes-comparison.ts'
import type { Fields } from './subsumes-fields.ts'
import { type Fit, within } from './subsumes-fit.ts'
import { compareRequired } from './subsumes-missing.ts'
import { SHARED } from './subsumes-terms.ts'
import { OBJECT } from './subsumes-types.ts'

/** Proof that one field alone makes every option refuse some object: it may be missing, or be what none of them takes there. */
export function commonRefusal(atom: Atom, options: readonly Case[], comparison: Comparison): Fit | undefined {
  if (atom.type !== OBJECT) return undefined
  const ours = comparison.given.fields(atom.of)
  const theirs = options.map((option) => comparison.taken.fields(option))
  const keys = new Set(theirs.flatMap((each) => [...each.keys, ...each.required]))
  for (const key of keys) {
    const fit = refusalOf(key, { ours, theirs, comparison })
    if (fit?.answer === 'does not fit') return within(fieldStep(key), fit)
  }
  return undefined
}

interface Sides {
  readonly ours: Fields
  readonly theirs: readonly Fields[]
  readonly comparison: Comparison
}

/** A null that an option drops is no proof, unless the field must be there. */
function refusalOf(key: string, { ours, theirs, comparison }: Sides): Fit | undefined {
  const presence = ours.presenceOf(key)
  const isNeeded = theirs.every((each) => each.required.has(key) && each.defaultOf(key) === undefined)
  const missing = isNeeded && presence !== 'always' ? compareRequired(key, ours) : undefined
  if (missing?.answer === 'does not fit' || presence === 'never') return missing
  if (!theirs.every((each) => each.declaration(key) !== undefined)) return undefined
  const given = ours.field(key)
  if (!isNeeded && comparison.given.judge(null, given) !== 'no') return undefined
  return comparison.compare(given, comparison.taken.anyOf(theirs.map((each) => each.field(key))), SHARED)
}
