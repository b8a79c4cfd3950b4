import { isRecord, type JsonSchema, someSubschema } from '../../schema/json-schema.ts'
import { ShapeReader } from '../../schema/shape.ts'
import { ApplyingSchemas, TAKES_TOO_LONG } from './applying-schemas.ts'
import { fieldSchemas, itemSchemas, namedSchemas } from './child-schemas.ts'
import { declaration, Described, UNDESCRIBED } from './described.ts'
import { NamePatterns } from './name-patterns.ts'
import { SchemaReferences } from './schema-references.ts'
import { isCredentialName } from './sensitive-name.ts'
import { silentSchemas } from './silent-schemas.ts'
import { NotShowable } from './walk.ts'

/** The keys of what all other fields and all other items share. Names of fields are kept with a letter before them. */
const OTHER_FIELDS = 'o'
const OTHER_ITEMS = 'i'
/** The same of fields whose names were not matched with patterns, because that took too long: each pattern may describe them. */
const UNMATCHED_FIELDS = 'u'

/** So many sets of schemas are kept. */
const MOST_SETS = 1000

/**
 * Reads off a schema which values are secrets, through references and all applicators. `not` is left out: it describes no value.
 * Without `isExact`, a schema counts if it describes a value in any case; with it, only the options of a union, the branches of a condition
 * and the dependent schemas that apply to the value. Where that cannot be decided, those that the value could fit.
 */
export class SecretFields {
  readonly #root: JsonSchema
  readonly #references: SchemaReferences
  readonly #exact: Exact | undefined
  readonly #patterns: NamePatterns
  readonly #numbers = new Map<JsonSchema, number>()
  readonly #sets = new Map<string, Described>()
  /** The same schemas, for all values of one type that are no objects. */
  readonly #byType = new WeakMap<readonly unknown[], Map<string, Described>>()
  #secretNames: ReadonlySet<string> | undefined

  constructor(root: JsonSchema, isExact = false) {
    this.#root = root
    this.#references = new SchemaReferences(root)
    this.#patterns = new NamePatterns(root)
    this.#exact = isExact ? exactOf(root, this.#references) : undefined
  }

  root(value: unknown): Described {
    this.#patterns.start(value)
    return this.#of([this.#root], value)
  }

  /** Whether a field is a secret. A field in a place that the schema does not describe is one if a field of its name is, anywhere in the schema. */
  isSecret(described: Described, name: string | undefined): boolean {
    if (described.isDeclared !== undefined || name === undefined || !described.isEmpty) return described.isSecret(name)
    return described.isSecret(name) || (this.#secretNames ??= declaredNames(this.#root)).has(name)
  }

  field(described: Described, key: string, value: unknown): Described {
    if (described.schemas.length === 0) return UNDESCRIBED
    const name = described.hasPatterns ? this.#nameUnderPatterns(described, key) : described.lists(key) ? `p${key}` : OTHER_FIELDS
    return this.#shared(described, name, {
      value,
      of: () => fieldSchemas(described, key, (pattern) => this.#isMatch(pattern, key)),
    })
  }

  /** Which patterns match is found out for each name, until it takes too long. */
  #nameUnderPatterns(described: Described, key: string): string | undefined {
    const isListed = described.lists(key)
    if (this.#patterns.isSpent) return isListed ? `${UNMATCHED_FIELDS}${key}` : UNMATCHED_FIELDS
    return isListed ? `p${key}` : undefined
  }

  item(described: Described, index: number, value: unknown): Described {
    if (described.schemas.length === 0) return UNDESCRIBED
    const exact = this.#exact
    const known = this.#knownItem(described, index, value)
    if (known !== undefined) return known
    // A log does not look whether an item fits: the schema may describe it, and may leave it to others.
    const isContained = (contains: JsonSchema): boolean | undefined => (exact === undefined ? undefined : applies(exact, contains, value))
    const of = (): readonly unknown[] => itemSchemas(described, index, isContained)
    if (index < described.longestPrefix) return this.#shared(described, index, { value, of })
    const ofAll = (): readonly unknown[] => (described.sharedItems ??= of())
    return this.#shared(described, OTHER_ITEMS, { value, of: exact === undefined || described.hasContains ? of : ofAll })
  }

