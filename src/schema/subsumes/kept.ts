import { isRecord, type JsonSchema } from '../json-schema.ts'
import type { Case } from './case.ts'
import type { CaseTerms, Comparing, FieldTerms } from './case-terms.ts'
import { declares, type Fields } from './fields.ts'
import { PLAIN } from './fit.ts'
import { isScalar } from './judge.ts'
import { ARRAY, concerns, NULL, OBJECT, schemaOf, schemasIn } from './keywords.ts'
import { type Atom, atomsOf } from './reader.ts'

const MAX_LEVELS = 6

/** A typed tool would drop nothing of the values that are given: no field and no null, at any level. */
export function isUntouched(
  atom: Atom,
  { taken, terms, comparison }: Pick<CaseTerms, 'taken' | 'terms' | 'comparison'>,
  level = 0,
): boolean {
  if (atom.scalar !== undefined || (atom.type !== ARRAY && atom.type !== OBJECT)) return true
  if (terms.isShared || level > MAX_LEVELS) return false
  return atom.type === ARRAY ? keepsItems(atom, taken, { comparison, level }) : keepsFields(atom, taken, { comparison, level })
}

interface Depth {
  readonly comparison: Comparing
  readonly level: number
}

function keepsItems(atom: Atom, taken: Case, depth: Depth): boolean {
  const ours = depth.comparison.given.items(atom.of)
  const theirs = depth.comparison.taken.items(taken)
  const last = Math.max(ours.prefixLength, theirs.prefixLength)
  return Array.from({ length: last + 1 }).every((_, index) => keepsAll(ours.item(index), theirs.item(index), depth))
}

function keepsFields(atom: Atom, taken: Case, depth: Depth): boolean {
  const ours = depth.comparison.given.fields(atom.of)
  const theirs = depth.comparison.taken.fields(taken)
  const isBounded = depth.comparison.given.cases(ours.rest).length === 0 && ours.patterns.length === 0
  if (!isBounded)
    return !theirs.isClosing && theirs.keys.size === 0 && theirs.patterns.length === 0 && keepsAll(ours.rest, theirs.rest, depth)
  return [...new Set([...ours.keys, ...ours.required])].every((key) => keepsField(key, { ours, theirs, depth }))
}

function keepsField(key: string, { ours, theirs, depth }: { ours: Fields; theirs: Fields; depth: Depth }): boolean {
  const declared = theirs.declaration(key)
  if (declared === undefined) return !theirs.isClosing
  const given = ours.field(key)
  return !dropsNull(given, declared, depth.comparison) && keepsAll(given, declared, depth)
}

function dropsNull(given: JsonSchema, declared: JsonSchema, { given: reader, taken }: Comparing): boolean {
  return atomsOf(given, reader).some(({ type }) => type === NULL) && !taken.allowsNull(declared)
}

function keepsAll(given: JsonSchema, taken: JsonSchema, { comparison, level }: Depth): boolean {
  const cases = comparison.taken.cases(taken)
  return atomsOf(given, comparison.given).every((atom) =>
    cases.every((each) => (each.types & atom.type) === 0 || isUntouched(atom, { taken: each, terms: PLAIN, comparison }, level + 1)),
  )
}

const BLIND = [
  ...['$comment', 'title', 'description', 'type', 'const', 'enum', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  ...['multipleOf', 'minLength', 'maxLength', 'pattern', 'format', 'properties', 'required'],
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'],
]

/** A condition that looks only at simple fields which are never dropped: those that the case declares, with null where it allows null. */
export function isBlindToDropped(condition: JsonSchema, atom: Atom, inCase: CaseTerms): boolean {
  const ours = inCase.comparison.given.fields(atom.of)
  const theirs = inCase.comparison.taken.fields(inCase.taken)
  return isBlind(condition, (key) => theirs.declaration(key) !== undefined && isSurelyKept(key, { ...inCase, ours, theirs }))
}

function isBlind(schema: JsonSchema, isKept: (key: string) => boolean): boolean {
  if (!Object.keys(schema).every((keyword) => BLIND.includes(keyword))) return false
  if (!(Array.isArray(schema['enum']) ? schema['enum'] : [schema['const'] ?? null]).every(isScalar)) return false
  const { properties, required, allOf, anyOf, oneOf, not, if: condition, then, else: otherwise } = schema
  if (Array.isArray(required) && !required.every((key) => typeof key === 'string' && isKept(key))) return false
  if (isRecord(properties) && !Object.entries(properties).every(([key, each]) => isKept(key) && isSimple(schemaOf(each)))) return false
  const inner = [...schemasIn(allOf), ...schemasIn(anyOf), ...schemasIn(oneOf), ...[not, condition, then, otherwise].flatMap(asList)]
  return inner.every((each) => isBlind(each, isKept))
}

function asList(schema: unknown): readonly JsonSchema[] {
  return schema === undefined ? [] : [schemaOf(schema)]
}

/** It does not look inside objects and arrays. */
function isSimple(schema: JsonSchema): boolean {
  if (concerns(schema, ARRAY) || concerns(schema, OBJECT)) return false
  return isBlind(schema, () => false)
}

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
