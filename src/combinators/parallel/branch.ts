import type { KnownPart } from '../../tool/engine/waiter.ts'
import type { PartOptions } from '../../tool/context.ts'
import type { Join } from './join.ts'

export interface Branch extends KnownPart {
  /** Makes the branch's own input of the whole's. */
  readonly transform?: ((input: never) => unknown) | undefined
  /** How to call it so that it can be cancelled by itself. */
  readonly apart: PartOptions | undefined
}

/** What a parallel tool runs by. */
export interface ParallelPlan {
  readonly name: string
  readonly branches: readonly Branch[]
  /** The joined values with nothing in them yet: an object that has all its keys is made faster than one that grows. */
  readonly blank: Readonly<Record<string, undefined>>
  readonly join: Join
  /** How many branches must succeed. */
  readonly needed: number
  /** How many run at the same time. */
  readonly limit: number
  readonly merge?: ((results: never) => unknown) | undefined
}
