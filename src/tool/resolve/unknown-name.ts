import { didYouMean } from '../../schema/did-you-mean.ts'
import { nearestNames } from '../../schema/nearest-names.ts'

/** What a model is told that has called a tool which does not exist: the nearest names, or all of them. */
export function unknownName(name: string, names: readonly string[]): { readonly message: string; readonly hint: string } {
  const all = names.length === 0 ? 'There are no tools.' : `The tools are: ${names.slice(0, MOST_NAMES).join(', ')}.`
  const hint = didYouMean(nearestNames(name, names), all)
  return { message: `There is no tool '${name.slice(0, LONGEST_NAME).toWellFormed()}'. ${hint}`, hint }
}

const MOST_NAMES = 20
const LONGEST_NAME = 64
