import { fromDraft07, isDraft07 } from '../from-draft-07.ts'
import { isRecord, type JsonSchema } from '../json-schema.ts'
import { ShapeReader } from '../shape.ts'
import { Case, CaseReader } from './case.ts'
import { Fields, Items } from './fields.ts'
import { type Answer, isScalar, Judge, type Scalar } from './judge.ts'
import { ANYTHING, ARRAY, BOOLEAN, concerns, isAnything, NOTHING, NULL, NUMBER, OBJECT, STRING, typeName, typeOf } from './keywords.ts'

/** Reads schemas of one root, each once. Schemas from elsewhere must have no references. */
export class SchemaReader {
  readonly root: JsonSchema
  readonly #judge: Judge
  readonly #reader: CaseReader
  readonly #cases = new Map<JsonSchema, Cases>()
  readonly #readings = new Map<Case, Reading>()
  #numbers: Map<JsonSchema, number> | undefined
  #joins: Map<string, JsonSchema> | undefined
  #shapes: ShapeReader | undefined
  /** What is known of the schemas that have a value at all. */
  readonly inhabited = new Map<JsonSchema, Answer>()

  constructor(given: JsonSchema) {
    this.root = isDraft07(given['$schema']) ? fromDraft07(given) : given
    this.#judge = new Judge(this.root)
    this.#reader = new CaseReader(this.root, this.#judge)
  }

  /** The cases of a schema that a value can satisfy. */
  cases(schema: JsonSchema): readonly Case[] {
    return this.#read(schema).possible
  }

  /** All that a typed tool may take for the case of a value, before it validates. */
  allCases(schema: JsonSchema): readonly Case[] {
    return this.#read(schema).all
  }

  #read(schema: JsonSchema): Cases {
    let cases = this.#cases.get(schema)
    if (cases === undefined) {
      const all = this.#reader.read(schema)
      cases = { all, possible: all.every(isPossible) ? all : all.filter(isPossible) }
      this.#cases.set(schema, cases)
    }
    return cases
  }

  /** What has been read off a case so far. */
  readOff(of: Case): Reading {
    let reading = this.#readings.get(of)
    if (reading === undefined) {
      reading = {}
      this.#readings.set(of, reading)
    }
    return reading
  }

  fields(of: Case): Fields {
    return (this.readOff(of).fields ??= new Fields(of.parts, this))
  }

  items(of: Case): Items {
    return (this.readOff(of).items ??= new Items(of.parts, this))
  }

  judge(value: Scalar, schema: JsonSchema): Answer {
    return this.#judge.judge(value, schema)
  }

  /** By one case alone. */
  judgeCase(value: Scalar, { parts, excluded, unread, values }: Case): Answer {
    if (values?.includes(value) === false) return 'no'
    const answers: Answer[] = parts.map((part) => this.#judge.judgeAlone(value, part))
    if (answers.includes('no')) return 'no'
    const others = excluded.map((each) => this.judge(value, each))
    if (others.includes('yes')) return 'no'
    return unread !== undefined || answers.includes('unknown') || others.includes('unknown') ? 'unknown' : 'yes'
  }

  /** All schemas at once, as one. */
  allOf(list: readonly JsonSchema[]): JsonSchema {
    const distinct = list.length < 2 ? list : list.filter((each, index) => !isAnything(each) && list.indexOf(each) === index)
    if (distinct.length < 2) return distinct[0] ?? ANYTHING
    return distinct.includes(NOTHING) ? NOTHING : this.#joined('allOf', distinct)
  }

  /** Any of the schemas, as one. */
  anyOf(list: readonly JsonSchema[]): JsonSchema {
    return this.#joined('anyOf', list)
  }

  /** The same list gives the same schema: recursion must come back to where it was. */
  #joined(keyword: 'allOf' | 'anyOf', list: readonly JsonSchema[]): JsonSchema {
    const key = `${keyword} ${list.map((each) => this.#numberOf(each)).join(' ')}`
    const known = (this.#joins ??= new Map())
    let schema = known.get(key)
    if (schema === undefined) {
      schema = { [keyword]: list }
      known.set(key, schema)
    }
    return schema
  }

  /** As a typed tool sees it, which drops a null where this is false. */
  allowsNull(schema: JsonSchema): boolean {
    return this.shapes.allows(null, schema)
  }

  /** How a typed tool reads the same schemas. */
  get shapes(): ShapeReader {
    return (this.#shapes ??= new ShapeReader(this.root))
  }

  #numberOf(schema: JsonSchema): number {
    const known = (this.#numbers ??= new Map())
    let number = known.get(schema)
    if (number === undefined) {
      number = known.size
      known.set(schema, number)
    }
    return number
  }
}

interface Reading {
  fields?: Fields
  items?: Items
  atoms?: readonly Atom[]
}

interface Cases {
  readonly all: readonly Case[]
  readonly possible: readonly Case[]
}

function isPossible({ types }: Case): boolean {
  return types !== 0
}

/** A schema that takes one value and no other; of objects and arrays, spelt out. */
export function schemaOfValue(value: unknown): JsonSchema {
  if (Array.isArray(value)) {
    const prefixItems = value.map((item) => ({ const: item as unknown }))
    return { type: 'array', prefixItems, items: false, minItems: value.length }
  }
  if (!isRecord(value)) return { const: value }
  const properties = Object.fromEntries(Object.entries(value).map(([key, each]) => [key, { const: each }]))
  return { type: 'object', properties, required: Object.keys(value), additionalProperties: false }
}

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
  return (reader.readOff(of).atoms ??=
    of.values === undefined ? atomsOfTypes(of) : of.values.map((value) => atomOfValue(of, value, reader)))
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

const MAX_PIECES = 64

interface Sides {
  readonly given: SchemaReader
  readonly taken: SchemaReader
}

/** Takes objects apart by what stands in one of their fields, such as a tag, so that each piece can find an option of its own. */
export function splitAtom(atom: Atom, live: readonly Case[], { given, taken }: Sides): readonly Atom[] | undefined {
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
  if (atoms.length < 2 || atoms.length > MAX_PIECES || new Set(ranges).size < ranges.length) return undefined
  return atoms.map(({ type, scalar }) => (scalar === undefined ? { type: typeName(type) } : { const: scalar.value }))
}
