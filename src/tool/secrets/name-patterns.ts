import { isRecord, type JsonSchema, someSubschema } from '../../schema/json-schema.ts'
import { linearPattern, type Pattern } from '../../schema/linear-pattern.ts'
import { measure, nodesIn } from '../../schema/measure.ts'
import { Meter, TooCostly } from '../../schema/meter.ts'

/**
 * Matches names of fields with the patterns of a schema, which may come from a stranger: in linear time, and for one value in no more steps
 * than its validation may take.
 */
export class NamePatterns {
  readonly #root: JsonSchema
  readonly #meter = new Meter()
  /** Of this schema alone: those that all schemas share are forgotten where one has many. */
  readonly #compiled = new Map<string, Pattern | undefined>()
  #isUsed: boolean | undefined
  #isSpent = false

  constructor(root: JsonSchema) {
    this.#root = root
  }

  /** Begins with another value. Few schemas have patterns, and without one nothing is measured. */
  start(value: unknown): void {
    this.#isUsed ??= someSubschema(this.#root, hasPatterns)
    this.#isSpent = false
    if (this.#isUsed) this.#meter.start(nodesIn(measure(value)), 'own')
  }

  /** Whether all steps for this value are spent: nothing more is found out about its names. */
  get isSpent(): boolean {
    return this.#isSpent
  }

  /** Whether a name matches; undefined where it takes too long to find out. A pattern that cannot be run may match. */
  matches(source: string, name: string): boolean | undefined {
    if (this.#isSpent) return undefined
    const pattern = this.#of(source)
    if (pattern === undefined) return true
    try {
      return pattern.test(name, this.#meter)
    } catch (error) {
      if (!(error instanceof TooCostly)) return true
      this.#isSpent = true
      return undefined
    }
  }

  #of(source: string): Pattern | undefined {
    if (!this.#compiled.has(source)) this.#compiled.set(source, compiled(source))
    return this.#compiled.get(source)
  }
}

function compiled(source: string): Pattern | undefined {
  try {
    return linearPattern(source)
  } catch {
    return undefined
  }
}

export function hasPatterns({ patternProperties }: JsonSchema): boolean {
  return isRecord(patternProperties)
}
