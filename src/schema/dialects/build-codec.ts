import { dereference, isRecord, type JsonSchema } from '../json-schema.ts'
import { compileJsonSchema } from '../compile-json-schema.ts'
import { redirected } from '../nest-schema.ts'
import { type Allowance, type Building, Report, type Spot } from './building.ts'
import type { Codec } from './codec.ts'
import type { DialectRules } from './dialect-rules.ts'
import { flatSchema, isAny, isRecursive, pureReference, wordsAndRules } from './flat-schema.ts'
import { arrayCodec } from './list-codecs.ts'
import { leftOversOf, optionsOf } from './merge-schemas.ts'
import { Telling } from './moved-rules.ts'
import { objectCodec } from './object-codec.ts'
import { enumCodec, type Node, nullCodec, scalarCodec } from './scalar-codecs.ts'
import { textCodec } from './text-codec.ts'
import { tupleCodec } from './tuple-codec.ts'
import { type Branch, unionCodec } from './union-codec.ts'

/** A whole schema in a dialect. */
export interface Built {
  readonly codec: Codec
  readonly definitions: Readonly<Record<string, JsonSchema>>
  readonly report: Report
}

/** Keywords that are told and not expressed, whatever the type. */
const NEVER = ['not', 'if', 'then', 'else', '$dynamicRef', '$recursiveRef']

/** Rewrites one schema, node by node. */
export class Builder implements Building {
  readonly root: JsonSchema
  readonly rules: DialectRules
  readonly allowance: Allowance
  readonly report = new Report()
  readonly #definitions = new Map<string, { readonly name: string; codec: Codec | undefined }>()

  constructor(root: JsonSchema, rules: DialectRules, allowance: Allowance) {
    this.root = root
    this.rules = rules
    this.allowance = allowance
  }

  /** The codec of the root, which is an object in every dialect. */
  buildRoot(): Built {
    const codec = this.#isPlainObject() ? this.#node(this.root, START, true) : this.build(this.root, { ...START, depth: 1 })
    const definitions = Object.fromEntries(Array.from(this.#definitions.values(), ({ name, codec: each }) => [name, each?.schema ?? {}]))
    return { codec, definitions, report: this.report }
  }

  readonly build = (schema: unknown, spot: Spot): Codec => {
    const reference = pureReference(schema)
    if (reference !== undefined && this.rules.references && isRecursive(reference, this.root)) return this.#referenced(reference, spot)
    return this.#node(schema, spot, false)
  }

  readonly isValid = (schema: unknown, value: unknown): boolean => {
    if (!isRecord(schema)) return schema !== false
    let known = this.#validators.get(schema)
    if (known === undefined) {
      const anchored = (reference: string): string => (reference.startsWith('#') ? `#/$defs/root${reference.slice(1)}` : reference)
      known = validatorOf({ ...redirected(schema, anchored), $defs: { root: redirected(this.root, anchored) } })
      this.#validators.set(schema, known)
    }
    return known(value)
  }

  readonly #validators = new WeakMap<object, (value: unknown) => boolean>()

  #isPlainObject(): boolean {
    const { schema } = flatSchema(this.root, this.root)
    return (
      schema !== false &&
      schema['type'] === 'object' &&
      !('anyOf' in schema) &&
      !('oneOf' in schema) &&
      !('enum' in schema) &&
      !('const' in schema)
    )
  }

  /** A definition is written once, and may refer to itself. */
  #referenced(reference: string, spot: Spot): Codec {
    let known = this.#definitions.get(reference)
    if (known === undefined) {
      known = { name: `definition_${this.#definitions.size + 1}`, codec: undefined }
      this.#definitions.set(reference, known)
      known.codec = this.#node(dereference(reference, this.root), { ...spot, depth: 0 }, false)
    }
    const definition = known
    const target = flatSchema(dereference(reference, this.root), this.root).schema
    const isObject =
      target !== false && target['type'] === 'object' && isRecord(target['properties']) && !('anyOf' in target) && !('oneOf' in target)
    const codecOf = (): Codec => definition.codec ?? UNFINISHED
    return {
      schema: { $ref: `#/$defs/${definition.name}` },
      isSame: false,
      kinds: isObject ? ['object', ...(spot.depth < this.rules.limits.depth ? [] : ['string'])] : ANYTHING,
      fits: remembered((value) => codecOf().fits(value)),
      decode: (value, trail) => codecOf().decode(value, trail),
      encode: (value) => codecOf().encode(value),
    }
  }

