import type { JsonSchema } from '../json-schema.ts'
import type { Building } from './building.ts'
import { type Codec, NoEncoding, setOwn, type Trail } from './codec.ts'

/** A property that may be absent, in the way in which the dialect says so. */
export interface Optional {
  readonly schema: JsonSchema
  readonly isSame: boolean
  /** The dialect wants it in every value. */
  readonly isGiven: boolean
  readonly fits: (value: unknown) => boolean
  readonly decodeInto: (target: Record<string, unknown>, name: string, value: unknown, trail: Trail) => void
  readonly encodeInto: (target: Record<string, unknown>, name: string, value: { readonly value: unknown } | undefined) => void
}

interface Options {
  readonly isRequired: boolean
  /** Null is a value of the property itself, and cannot say that it is absent. */
  readonly takesNull: boolean
  readonly building: Building
}

/** A required property, or an optional one: left out, null, or a list of at most one, by rules and allowance. */
export function optionalCodec(codec: Codec, { isRequired, takesNull, building }: Options): Optional {
  const { rules, report, allowance } = building
  if (isRequired) return required(codec)
  if (rules.absent === 'left out' && report.optionals < allowance.optionals) {
    report.optionals++
    return leftOut(codec)
  }
  if (takesNull || report.nulls >= allowance.nulls) return asList(codec, building)
  report.nulls++
  report.unions++
  return asNull(codec)
}

function required(codec: Codec): Optional {
  return {
    schema: codec.schema,
    isSame: codec.isSame,
    isGiven: true,
    fits: codec.fits,
    decodeInto: (target, name, value, trail) => setOwn(target, name, codec.decode(value, trail)),
    encodeInto: (target, name, value) => {
      if (value === undefined) throw new NoEncoding(`The property ${JSON.stringify(name)} is missing.`)
      setOwn(target, name, codec.encode(value.value))
    },
  }
}

function leftOut(codec: Codec): Optional {
  return {
    ...required(codec),
    isGiven: false,
    encodeInto: (target, name, value) => {
      if (value !== undefined) setOwn(target, name, codec.encode(value.value))
    },
  }
}

/** Null says that it is absent. The codec itself does not take null. */
function asNull(codec: Codec): Optional {
  return {
    schema: withNull(codec.schema),
    isSame: false,
    isGiven: true,
    fits: (value) => value === null || codec.fits(value),
    decodeInto: (target, name, value, trail) => {
      if (value !== null) setOwn(target, name, codec.decode(value, trail))
    },
    encodeInto: (target, name, value) => setOwn(target, name, value === undefined ? null : codec.encode(value.value)),
  }
}

function withNull(schema: JsonSchema): JsonSchema {
  const { anyOf, description, ...rest } = schema
  const told = `${typeof description === 'string' ? `${description} ` : ''}Null if it is not given.`
  if (Array.isArray(anyOf)) return { ...rest, description: told, anyOf: [...(anyOf as readonly unknown[]), { type: 'null' }] }
  return { anyOf: [rest, { type: 'null' }], description: told }
}

/** Three states: `[]` is absent, `[null]` is null, `[x]` is x. */
function asList(codec: Codec, { rules }: Building): Optional {
  const { description, ...item } = codec.schema
  const told = `${typeof description === 'string' ? `${description} ` : ''}A list of at most one item: empty if it is not given.`
  return {
    schema: { type: 'array', items: item, ...(rules.keywords.has('maxItems') ? { maxItems: 1 } : {}), description: told },
    isSame: false,
    isGiven: true,
    fits: (value) => Array.isArray(value) && value.length <= 1 && value.every(codec.fits),
    decodeInto: (target, name, value, trail) => {
      if (!Array.isArray(value)) return setOwn(target, name, codec.decode(value, trail))
      if (value.length > 1) trail.refuse('must have at most one item')
      if (value.length === 1) setOwn(target, name, codec.decode(value[0], trail.step([0], [])))
    },
    encodeInto: (target, name, value) => setOwn(target, name, value === undefined ? [] : [codec.encode(value.value)]),
  }
}
