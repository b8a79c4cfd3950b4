import type { FieldTerms } from './subsumes-objects.ts'

type Both = Pick<FieldTerms, 'ours' | 'theirs' | 'terms' | 'comparison'>

/** The field may be given as null. */
export function mayBeNull(key: string, { ours, comparison }: Both): boolean {
  return comparison.given.judge(null, ours.field(key)) !== 'no'
}

/** If the field is given, it is still there when undeclared fields and nulls have been dropped. */
export function isSurelyKept(key: string, fields: Both): boolean {
  const { theirs, terms, comparison } = fields
  const declared = theirs.declaration(key)
  if (terms.isShared) return declared !== undefined && !mayBeNull(key, fields)
  return declared === undefined ? !theirs.isClosing : comparison.taken.allowsNull(declared) || !mayBeNull(key, fields)
}
