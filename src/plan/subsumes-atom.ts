import type { JsonSchema } from '../tool/schema/json-schema.ts'
import { Case } from './subsumes-case.ts'
import { isScalar, type Scalar } from './subsumes-judge.ts'
import { concerns } from './subsumes-keywords.ts'
import { type SchemaReader, schemaOfValue } from './subsumes-reader.ts'
import { ARRAY, BOOLEAN, NULL, NUMBER, OBJECT, STRING, typeOf } from './subsumes-types.ts'

/** The values of one type in one case of what is given, or a single value. The given fits if all its atoms do. */
export interface Atom {
  readonly of: Case
  readonly type: number
  /** The only value, where it has no parts. */
  readonly scalar?: { readonly value: Scalar }
  /** The only value, where it has parts; the case spells it out. */
  readonly whole?: unknown
  /** The schema does not speak of this type: it may not mean it. */
  readonly isUnsaid: boolean
}

const WITH_RANGE = [NUMBER, STRING, ARRAY, OBJECT]

/** The atoms of all cases of a schema. */
export function atomsOf(schema: JsonSchema, reader: SchemaReader): readonly Atom[] {
  const cases = reader.cases(schema)
  return cases.length === 1 ? atomsOfCase(cases[0] as Case, reader) : cases.flatMap((each) => atomsOfCase(each, reader))
}

function atomsOfCase(of: Case, reader: SchemaReader): readonly Atom[] {
  return (of.read.atoms ??= of.values === undefined ? atomsOfTypes(of) : of.values.map((value) => atomOfValue(of, value, reader)))
}

function atomsOfTypes(of: Case): readonly Atom[] {
  const atoms: Atom[] = []
  const isUnsaid = !of.typed
  if ((of.types & NULL) !== 0) atoms.push({ of, type: NULL, scalar: { value: null }, isUnsaid })
  if ((of.types & BOOLEAN) !== 0) for (const value of [true, false]) atoms.push({ of, type: BOOLEAN, scalar: { value }, isUnsaid })
  for (const type of WITH_RANGE) {
    if ((of.types & type) !== 0) atoms.push({ of, type, isUnsaid: isUnsaid && !of.parts.some((part) => concerns(part, type)) })
  }
  return atoms
}

function atomOfValue(of: Case, value: unknown, reader: SchemaReader): Atom {
  const type = typeOf(value)
  if (isScalar(value)) return { of, type, scalar: { value }, isUnsaid: false }
  const spelt = reader.cases(schemaOfValue(value))[0] ?? of
  const unread = of.unread ?? (of.parts.some((part) => concerns(part, type)) ? 'says more than its values' : undefined)
  return { of: new Case({ ...of, parts: spelt.parts, unread }, spelt), type, whole: value, isUnsaid: false }
}
