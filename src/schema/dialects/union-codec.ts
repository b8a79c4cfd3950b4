import { isRecord, isSameJson, type JsonSchema } from '../json-schema.ts'
import type { Building } from './building.ts'
import { type Codec, NoEncoding, prefixed, Refused, Trail } from './codec.ts'
import { areDisjoint } from './disjoint-shapes.ts'

/** An option of a union, with the schema of the original that its values must fit. */
export interface Branch {
  readonly codec: Codec
  readonly original: unknown
}

/** One of several shapes. Null, where it is one of them, is written as the dialect wants it. */
export function unionCodec(given: readonly Branch[], building: Building, { description, hasNull }: UnionParts): Codec {
  const branches = tagged(given, building)
  const [only] = branches
  const isNullable = hasNull && building.rules.nulls === 'nullable'
  if (branches.length === 1 && only !== undefined && (!hasNull || isNullable))
    return hasNull ? nullable(only.codec, description) : only.codec
  building.report.unions++
  const schemas = branches.map(({ codec }, index) => {
    const shown = building.rules.describesUnions ? codec.schema : prefixed(codec.schema, description, false)
    return isNullable && index === 0 ? withNullable(shown) : shown
  })
  const told = building.rules.describesUnions && description !== '' ? { description } : {}
  const takesNull = (value: unknown): boolean => hasNull && value === null
  const decode = (value: unknown, trail: Trail): unknown => (takesNull(value) ? null : decodeBranch(branches, value, { trail, building }))
  return {
    schema: { anyOf: hasNull && !isNullable ? [...schemas, { type: 'null' }] : schemas, ...told },
    isSame: branches.every(({ codec }) => codec.isSame),
    fits: (value) => takesNull(value) || branches.some(({ codec }) => codec.fits(value)),
    decode,
    encode: (value) => {
      if (takesNull(value)) return null
      for (const { codec } of branches) {
        const encoded = encodingOf(codec, value)
        if (encoded !== undefined && codec.fits(encoded.value) && decodesTo(encoded.value, value, decode)) return encoded.value
      }
      throw new NoEncoding('The value fits no option.')
    },
  }
}

interface UnionParts {
  readonly description: string
  readonly hasNull: boolean
}

function nullable(codec: Codec, description: string): Codec {
  return {
    ...codec,
    schema: withNullable(prefixed(codec.schema, description, false)),
    fits: (value) => value === null || codec.fits(value),
    decode: (value, trail) => (value === null ? null : codec.decode(value, trail)),
    encode: (value) => (value === null ? null : codec.encode(value)),
  }
}

function withNullable(schema: JsonSchema): JsonSchema {
  const { anyOf } = schema
  if (!Array.isArray(anyOf)) return { ...schema, nullable: true }
  const [first, ...others] = anyOf as readonly JsonSchema[]
  return first === undefined ? schema : { ...schema, anyOf: [withNullable(first), ...others] }
}

/** The first option whose shape the value has, and whose value is valid. Where none is, the first that could read it. */
function decodeBranch(
  branches: readonly Branch[],
  value: unknown,
  { trail, building }: { readonly trail: Trail; readonly building: Building },
): unknown {
  const fitting = branches.filter(({ codec }) => codec.fits(value))
  const [only] = fitting
  if (fitting.length === 1 && only !== undefined) return only.codec.decode(value, trail)
  for (const { codec, original } of fitting.length > 0 ? fitting : branches) {
    if (!trail.mayTry()) return value
    const found = trail.attempt(() => {
      const decoded = codec.decode(value, trail)
      return building.isValid(original, decoded) ? decoded : trail.refuse('fits no option')
    })
    if (found !== undefined) return found.value
  }
  return fitting.length > 0 && only !== undefined ? only.codec.decode(value, trail) : value
}

function encodingOf(codec: Codec, value: unknown): { readonly value: unknown } | undefined {
  try {
    return { value: codec.encode(value) }
  } catch (error) {
    if (error instanceof NoEncoding) return undefined
    throw error
  }
}

function decodesTo(encoded: unknown, value: unknown, decode: (value: unknown, trail: Trail) => unknown): boolean {
  try {
    return isSameJson(decode(encoded, new Trail()), value)
  } catch (error) {
    if (error instanceof Refused) return false
    throw error
  }
}

/** Options that another option could be taken for, and that mean something else, say which they are. */
function tagged(branches: readonly Branch[], building: Building): readonly Branch[] {
  return branches.map((branch, index) => {
    if (branch.codec.isSame || branches.every((other) => other === branch || areDisjoint(branch.codec, other.codec))) return branch
    return { ...branch, codec: withTag(branch.codec, `option_${index + 1}`, building) }
  })
}

function withTag(codec: Codec, tag: string, { rules, report }: Building): Codec {
  report.properties += 2
  const isTagged = (value: unknown): value is Readonly<Record<string, unknown>> =>
    isRecord(value) && value['option'] === tag && Object.hasOwn(value, 'value') && Object.keys(value).length === 2
  return {
    schema: {
      type: 'object',
      properties: { option: rules.textEnums ? { type: 'string', enum: [tag] } : { type: 'string', const: tag }, value: codec.schema },
      required: ['option', 'value'],
      ...(rules.closes ? { additionalProperties: false } : {}),
    },
    isSame: false,
    fits: (value) => isTagged(value) && codec.fits(value['value']),
    decode: (value, trail) => (isTagged(value) ? codec.decode(value['value'], trail.step(['value'], [])) : codec.decode(value, trail)),
    encode: (value) => ({ option: tag, value: codec.encode(value) }),
  }
}
