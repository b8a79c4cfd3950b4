import type { Group } from '../../tool/seam/group-plan.ts'
import type { PartBeside } from '../../tool/seam/shared-input.ts'
import type { Join } from './join.ts'

export type Branch = PartBeside

/** The plan of a parallel tool. */
export interface ParallelPlan {
  readonly name: string
  readonly branches: readonly Branch[]
  /** The branches as they run. */
  readonly group: Group
  /** The joined values, still empty: copying an object with all its keys is faster than adding keys. */
  readonly blank: Readonly<Record<string, undefined>>
  readonly join: Join
  /** How many branches must succeed. */
  readonly needed: number
  readonly merge?: ((results: never) => unknown) | undefined
}
