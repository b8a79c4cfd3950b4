import { nearestNames } from '../../../tool/resolve/nearest-names.ts'
import { CONSTANTS } from './constants.ts'
import { FUNCTIONS } from './functions.ts'

/** What to say after a name that is not known: the likest ones, or all. */
export function namesLike(name: string): string {
  const names = [...FUNCTIONS.keys(), ...CONSTANTS.keys()]
  const near = nearestNames(name, names)
  return near.length > 0 ? ` Did you mean ${near.map((each) => `'${each}'`).join(' or ')}?` : ` There are: ${names.join(', ')}.`
}
