import { didYouMean } from '../../../tool/resolve/did-you-mean.ts'
import { nearestNames } from '../../../tool/resolve/nearest-names.ts'
import { CONSTANTS } from './constants.ts'
import { FUNCTIONS } from './functions.ts'

/** What to say after a name that is not known: the likest ones, or all. */
export function namesLike(name: string): string {
  const names = [...FUNCTIONS.keys(), ...CONSTANTS.keys()]
  return ` ${didYouMean(nearestNames(name, names), `There are: ${names.join(', ')}.`)}`
}