  #node(given: unknown, from: Spot, isRoot: boolean): Codec {
    const { schema, followed } = flatSchema(given, this.root)
    const spot = { ...from, followed: [...from.followed, ...followed] }
    if (schema === false) return textCodec({ not: {} }, 'no value fits', { building: this, spot })
    const { unrolled } = this.rules.limits
    if (followed.some((each) => spot.followed.filter((other) => other === each).length > unrolled + 1))
      return textCodec(schema, `recursive: after ${unrolled} levels sent as JSON text`, { building: this, spot })
    if (isAny(schema)) return textCodec(schema, 'any value: sent as JSON text', { building: this, spot })
    const union = ['anyOf', 'oneOf'].find((keyword) => Array.isArray(schema[keyword]))
    if (union !== undefined) return this.#union(schema, union, spot)
    const types = typesOf(schema)
    if (types.length === 0) return textCodec(schema, 'a schema without a type: sent as JSON text', { building: this, spot })
    if (schema['type'] === undefined && optionsOf(schema) === undefined)
      this.report.narrowed.push({
        path: spot.path,
        why: `only values of type ${types.join(' or ')} are offered, since no type is declared`,
      })
    const telling = this.#telling(schema, spot)
    const node: Node = { schema, building: this, spot, telling }
    // The other rules say which of the listed values are left.
    const options = optionsOf(schema)?.filter((each) => hasType(each, types) && this.isValid(schema, each))
    if (options?.length === 0) return textCodec({ not: {} }, 'no value fits', { building: this, spot })
    if (options !== undefined) return this.#options(options, node)
    const [only] = types
    if (types.length === 1 && only !== undefined) return this.#typed(only, node, isRoot)
    const { words, rules } = wordsAndRules(schema)
    const each = types.filter((type) => type !== 'null').map((type) => ({ ...rules, type }))
    return this.#branches(each, { spot, words, hasNull: types.includes('null') })
  }

  #telling(schema: JsonSchema, spot: Spot): Telling {
    const telling = new Telling(schema, this, spot)
    for (const keyword of NEVER) if (schema[keyword] !== undefined) telling.move(keyword, schema[keyword])
    for (const { keyword, value } of leftOversOf(schema)) telling.move(keyword, value)
    return telling
  }

  #typed(type: string, node: Node, isRoot: boolean): Codec {
    if (type === 'object') return objectCodec(node, isRoot)
    if (type === 'null') return nullCodec(this)
    if (type === 'string' || type === 'number' || type === 'integer' || type === 'boolean') return scalarCodec(type, node)
    const { prefixItems } = node.schema
    return Array.isArray(prefixItems) && prefixItems.length > 0 ? tupleCodec(prefixItems, node) : arrayCodec(node)
  }

  /** Listed values, by their types. */
  #options(options: readonly unknown[], node: Node): Codec {
    const rest = options.filter((each) => each !== null)
    if (rest.length === 0) return nullCodec(this)
    const groups = Map.groupBy(rest, (each) =>
      this.rules.textEnums || typeof each === 'string' || typeof each === 'object' ? 'text' : typeof each,
    )
    const hasNull = rest.length < options.length
    if (groups.size === 1 && !hasNull) return enumCodec(rest, node)
    const silent = { ...node, telling: new Telling({}, this, node.spot) }
    const branches = Array.from(groups.values(), (each): Branch => ({ codec: enumCodec(each, silent), original: { enum: each } }))
    return unionCodec(branches, this, { description: node.telling.text, hasNull })
  }

  /** The rules beside a union hold in every option. */
  #union(schema: JsonSchema, keyword: string, spot: Spot): Codec {
    const { words, rules } = wordsAndRules(schema)
    const { [keyword]: options, ...beside } = rules
    if (keyword === 'oneOf') this.report.moved.push({ keyword, path: spot.path, value: options })
    const list = (options as readonly unknown[]).filter((each) => each !== false)
    const isAlone = Object.keys(beside).length === 0 && leftOversOf(rules).length === 0
    const each = list.map((option) => (isAlone ? option : { allOf: [beside, option] }))
    return this.#branches(each, { spot, words, hasNull: false })
  }

  #branches(given: readonly unknown[], { spot, words, hasNull }: Branches): Codec {
    const possible = given.filter((each) => isPossible(flatSchema(each, this.root).schema))
    const others = possible.filter((each) => !isNull(flatSchema(each, this.root).schema))
    const takesNull = hasNull || others.length < possible.length
    const isOver = this.report.unions >= this.allowance.unions || (others.length > 1 && spot.depth >= this.rules.limits.depth)
    if (isOver && (others.length > 1 || takesNull)) {
      const text = { ...words, anyOf: [...given, ...(hasNull ? [{ type: 'null' }] : [])] }
      return textCodec(text, 'more unions than the vendor takes: sent as JSON text', { building: this, spot })
    }
    if (others.length === 0) return takesNull ? nullCodec(this) : textCodec({ not: {} }, 'no value fits', { building: this, spot })
    // An option may be put into an object that says which it is.
    const inside = others.length > 1 ? { ...spot, depth: spot.depth + 1 } : spot
    const branches = others.map((original): Branch => ({ codec: this.build(original, inside), original }))
    const { text } = new Telling(words, this, spot)
    return unionCodec(branches, this, { description: text, hasNull: takesNull })
  }
}

