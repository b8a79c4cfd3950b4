import type { Stores } from '../context.ts'
import { settingsOf, type Whole } from './whole.ts'

interface Shareable {
  readonly isShared?: boolean | undefined
}

/**
 * The store of a call: that of its options, else that of the process. Calls with overrides have one for each object of overrides, unless they
 * were given one that no other process shares: a tool that replaces another must not change the state of the real one.
 */
export function storeOf<S extends Shareable>(pick: (stores: Stores) => S | undefined, make: () => S): (whole: Whole) => S {
  const ofProcess = make()
  const ofOverrides = new WeakMap<object, S>()
  return (whole) => {
    const { stores, overrides } = settingsOf(whole)
    const given = stores === undefined ? undefined : pick(stores)
    if (overrides === undefined) return given ?? ofProcess
    if (given !== undefined && given.isShared !== true) return given
    let own = ofOverrides.get(overrides)
    if (own === undefined) ofOverrides.set(overrides, (own = make()))
    return own
  }
}
