import type { JsonSchema } from '../tool/schema/json-schema.ts'
import { type Atom, atomsOf } from './subsumes-atom.ts'
import type { Case } from './subsumes-case.ts'
import type { Comparison } from './subsumes-comparison.ts'
import type { SchemaReader } from './subsumes-reader.ts'
import { OBJECT, typeName } from './subsumes-types.ts'

const MOST_PIECES = 64

/** Takes objects apart by what stands in one of their fields, such as a tag, so that each piece can find an option of its own. */
export function splitAtom(atom: Atom, live: readonly Case[], { given, taken }: Comparison): readonly Atom[] | undefined {
  if (atom.type !== OBJECT) return undefined
  const fields = given.fields(atom.of)
  const keys = [...fields.required].filter((key) => live.some((each) => taken.fields(each).required.has(key)))
  const splits = keys.flatMap((key) => {
    const pieces = piecesOf(fields.field(key), given)
    return pieces === undefined ? [] : [{ key, pieces }]
  })
  const best = splits.find(({ pieces }) => pieces.every((piece) => 'const' in piece)) ?? splits[0]
  return best?.pieces.map((piece) => ({
    ...atom,
    of: atom.of.with({ properties: { [best.key]: piece } }),
  }))
}

/** Schemas that together take all that the field may be; undefined where they would not differ. */
function piecesOf(schema: JsonSchema, reader: SchemaReader): readonly JsonSchema[] | undefined {
  const atoms = atomsOf(schema, reader)
  const ranges = atoms.filter(({ scalar }) => scalar === undefined).map(({ type }) => type)
  if (atoms.length < 2 || atoms.length > MOST_PIECES || new Set(ranges).size < ranges.length) return undefined
  return atoms.map(({ type, scalar }) => (scalar === undefined ? { type: typeName(type) } : { const: scalar.value }))
}
