import { declares } from './subsumes-fields.ts'
import type { FieldTerms } from './subsumes-objects.ts'

type Both = Pick<FieldTerms, 'ours' | 'theirs' | 'taken' | 'terms' | 'isInherited' | 'comparison'>

/** The field may be given as null. */
export function mayBeNull(key: string, { ours, comparison }: Both): boolean {
  return comparison.given.judge(null, ours.field(key)) !== 'no'
}

/** If the field is given, it is still there when undeclared fields and nulls have been dropped. */
export function isSurelyKept(key: string, fields: Both): boolean {
  const { theirs, terms } = fields
  if (theirs.declaration(key) !== undefined) return !mayBeNull(key, fields) || keepsNull(key, fields)
  return !theirs.isClosing && !terms.isShared
}

/** A declared field is kept where it is null. Another option cannot have it dropped if the chosen one speaks of the field itself. */
export function keepsNull(key: string, { theirs, taken, terms, isInherited, comparison }: Both): boolean {
  const declared = theirs.declaration(key)
  if (declared === undefined || !comparison.taken.allowsNull(declared)) return false
  if (!terms.isShared) return true
  return !isInherited && taken.choices.every(({ option }) => comparison.taken.shapes.read(option).all.some((part) => declares(part, key)))
}
