import type { AnySchema } from '../../schema/schema-types.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import type { Metadata } from '../../tool/metadata.ts'
import type { ValueOf } from '../../tool/tool.ts'
import type { AnyValue, AtOnce, Branches, BranchInputs, BranchResults, FittingBranches, JoinedValue, WholeInput } from './branch-types.ts'
import type { Join, JoinKind } from './join.ts'
import { type AnyParallelOptions, makeParallel } from './make-parallel.ts'

/** `B` are the branches, `S` the declared schema, `N` the branches with an input of their own, `K` the join, `R` what the merge gives, `P` the name of the whole. */
export interface ParallelOptions<B, S, N extends keyof B, K extends JoinKind, R, P extends string = string> extends Metadata {
  /** `a_and_b` by default. */
  readonly name?: P | undefined
  readonly description?: string | undefined
  /** The input of the whole. Without it, the whole takes the common input of all branches that have no input of their own. */
  readonly inputSchema?: S
  /** `all()` by default. */
  readonly join?: Join<K, AnyValue<B>> | undefined
  /** Makes a branch's input from that of the whole: pure functions. If one throws, its branch fails. */
  readonly inputs?: BranchInputs<B, S, N> | undefined
  /** Makes the value from the results by label: a pure function. It is called only if the join has succeeded. */
  readonly merge?: ((results: BranchResults<B, K>) => R & AtOnce<R>) | undefined
  /** How many branches run at the same time; they begin in their order. */
  readonly concurrency?: number | undefined
}

/**
 * Tools side by side, as one tool: all get the same input, and a join makes one result of theirs.
 * @example
 * const twice = parallel({ red: roll, blue: roll }, { merge: ({ red, blue }) => red.value + blue.value })
 * console.log((await twice.call('a die')).text) // 8
 */
export function parallel<
  const B extends Branches,
  const S extends AnySchema | undefined = undefined,
  N extends keyof B = never,
  K extends JoinKind = 'all',
  R = JoinedValue<B, K>,
  const P extends string = string,
>(
  branches: B & FittingBranches<B, NoInfer<S>, NoInfer<N>>,
  options?: ParallelOptions<B, S, N, K, R, P>,
): AgentTool<WholeInput<B, S, N>, ValueOf<R>, P> {
  return makeParallel(branches, (options === undefined ? {} : options) as AnyParallelOptions)
}
