import { fromDraft07 } from '../tool/schema/from-draft-07.ts'
import { isRecord, type JsonSchema } from '../tool/schema/json-schema.ts'
import { ShapeReader } from '../tool/schema/shape.ts'
import { type Case, CaseReader } from './subsumes-case.ts'
import { Fields } from './subsumes-fields.ts'
import { Items } from './subsumes-items.ts'
import { type Answer, Judge, type Scalar } from './subsumes-judge.ts'
import { ANYTHING, isAnything, NOTHING } from './subsumes-keywords.ts'

/** Reads schemas of one root, each once. Schemas from elsewhere must have no references. */
export class SchemaReader {
  readonly root: JsonSchema
  readonly #judge: Judge
  readonly #reader: CaseReader
  readonly #cases = new Map<JsonSchema, Cases>()
  #numbers: Map<JsonSchema, number> | undefined
  #joins: Map<string, JsonSchema> | undefined
  #shapes: ShapeReader | undefined
  /** What is known of the schemas that have a value at all. */
  readonly inhabited = new Map<JsonSchema, Answer>()

  constructor(given: JsonSchema) {
    this.root = isDraft07(given) ? fromDraft07(given) : given
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

  fields(of: Case): Fields {
    return (of.read.fields ??= new Fields(of.parts, this))
  }

  items(of: Case): Items {
    return (of.read.items ??= new Items(of.parts, this))
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
    const told = list.length < 2 ? list : list.filter((each, index) => !isAnything(each) && list.indexOf(each) === index)
    if (told.length < 2) return told[0] ?? ANYTHING
    return told.includes(NOTHING) ? NOTHING : this.#joined('allOf', told)
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

interface Cases {
  readonly all: readonly Case[]
  readonly possible: readonly Case[]
}

function isPossible({ types }: Case): boolean {
  return types !== 0
}

function isDraft07({ $schema }: JsonSchema): boolean {
  return typeof $schema === 'string' && /draft-0[67]\b/.test($schema)
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
