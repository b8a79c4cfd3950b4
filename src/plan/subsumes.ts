import type { JsonSchema } from '../tool/schema/json-schema.ts'
import { Comparison } from './subsumes-comparison.ts'
import { type Fit, FITS, unsure } from './subsumes-fit.ts'
import { schemaOf } from './subsumes-keywords.ts'
import { SchemaReader } from './subsumes-reader.ts'

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