interface Branches {
  readonly spot: Spot
  readonly words: JsonSchema
  readonly hasNull: boolean
}

const START: Spot = { path: '', depth: 0, followed: ['#'] }
const ANYTHING = ['array', 'boolean', 'null', 'number', 'object', 'string']

/** A recursive shape is asked about the same part of a value by every option around it. */
function remembered(fits: Codec['fits']): Codec['fits'] {
  const known = new WeakMap<object, boolean>()
  return (value) => {
    if (typeof value !== 'object' || value === null) return fits(value)
    const before = known.get(value)
    if (before !== undefined) return before
    const found = fits(value)
    known.set(value, found)
    return found
  }
}

const UNFINISHED: Codec = {
  schema: {},
  isSame: false,
  fits: () => true,
  decode: (value) => value,
  encode: (value) => value,
}

/** A constant that is not among the listed values leaves none. */
function isPossible(schema: JsonSchema | false): boolean {
  return schema !== false && optionsOf(schema)?.length !== 0
}

function isNull(schema: JsonSchema | false): boolean {
  if (schema === false) return false
  const options = optionsOf(schema)
  return options === undefined ? schema['type'] === 'null' : options.length > 0 && options.every((each) => each === null)
}

/** Keywords that only values of one type are judged by. */
const TELLING: readonly (readonly [string, readonly string[]])[] = [
  ['object', ['properties', 'required', 'additionalProperties', 'patternProperties', 'propertyNames', 'minProperties', 'maxProperties']],
  ['array', ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems', 'contains']],
  ['string', ['minLength', 'maxLength', 'pattern', 'format']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
]

function typesOf(schema: JsonSchema): readonly string[] {
  const { type } = schema
  if (typeof type === 'string') return [type]
  if (Array.isArray(type)) {
    const types = [...new Set(type as readonly string[])]
    return types.includes('number') ? types.filter((each) => each !== 'integer') : types
  }
  const options = optionsOf(schema)
  if (options !== undefined)
    return [...new Set(options.map((each) => (each === null ? 'null' : Array.isArray(each) ? 'array' : typeof each)))]
  return TELLING.filter(([, keywords]) => keywords.some((keyword) => keyword in schema)).map(([each]) => each)
}

function hasType(value: unknown, types: readonly string[]): boolean {
  if (value === null) return types.includes('null')
  if (Array.isArray(value)) return types.includes('array')
  return types.includes(typeof value) || (types.includes('integer') && Number.isInteger(value))
}

function validatorOf(schema: JsonSchema): (value: unknown) => boolean {
  try {
    const { validate } = compileJsonSchema(schema, 'A part of the schema')
    return (value) => validate(value).issues === undefined
  } catch {
    // A part with references to places outside the definitions cannot stand alone. The whole is validated later.
    return () => true
  }
}
