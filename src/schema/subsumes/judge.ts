import { dereference, type JsonSchema } from '../json-schema.ts'
import { linearPattern } from '../linear-pattern.ts'
import { Meter } from '../meter.ts'
import { ANYTHING, NULL, NUMBER, schemaOf, schemasIn, typeOf, typesNamed } from './keywords.ts'

/** What is known of a question. */
export type Answer = 'yes' | 'no' | 'unknown'

/** A value without parts. */
export type Scalar = string | number | boolean | null

/** Neither an object nor an array. */
export function isScalar(value: unknown): value is Scalar {
  return value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

/** All of it must hold. */
export function every<T>(list: readonly T[], judged: (each: T, index: number) => Answer): Answer {
  let answer: Answer = 'yes'
  for (const [index, each] of list.entries()) {
    const one = judged(each, index)
    if (one === 'no') return 'no'
    if (one === 'unknown') answer = one
  }
  return answer
}

/** Some of it must hold. */
export function some<T>(list: readonly T[], judged: (each: T, index: number) => Answer): Answer {
  return opposite(every(list, (each, index) => opposite(judged(each, index))))
}

function opposite(answer: Answer): Answer {
  return answer === 'yes' ? 'no' : answer === 'no' ? 'yes' : answer
}

/** A schema that refers to itself without going deeper into the value has no end. */
const MAX_HOPS = 32

/** Judges single values against the schemas of one root. What has parts is compared as a schema instead. */
export class Judge {
  readonly #root: JsonSchema

  constructor(root: JsonSchema) {
    this.#root = root
  }

  judge(value: Scalar, schema: JsonSchema, hops = 0): Answer {
    if (hops > MAX_HOPS) return 'unknown'
    const deeper = (each: JsonSchema): Answer => this.judge(value, each, hops + 1)
    const { $ref, allOf, anyOf, oneOf } = schema
    let answer = this.judgeAlone(value, schema, hops)
    const add = (more: Answer): void => {
      if (answer !== 'no' && more !== 'yes') answer = more
    }
    if ($ref !== undefined) {
      const target = dereference($ref, this.#root)
      add(target === undefined ? 'unknown' : deeper(target))
    }
    if (allOf !== undefined) add(every(schemasIn(allOf), deeper))
    if (anyOf !== undefined) add(some(schemasIn(anyOf), deeper))
    if (oneOf !== undefined) add(exactlyOne(schemasIn(oneOf).map(deeper)))
    return answer
  }

  /** By the schema's own keywords, without the schemas that it is put together from. */
  judgeAlone(value: Scalar, schema: JsonSchema, hops = 0): Answer {
    const { $dynamicRef, $recursiveRef, not, if: condition } = schema
    if (!isOfType(value, schema) || !isListed(value, schema)) return 'no'
    const answers = [typeof value === 'number' ? judgeNumber(value, schema) : typeof value === 'string' ? judgeText(value, schema) : 'yes']
    if ($dynamicRef !== undefined || $recursiveRef !== undefined) answers.push('unknown')
    if (not !== undefined) answers.push(opposite(this.judge(value, schemaOf(not), hops + 1)))
    if (condition !== undefined) answers.push(this.#judgeCondition(value, schema, hops + 1))
    return every(answers as readonly Answer[], (answer) => answer)
  }

  #judgeCondition(value: Scalar, schema: JsonSchema, hops: number): Answer {
    const holds = this.judge(value, schemaOf(schema['if']), hops)
    const then = this.judge(value, schemaOf(schema['then'] ?? ANYTHING), hops)
    const otherwise = this.judge(value, schemaOf(schema['else'] ?? ANYTHING), hops)
    if (holds === 'unknown') return then === otherwise ? then : 'unknown'
    return holds === 'yes' ? then : otherwise
  }
}

function exactlyOne(answers: readonly Answer[]): Answer {
  const sure = answers.filter((answer) => answer === 'yes').length
  if (sure > 1) return 'no'
  if (answers.includes('unknown')) return 'unknown'
  return sure === 1 ? 'yes' : 'no'
}

function isOfType(value: Scalar, { type, nullable }: JsonSchema): boolean {
  if (type === undefined) return true
  const own = typeOf(value)
  if ((typesNamed(type) & own) === 0) return own === NULL && nullable === true
  return own !== NUMBER || Number.isInteger(value) || type === 'number' || (Array.isArray(type) && type.includes('number'))
}

function isListed(value: Scalar, schema: JsonSchema): boolean {
  if ('const' in schema && schema['const'] !== value) return false
  return !Array.isArray(schema['enum']) || schema['enum'].includes(value)
}

function judgeNumber(value: number, schema: JsonSchema): Answer {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  if (typeof minimum === 'number' && value < minimum) return 'no'
  if (typeof maximum === 'number' && value > maximum) return 'no'
  if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum) return 'no'
  if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum) return 'no'
  return typeof multipleOf === 'number' ? isMultiple(value, multipleOf) : 'yes'
}

const ROUNDING = 1e-9

/** Where a quotient is rounded, libraries differ. */
function isMultiple(value: number, step: number): Answer {
  const quotient = value / step
  if (Number.isSafeInteger(quotient)) return Number.isInteger(step) || quotient * step === value ? 'yes' : 'unknown'
  return Math.abs(quotient) > Number.MAX_SAFE_INTEGER || Math.abs(quotient - Math.round(quotient)) < ROUNDING ? 'unknown' : 'no'
}

function judgeText(value: string, schema: JsonSchema): Answer {
  const { minLength, maxLength, pattern, format } = schema
  const answers: Answer[] = []
  if (typeof minLength === 'number') answers.push(agreed(value, (length) => length >= minLength))
  if (typeof maxLength === 'number') answers.push(agreed(value, (length) => length <= maxLength))
  if (typeof pattern === 'string') answers.push(matches(pattern, value))
  if (format !== undefined) answers.push('unknown')
  return every(answers, (answer) => answer)
}

/** JSON Schema counts characters, JavaScript libraries count halves of surrogate pairs too. */
function agreed(value: string, holds: (length: number) => boolean): Answer {
  const asUnits = holds(value.length)
  if (holds(Array.from(value).length) !== asUnits) return 'unknown'
  return asUnits ? 'yes' : 'no'
}

/** Whether a text matches a pattern of JSON Schema; not known of a pattern that cannot be read, or that would take long. */
export function matches(pattern: string, text: string): Answer {
  const meter = new Meter()
  meter.start(text.length, 'own')
  try {
    return linearPattern(pattern).test(text, meter) ? 'yes' : 'no'
  } catch {
    return 'unknown'
  }
}
