import type { JsonSchema } from '../json-schema.ts'
import { Comparison } from './comparison.ts'
import { type Fit, FITS, unsure } from './fit.ts'
import { schemaOf } from './keywords.ts'
import { SchemaReader } from './reader.ts'
import { Apartness, isInhabited } from './values.ts'

const answers = new WeakMap<JsonSchema, WeakMap<JsonSchema, Fit>>()

/**
 * Whether every value that the producer's schema allows is taken by a typed tool with the consumer's schema. Such a tool drops fields that it
 * does not declare, and takes null for a missing field. It says "fits" or "does not fit" only where that is certain.
 * @example
 * const fit = subsumes({ type: 'integer' }, { type: 'number', minimum: 0 })
 * console.log(fit.answer) // does not fit
 */
export function subsumes(producer: JsonSchema | boolean, consumer: JsonSchema | boolean): Fit {
  return compareOnce(schemaOf(producer), schemaOf(consumer))
}

function compareOnce(producer: JsonSchema, consumer: JsonSchema): Fit {
  let known = answers.get(producer)
  if (known === undefined) {
    known = new WeakMap()
    answers.set(producer, known)
  }
  let fit = known.get(consumer)
  if (fit === undefined) {
    fit = compare(producer, consumer)
    known.set(consumer, fit)
  }
  return fit
}

function compare(producer: JsonSchema, consumer: JsonSchema): Fit {
  const fit = compareRoots(producer, consumer)
  if (fit.answer === 'fits') return FITS
  const { answer, path, why } = fit
  return { answer, path, why: `${path === '' ? 'the value' : `'${path}'`} ${why}` }
}

function compareRoots(producer: JsonSchema, consumer: JsonSchema): Fit {
  try {
    const given = new SchemaReader(producer)
    const taken = new SchemaReader(consumer)
    return new Comparison(given, taken).compare(given.root, taken.root)
  } catch (error) {
    if (error instanceof RangeError) return unsure('has schemas that are too large to compare')
    throw error
  }
}

/** Surely no value satisfies the schema. */
export function allowsNoValue(schema: JsonSchema): boolean {
  return surely(() => {
    const reader = new SchemaReader(schema)
    return isInhabited(reader.root, reader) === 'no'
  })
}

/** Surely no value of the one is taken by a typed tool with the other. */
export function haveNothingInCommon(given: JsonSchema, taken: JsonSchema): boolean {
  return surely(() => {
    const ours = new SchemaReader(given)
    const theirs = new SchemaReader(taken)
    return new Apartness(ours, theirs).isApart(ours.root, theirs.root)
  })
}

/** What is too large to read is not known. */
function surely(is: () => boolean): boolean {
  try {
    return is()
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