  /** Of a long list, all items after the first ones are described alike: nothing new is made for them. */
  #knownItem(described: Described, index: number, value: unknown): Described | undefined {
    if (index < described.longestPrefix) return undefined
    if (this.#exact === undefined) return described.known.get(OTHER_ITEMS)
    const { sharedItems, hasContains } = described
    return sharedItems === undefined || hasContains ? undefined : this.#decided(this.#exact, sharedItems, value)
  }

  /** Undefined where it takes too long to find out: a log then hides by both answers. To guess would let padding hide a field from a person. */
  #isMatch(pattern: string, key: string): boolean | undefined {
    const isMatch = this.#patterns.matches(pattern, key)
    if (isMatch === undefined && this.#exact !== undefined) throw new NotShowable(TAKES_TOO_LONG)
    return isMatch
  }

  /** The same for all values, unless the value decides. */
  #shared(described: Described, name: string | number | undefined, { value, of }: Wanted): Described {
    if (this.#exact !== undefined || name === undefined) return this.#of(of(), value)
    let found = described.known.get(name)
    if (found === undefined) described.known.set(name, (found = this.#of(of(), undefined)))
    return found
  }

  /** Where the value does not decide, the same schemas say the same: at every level of a schema that contains itself, and for every name that fits the same patterns. */
  #of(given: readonly unknown[], value: unknown): Described {
    if (this.#exact !== undefined) return this.#decided(this.#exact, given, value)
    const numbers = given.filter(isRecord).map((schema) => this.#numberOf(schema))
    const key = numbers.length === 1 ? String(numbers[0]) : numbers.toSorted((one, other) => one - other).join()
    let found = this.#sets.get(key)
    if (found === undefined) {
      if (this.#sets.size >= MOST_SETS) this.#sets.clear()
      this.#sets.set(key, (found = this.#expand(given, undefined)))
    }
    return found
  }

  /** Where nothing but the type of a value decides, long lists of such values are described once. */
  #decided(exact: Exact, given: readonly unknown[], value: unknown): Described {
    const type = typeOf(value)
    const known = type === undefined ? undefined : this.#byType.get(given)?.get(type)
    if (known !== undefined) return known
    exact.isByValue = false
    const found = this.#expand(given, value)
    if (type !== undefined && !exact.isByValue) {
      const types = this.#byType.get(given) ?? new Map<string, Described>()
      this.#byType.set(given, types.set(type, found))
    }
    return found
  }

  #numberOf(schema: JsonSchema): number {
    let number = this.#numbers.get(schema)
    if (number === undefined) this.#numbers.set(schema, (number = this.#numbers.size))
    return number
  }

  #expand(given: readonly unknown[], value: unknown): Described {
    const found = new Map<JsonSchema, readonly unknown[]>()
    const left = [...given]
    while (left.length > 0) {
      const schema = left.pop()
      if (!isRecord(schema) || found.has(schema) || this.#exact?.silent.has(schema) === true) continue
      const certain = [...this.#references.of(schema), ...listOf(schema['allOf'])]
      const chosen = this.#chosen(schema, value)
      found.set(schema, this.#exact === undefined ? certain : [...certain, ...chosen])
      left.push(...certain, ...chosen)
    }
    return found.size === 0 ? UNDESCRIBED : new Described(found)
  }

  #chosen(schema: JsonSchema, value: unknown): readonly unknown[] {
    const { anyOf, oneOf, if: condition, then, else: otherwise } = schema
    const dependent = dependentOn(schema)
    const exact = this.#exact
    if (exact === undefined)
      return [...listOf(anyOf), ...listOf(oneOf), condition, then, otherwise, ...dependent.map(([, each]) => each)].filter(isRecord)
    return [
      ...optionsFor(exact, listOf(anyOf), value),
      ...optionsFor(exact, listOf(oneOf), value),
      ...branchesFor(exact, schema, value),
      ...dependent.flatMap(([key, each]) => (isRecord(value) && Object.hasOwn(value, key) ? [each] : [])),
    ].filter(isRecord)
  }
}

/** Decides by a value. The reader has a short look, which is all there is where the engine cannot decide. */
interface Exact {
  readonly reader: ShapeReader
  readonly applying: ApplyingSchemas
  /** Schemas of which it need not be decided whether they apply. */
  readonly silent: ReadonlySet<unknown>
  /** Whether the engine accepts nothing that the short look rules out. */
  readonly isLookSound: boolean
  /** More than the type of a value was looked at. */
  isByValue: boolean
}

/** The type of a value that is no object: a schema that looks at no more says the same of all of them. */
function typeOf(value: unknown): string | undefined {
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'object') return value === null ? 'null' : undefined
  return Number.isInteger(value) ? 'integer' : typeof value
}

function exactOf(root: JsonSchema, references: SchemaReferences): Exact {
  const silent = silentSchemas(root, { referred: (schema) => references.of(schema), speaks })
  return {
    reader: new ShapeReader(root),
    applying: new ApplyingSchemas(root),
    silent,
    isLookSound: references.isOneResource,
    isByValue: false,
  }
}

/** Whether a schema declares a secret or none, or lists a field under the name of a credential. */
function speaks(schema: JsonSchema): boolean {
  return declaration(schema).length > 0 || Object.keys(namedSchemas(schema['properties'])).some(isCredentialName)
}

/** Undefined where it cannot be decided and nothing rules it out. */
function applies({ reader, applying, silent }: Exact, schema: JsonSchema, value: unknown): boolean | undefined {
  if (silent.has(schema)) return false
  return applying.accepts(schema, value) ?? (reader.couldBe(schema, value) ? undefined : false)
}

function optionsFor(exact: Exact, options: readonly unknown[], value: unknown): readonly JsonSchema[] {
  const { reader, applying, silent, isLookSound } = exact
  if (options.length === 0) return NONE
  // The reader knows a list of options again.
  const schemas = options.every(isRecord) ? options : options.filter(isRecord)
  if (schemas.every((each) => silent.has(each))) return NONE
  const likely = reader.candidates(schemas, value)
  // A check of the only option would cost a walk through all of the value at each level, and change nothing.
  const isSettled = isLookSound && !options.includes(true) && (likely.length === 1 || likely.every((each) => silent.has(each)))
  if (!isSettled || reader.looksAtValues(schemas)) exact.isByValue = true
  if (isSettled) return likely
  return isLookSound && !options.includes(true) ? applying.options(likely, likely, value) : applying.options(options, likely, value)
}

const NONE: readonly never[] = []

/** Without a condition `then` and `else` mean nothing. */
function branchesFor(exact: Exact, { if: condition, then, else: otherwise }: JsonSchema, value: unknown): readonly unknown[] {
  const { reader, applying, silent } = exact
  if (!isRecord(condition)) return condition === true ? [then] : condition === false ? [otherwise] : []
  if ([condition, then, otherwise].every((each) => !isRecord(each) || silent.has(each))) return []
  exact.isByValue = true
  const holds = applying.accepts(condition, value)
  if (holds === undefined) return reader.couldBe(condition, value) ? [condition, then, otherwise] : [otherwise]
  return holds ? [condition, then] : [otherwise]
}

function dependentOn({ dependencies, dependentSchemas }: JsonSchema): readonly (readonly [string, unknown])[] {
  if (dependencies === undefined && dependentSchemas === undefined) return NONE
  return Object.entries({ ...namedSchemas(dependencies), ...namedSchemas(dependentSchemas) })
}

interface Wanted {
  readonly value: unknown
  readonly of: () => readonly unknown[]
}

function listOf(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list : NONE
}

/** The names of the fields that are declared as secrets, anywhere in a schema. */
function declaredNames(root: JsonSchema): ReadonlySet<string> {
  const names = new Set<string>()
  someSubschema(root, ({ properties }) => {
    for (const [name, each] of Object.entries(namedSchemas(properties)))
      if (isRecord(each) && declaration(each).includes(true)) names.add(name)
    return false
  })
  return names
}

const logged = new WeakMap<JsonSchema, SecretFields>()

/** The fields that a log hides by a schema. A schema that cannot change is read once. */
export function secretFieldsOf(schema: JsonSchema): SecretFields {
  if (!Object.isFrozen(schema)) return new SecretFields(schema)
  let fields = logged.get(schema)
  if (fields === undefined) logged.set(schema, (fields = new SecretFields(schema)))
  return fields
}

const declaring = new WeakMap<JsonSchema, boolean>()

/** Whether a schema itself declares a secret, anywhere in it. */
export function declaresSecrets(schema: JsonSchema): boolean {
  let answer = declaring.get(schema)
  if (answer === undefined) declaring.set(schema, (answer = someSubschema(schema, (each) => declaration(each).includes(true))))
  return answer
}
