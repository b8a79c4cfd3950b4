import { dereference, type JsonSchema } from '../schema/json-schema.ts'
import { type Fit, FITS, unsure } from '../schema/subsumes/fit.ts'
import type { Place } from './survey.ts'

/** A tool that takes only so many items refuses a longer list, though its schema does not say so. */
export function listTooLong(given: JsonSchema | undefined, { plan }: Place): Fit {
  if (plan.maxItems === undefined || given === undefined) return FITS
  const { maxItems } = dereference(given['$ref'], given) ?? given
  if (typeof maxItems === 'number' && maxItems <= plan.maxItems) return FITS
  return unsure(`the list may have more than ${plan.maxItems} items, and then it is refused`)
}
