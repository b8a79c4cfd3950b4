import { isDeepStrictEqual } from 'node:util'
import { type JsonSchema, someSubschema } from '../json-schema.ts'
import type { CaseTerms } from './case-terms.ts'
import { type Fit, FITS, unsure } from './fit.ts'
import { isBlindToDropped, isUntouched } from './kept.ts'
import { ARRAY, isAnything, OBJECT, schemaOf } from './keywords.ts'
import type { Atom } from './reader.ts'

/** Keywords that are not taken apart, each with those that belong to it. */
const OF_ALL: readonly (readonly string[])[] = [['not'], ['if', 'then', 'else']]
const OF_ARRAYS: readonly (readonly string[])[] = [['contains', 'minContains', 'maxContains'], ['unevaluatedItems']]
const OF_OBJECTS: readonly (readonly string[])[] = [['dependentSchemas'], ['dependencies'], ['unevaluatedProperties']]

/** What is left of a case when the rules for the type are met. A condition is met by one that is just the same. */
export function compareConditions(atom: Atom, inCase: CaseTerms): Fit {
  const { taken, comparison } = inCase
  if (taken.unread !== undefined) return unsure(`is compared with a schema that ${taken.unread}`)
  if (!taken.excluded.every((each) => comparison.apartness.isAtomApart(atom, each)))
    return unsure('may match more than one option of oneOf')
  const groups = [...OF_ALL, ...(atom.type === ARRAY ? OF_ARRAYS : atom.type === OBJECT ? OF_OBJECTS : [])]
  for (const part of taken.parts) {
    for (const group of groups) {
      const [keyword = ''] = group
      if (part[keyword] !== undefined && !isMet(atom, part, { group, inCase })) return unsure(`may break what '${keyword}' asks for`)
    }
  }
  return FITS
}

interface Condition {
  readonly group: readonly string[]
  readonly inCase: CaseTerms
}

function isMet(atom: Atom, part: JsonSchema, { group, inCase }: Condition): boolean {
  const [keyword = ''] = group
  const asked = part[keyword]
  if (keyword === 'not') {
    if (inCase.comparison.apartness.isAtomApart(atom, schemaOf(asked))) return true
  } else if (keyword.startsWith('unevaluated')) {
    if (isAnything(schemaOf(asked)) || (asked === false && declaresAll(part, inCase))) return true
    return atom.of.parts.some((each) => isSame(each, part, inCase)) && isUntouched(atom, inCase)
  }
  const asGroup = pick(part, group)
  if (!atom.of.parts.some((each) => isSame(pick(each, group), asGroup, inCase))) return false
  return isUntouched(atom, inCase) || isBlindToDropped(asGroup, atom, inCase)
}

/** What is not declared is dropped, and what is declared inside the part counts as evaluated there. */
function declaresAll(part: JsonSchema, { taken, terms, comparison }: CaseTerms): boolean {
  const fields = comparison.taken.fields(taken)
  if (terms.isShared || !fields.isClosing || taken.parts[0] !== part) return false
  const hasConditions = taken.parts.some((each) => each['if'] !== undefined || each['dependentSchemas'] !== undefined)
  return !hasConditions && [...fields.required].every((key) => fields.keys.has(key))
}

/** The same text means the same only if references in it lead to the same place. */
function isSame(given: JsonSchema, taken: JsonSchema, { comparison }: CaseTerms): boolean {
  if (!isDeepStrictEqual(given, taken)) return false
  return !someSubschema(given, refers) || isDeepStrictEqual(comparison.given.root, comparison.taken.root)
}

function refers(schema: JsonSchema): boolean {
  return Object.keys(schema).some((keyword) => /^\$(ref|dynamicRef|recursiveRef)$/.test(keyword))
}

function pick(schema: JsonSchema, keywords: readonly string[]): JsonSchema {
  return Object.fromEntries(keywords.filter((keyword) => keyword in schema).map((keyword) => [keyword, schema[keyword]]))
}
