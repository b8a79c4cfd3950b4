import type { Group } from '../../tool/seam/group-plan.ts'
import type { KnownPart } from '../../tool/seam/sequence.ts'
import type { Join } from './join.ts'

export interface Branch extends KnownPart {
  /** Makes the branch's own input of the whole's. */
  readonly transform?: ((input: never) => unknown) | undefined
}

/** What a parallel tool runs by. */
export interface ParallelPlan {
  readonly name: string
  readonly branches: readonly Branch[]
  /** The branches as they run. */
  readonly group: Group
  /** The joined values with nothing in them yet: an object that has all its keys is made faster than one that grows. */
  readonly blank: Readonly<Record<string, undefined>>
  readonly join: Join
  /** How many branches must succeed. */
  readonly needed: number
  readonly merge?: ((results: never) => unknown) | undefined
}
