import { isRecord, type JsonSchema, someSubschema } from '../../schema/json-schema.ts'
import { linearPattern } from '../../schema/linear-pattern.ts'
import { measure, nodesIn } from '../../schema/measure.ts'
import { Meter, TooCostly } from '../../schema/meter.ts'

/**
 * Matches names of fields with the patterns of a schema, which may come from a stranger: in linear time, and for one value in no more steps
 * than its validation may take.
 */
export class NamePatterns {
  readonly #root: JsonSchema
  readonly #meter = new Meter()
  #isUsed: boolean | undefined

  constructor(root: JsonSchema) {
    this.#root = root
  }

  /** Begins with another value. Few schemas have patterns, and without one nothing is measured. */
  start(value: unknown): void {
    this.#isUsed ??= someSubschema(this.#root, hasPatterns)
    if (this.#isUsed) this.#meter.start(nodesIn(measure(value)), 'own')
  }

  /** Whether a name matches; undefined where it takes too long to find out. A pattern that cannot be run may match. */
  matches(source: string, name: string): boolean | undefined {
    try {
      return linearPattern(source).test(name, this.#meter)
    } catch (error) {
      return error instanceof TooCostly ? undefined : true
    }
  }
}

export function hasPatterns({ patternProperties }: JsonSchema): boolean {
  return isRecord(patternProperties)
}
