import { isRecord, type JsonSchema } from '../json-schema.ts'
import { below, type Building, type Spot } from './building.ts'
import { type Codec, described, NoEncoding, prefixed, setOwn } from './codec.ts'
import { takesNull } from './flat-schema.ts'
import { type Entries, entriesOf, mapCodec } from './list-codecs.ts'
import { closure } from './merge-schemas.ts'
import { offeredName } from './offered-name.ts'
import { type Optional, optionalCodec } from './optional-codec.ts'
import type { Node } from './scalar-codecs.ts'
import { textCodec } from './text-codec.ts'

/** A property of an object in both shapes. */
interface Field {
  readonly original: PropertyKey
  readonly dialect: string
  /** Given in every value; otherwise the property may be absent in the original. */
  readonly codec: Optional
}

const TOLD = ['dependentRequired', 'dependentSchemas', 'dependencies']

/** An object: its properties, and a list of entries for those whose names are not known. */
export function objectCodec(node: Node, isRoot = false): Codec {
  const { schema, building, spot, telling } = node
  const { rules, report } = building
  const names = namesOf(schema).filter((name) => name !== '__proto__')
  const rest = isRoot && closure(schema) === undefined && schema['patternProperties'] === undefined ? undefined : restOf(schema, names)
  for (const keyword of TOLD) if (schema[keyword] !== undefined) telling.move(keyword, schema[keyword])
  if (isRecord(schema['patternProperties'])) telling.move('patternProperties', schema['patternProperties'])
  if (names.length === 0 && rest !== undefined && !isRoot) {
    if (rest === 'anything') return textCodec(schema, 'an object with any properties has no schema: sent as JSON text', node)
    return mapCodec(rest.values, node)
  }
  if (spot.depth + (rest === undefined ? 0 : 1) >= rules.limits.depth)
    return textCodec(schema, `nested deeper than ${rules.limits.depth} objects: sent as JSON text`, node)
  if (report.properties + names.length > rules.limits.properties)
    return textCodec(schema, `more than ${rules.limits.properties} properties: sent as JSON text`, node)
  if (closure(schema) === undefined) report.narrowed.push({ path: spot.path, why: 'undeclared properties are not offered' })
  else if (schema['unevaluatedProperties'] !== undefined) telling.move('unevaluatedProperties', schema['unevaluatedProperties'], false)
  if (rest === undefined && isRecord(schema['propertyNames']) && !Array.isArray(schema['propertyNames']['enum']))
    telling.move('propertyNames', schema['propertyNames'], false)
  if (isRecord(schema['properties']) && Object.hasOwn(schema['properties'], '__proto__'))
    report.lost.push({ keyword: 'properties', path: spot.path, why: 'a property named __proto__ is not offered' })
  report.properties += names.length
  const inside: Spot = { ...spot, depth: spot.depth + 1 }
  const taken = new Set<string>()
  const fields = names.map((name) => fieldOf(name, { ...node, spot: inside }, taken))
  for (const keyword of ['minProperties', 'maxProperties']) if (schema[keyword] !== undefined) telling.move(keyword, schema[keyword])
  const entries = rest === undefined ? undefined : entriesOf(rest === 'anything' ? true : rest.values, { ...node, spot: inside }, names)
  const extra = entries === undefined ? undefined : offeredName('additional_properties', taken, rules)
  if (fields.length === 0 && extra === undefined && !rules.emptyObjects && !isRoot)
    return described(emptyAsText(), ['Always {}.', telling.text].join(' ').trim())
  return described(assembled(fields, { entries, extra, building }), telling.text)
}

function namesOf(schema: JsonSchema): readonly string[] {
  const { properties, propertyNames } = schema
  const declared = isRecord(properties) ? Object.keys(properties).filter((name) => properties[name] !== false) : []
  const listed = isRecord(propertyNames) && Array.isArray(propertyNames['enum']) && isRecord(closure(schema)) ? propertyNames['enum'] : []
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const unknown = closure(schema) === false ? [] : required
  const all = [...declared, ...listed, ...unknown].filter((name) => typeof name === 'string')
  return constantsFirst([...new Set(all)], properties)
}

/** The property that tells the branches of a union apart goes first: some vendors decide by the first key. */
function constantsFirst(names: readonly string[], properties: unknown): readonly string[] {
  const isConstant = (name: string): boolean => {
    const field: unknown = isRecord(properties) ? properties[name] : undefined
    return isRecord(field) && 'const' in field
  }
  return [...names.filter(isConstant), ...names.filter((name) => !isConstant(name))]
}

type Rest = { readonly values: unknown } | 'anything' | undefined

