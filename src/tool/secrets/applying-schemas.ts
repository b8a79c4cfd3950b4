import { isPlainRecord, isRecord, type JsonSchema, mapSubschemas, someSubschema } from '../../schema/json-schema.ts'
import { SchemaCheck } from '../../schema/json-schema-engine.ts'
import { isEndless, measure, nodesIn } from '../../schema/measure.ts'
import { NotShowable } from './walk.ts'

/** The steps of all checks of one view. A value that needs more cannot be shown: to guess would let padding hide the rest. */
const MOST_STEPS = 500_000
const STEPS_PER_CHECK = 20

export const TAKES_TOO_LONG = 'it takes too long to find out which parts of it are secrets'

/** The name of a root that has none. A reference to `#` inside the root then means the root, wherever it is embedded. */
const ROOT_ID = 'https://schema.invalid/root'

/** Decides which schemas of one root apply to a value, by the engine that validates. For one view. */
export class ApplyingSchemas {
  readonly #parts: CompiledParts
  #left = MOST_STEPS

  constructor(root: JsonSchema) {
    this.#parts = partsOf(root)
  }

  /** Whether the schema accepts the value; undefined where it cannot be said. */
  accepts(schema: JsonSchema, value: unknown): boolean | undefined {
    if (typeof value === 'object' && value !== null && !Array.isArray(value) && !isPlainRecord(value)) return undefined
    const size = measure(value)
    if (isEndless(size)) return undefined
    const check = this.#parts.of(schema)
    if (check === undefined) return undefined
    try {
      return check.check(value, nodesIn(size), 'own').errors === undefined
    } catch {
      // Too many steps, or a schema that leads to itself without end.
      throw new NotShowable(TAKES_TOO_LONG)
    } finally {
      this.#spend(STEPS_PER_CHECK + nodesIn(size) + check.steps)
    }
  }

  /**
   * The options that accept the value. Where none does, or none can be told to, those of `likely` that are not known to reject it. `likely`
   * are the options that a short look does not rule out.
   */
  options(options: readonly unknown[], likely: readonly JsonSchema[], value: unknown): readonly JsonSchema[] {
    const rest = options.filter(isRecord).filter((option) => !likely.includes(option))
    const undecided: JsonSchema[] = []
    for (const group of [likely, rest]) {
      const accepting: JsonSchema[] = []
      for (const option of group) {
        const accepted = this.accepts(option, value)
        if (accepted === true) accepting.push(option)
        else if (accepted === undefined && group === likely) undecided.push(option)
      }
      if (accepting.length > 0) return accepting
    }
    return undecided.length > 0 || options.includes(true) ? undecided : likely
  }

  #spend(steps: number): void {
    if ((this.#left -= steps) < 0) throw new NotShowable(TAKES_TOO_LONG)
  }
}

/** The checks of the schemas inside a root. Each is compiled when it is first needed. */
class CompiledParts {
  readonly #root: JsonSchema
  #pointers: ReadonlyMap<object, string> | undefined
  #settled: JsonSchema | undefined
  readonly #checks = new Map<JsonSchema, SchemaCheck | undefined>()

  constructor(root: JsonSchema) {
    this.#root = root
  }

  /** Undefined if the schema cannot be compiled. */
  of(schema: JsonSchema): SchemaCheck | undefined {
    if (!this.#checks.has(schema)) this.#checks.set(schema, this.#compile(schema))
    return this.#checks.get(schema)
  }

  /** Inside `anyOf` no default is filled in. */
  #compile(schema: JsonSchema): SchemaCheck | undefined {
    try {
      return new SchemaCheck(someSubschema(schema, refers) ? this.#inPlace(schema) : { anyOf: [schema] }, '2020-12')
    } catch {
      return undefined
    }
  }

  /** A schema that refers to others is checked at its place in the root, so that its references mean the same. */
  #inPlace(schema: JsonSchema): JsonSchema {
    const { $id } = this.#root
    const id = typeof $id === 'string' ? $id.replace(/#$/, '') : ROOT_ID
    const pointer = (this.#pointers ??= pointersIn(this.#root)).get(schema)
    return { $defs: { root: { ...(this.#settled ??= settled(this.#root)), $id: id } }, anyOf: [{ $ref: `${id}#${pointer}` }] }
  }
}

/**
 * A root with plain references only. A dynamic one would begin at the schema around the root; it means the same place as a plain one where
 * nothing inside the root has an `$id`. Every schema keeps its place.
 */
function settled(root: JsonSchema): JsonSchema {
  const isOne = !someSubschema(root, (schema) => schema !== root && '$id' in schema)
  return isOne ? withPlainReferences(root) : root
}

function withPlainReferences(schema: JsonSchema): JsonSchema {
  const plain = mapSubschemas(schema, withPlainReferences)
  const { $dynamicRef, $recursiveRef, ...others } = plain
  const [reference, ...more] = [others['$ref'], $dynamicRef, $recursiveRef].filter((each) => each !== undefined)
  return reference === undefined || more.length > 0 ? plain : { ...others, $ref: reference }
}

function refers(schema: JsonSchema): boolean {
  return '$ref' in schema || '$dynamicRef' in schema || '$recursiveRef' in schema
}

/** The place of every object inside the root, as a JSON pointer in a reference. */
function pointersIn(root: JsonSchema): ReadonlyMap<object, string> {
  const pointers = new Map<object, string>([[root, '']])
  for (const [node, pointer] of pointers) {
    for (const [key, each] of Object.entries(node)) {
      if (typeof each !== 'object' || each === null || pointers.has(each as object)) continue
      pointers.set(each as object, `${pointer}/${encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))}`)
    }
  }
  return pointers
}

const known = new WeakMap<JsonSchema, CompiledParts>()

/** A schema that cannot change is compiled once. */
function partsOf(root: JsonSchema): CompiledParts {
  if (!Object.isFrozen(root)) return new CompiledParts(root)
  let parts = known.get(root)
  if (parts === undefined) known.set(root, (parts = new CompiledParts(root)))
  return parts
}