/** The values of properties that are not named, if they are offered. */
function restOf(schema: JsonSchema, names: readonly string[]): Rest {
  const open = closure(schema)
  const patterns = isRecord(schema['patternProperties']) ? Object.values(schema['patternProperties']) : []
  const { propertyNames } = schema
  if (isRecord(propertyNames) && Array.isArray(propertyNames['enum'])) return undefined
  if (patterns.length > 0) {
    const values = [...patterns, ...(isRecord(open) ? [open] : [])]
    return { values: open === true ? true : values.length === 1 ? values[0] : { anyOf: values } }
  }
  if (open === undefined) return names.length === 0 && schema['properties'] === undefined ? 'anything' : undefined
  if (open === false) return undefined
  return open === true || (isRecord(open) && Object.keys(open).length === 0) ? 'anything' : { values: open }
}

function fieldOf(name: string, { schema, building, spot }: Node, taken: Set<string>): Field {
  const { properties, required } = schema
  const declared: unknown = isRecord(properties) && Object.hasOwn(properties, name) ? properties[name] : (closure(schema) ?? true)
  const dialect = offeredName(name, taken, building.rules)
  const isRequired = Array.isArray(required) && required.includes(name)
  building.report.characters += dialect.length
  const codec = building.build(declared, below(spot, name))
  const named =
    dialect === name
      ? codec
      : { ...codec, schema: prefixed(codec.schema, `Stands for ${JSON.stringify(name)}.`, building.rules.describesUnions) }
  const takes = takesNull(declared, building.root)
  return { original: name, dialect, codec: optionalCodec(named, { isRequired, takesNull: takes, building }) }
}

interface Assembly {
  readonly entries: Entries | undefined
  /** The property that has the entries. */
  readonly extra: string | undefined
  readonly building: Building
}

function assembled(fields: readonly Field[], { entries, extra, building: { rules } }: Assembly): Codec {
  const byName = new Map(fields.map((field) => [field.dialect, field]))
  const byOriginal = new Map(fields.map((field) => [field.original, field]))
  const properties: [string, JsonSchema][] = fields.map(({ dialect, codec }) => [dialect, codec.schema])
  const renamed = fields.filter(({ dialect, original }) => dialect !== original)
  const required = fields.filter(({ codec }) => codec.isGiven).map(({ dialect }) => dialect)
  if (entries !== undefined && extra !== undefined) {
    properties.push([extra, { ...entries.schema, description: 'Further properties, as a list of entries. Empty if there are none.' }])
    required.push(extra)
  }
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(properties),
      required,
      ...(rules.closes ? { additionalProperties: false } : {}),
    },
    isSame: extra === undefined && fields.every(({ original, dialect, codec }) => original === dialect && codec.isSame),
    fits: (value) => {
      if (!isRecord(value) || !required.every((name) => Object.hasOwn(value, name))) return false
      return Object.entries(value).every(([name, each]) => {
        if (name === extra) return entries?.fits(each) === true
        return byName.get(name)?.codec.fits(each) ?? !rules.closes
      })
    },
    decode: (value, trail) => {
      if (!isRecord(value)) return value
      const target: Record<string, unknown> = {}
      for (const [name, each] of Object.entries(value)) {
        if (name === extra) continue
        const field = byName.get(name)
        if (field === undefined) setOwn(target, name, each)
        else field.codec.decodeInto(target, field.original as string, each, trail.step([name], [field.original]))
      }
      for (const { dialect, original } of renamed) if (!Object.hasOwn(value, dialect)) trail.step([dialect], [original])
      if (entries !== undefined && extra !== undefined && Object.hasOwn(value, extra)) {
        const list = value[extra]
        if (!Array.isArray(list)) return trail.into(extra).refuse('must be a list of entries: { key, value }')
        entries.decodeInto(target, list, trail.into(extra))
      }
      return target
    },
    encode: (value) => {
      if (!isRecord(value)) throw new NoEncoding('The value is no object.')
      const target: Record<string, unknown> = {}
      for (const { original, dialect, codec } of fields)
        codec.encodeInto(target, dialect, Object.hasOwn(value, original) ? { value: value[original as string] } : undefined)
      const others = Object.entries(value).filter(([name]) => !byOriginal.has(name))
      if (extra !== undefined) setOwn(target, extra, entries?.encode(others))
      else if (others.length > 0) throw new NoEncoding(`The property ${JSON.stringify(others[0]?.[0])} is not offered.`)
      return target
    },
  }
}

function emptyAsText(): Codec {
  return {
    schema: { type: 'string', enum: ['{}'] },
    isSame: false,
    fits: (value) => value === '{}',
    decode: (value) => (value === '{}' ? {} : value),
    encode: (value) => {
      if (isRecord(value) && Object.keys(value).length === 0) return '{}'
      throw new NoEncoding('The value is not an empty object.')
    },
  }
}
