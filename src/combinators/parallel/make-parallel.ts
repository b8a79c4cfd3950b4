import type { AnySchema } from '../../schema/schema-types.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { checkOptions } from '../../tool/check-given.ts'
import { combinator } from '../../tool/combinator.ts'
import { contractOf } from '../../tool/contract.ts'
import { checkName } from '../../tool/identity.ts'
import { TypedInput } from '../../tool/input/typed-input.ts'
import type { Metadata } from '../../tool/metadata.ts'
import type { PlanPart } from '../../tool/plan-node.ts'
import { END_LABEL } from '../../tool/seam/group-end.ts'
import { knownPart } from '../../tool/seam/sequence.ts'
import { shortName } from '../../tool/short-name.ts'
import { BEST_LABEL } from './best-branch.ts'
import type { Branch, ParallelPlan } from './branch.ts'
import { checkBranches, checkConcurrency, checkJoin, checkMerge } from './check-parallel.ts'
import type { Join } from './join.ts'
import { joinedOutput } from './joined-output.ts'
import { all } from './joins.ts'
import { parallelFigures } from './parallel-figures.ts'
import { groupOf, runParallel } from './run-parallel.ts'
import { sharedInput } from './shared-input.ts'

/** The options as they are when the types have been checked. */
export interface AnyParallelOptions extends Metadata {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly inputSchema?: AnySchema | undefined
  readonly join?: Join | undefined
  readonly inputs?: Readonly<Record<string, Branch['transform']>> | undefined
  readonly merge?: ParallelPlan['merge']
  readonly concurrency?: number | undefined
}

/** The types have been checked by whoever calls this. */
export function makeParallel<I, O>(tools: Readonly<Record<string, AgentTool>>, options: AnyParallelOptions): AgentTool<I, O> {
  checkOptions(options, 'The options of a parallel tool')
  const { inputs = {}, join = all(), merge, concurrency, inputSchema } = options
  checkBranches(tools, inputs)
  const branches = Object.entries(tools).map(([label, tool], position): Branch => {
    const transform = Object.hasOwn(inputs, label) ? inputs[label] : undefined
    return { ...knownPart(label, tool, position), transform }
  })
  checkMerge(merge)
  const needed = checkJoin(join, branches.length)
  const limit = checkConcurrency(concurrency, branches.length)
  const detail = describe(join, needed, limit < branches.length ? limit : undefined)
  const name = options.name ?? nameOf(branches)
  checkName(name)
  const blank = Object.fromEntries(branches.map(({ label }) => [label, undefined]))
  const plan: ParallelPlan = { name, branches, group: groupOf(branches, { join, needed, limit }), blank, join, needed, merge }
  return combinator({
    ...options,
    name,
    description: options.description ?? `Parallel (${detail}): ${branches.map(({ tool }) => tool.name).join(', ')}`,
    plan: {
      kind: 'parallel',
      order: join.raced ? 'race' : 'together',
      labels: 'name',
      closedBy: closingLabel(join),
      layer: false,
      parts: branches.map(partOf),
      detail,
      needs: needed,
      figures: parallelFigures({ join, needed, limit }),
    },
    input: inputSchema === undefined ? sharedInput(branches) : new TypedInput(contractOf(inputSchema, `The inputSchema of '${name}'`)),
    forwardsInput: inputSchema === undefined && branches.every(({ transform }) => transform === undefined),
    describesOutput: merge === undefined ? joinedOutput(branches, join.kind) : undefined,
    run: (input, whole) => runParallel(plan, input, whole),
  })
}

/** `a_and_b`, shortened where it grows too long. Of one branch it is `parallel_a`: another tool than its branch, or a pipeline of it. */
function nameOf(branches: readonly Branch[]): string {
  const names = branches.map(({ tool }) => tool.name)
  return shortName(names.length === 1 ? `parallel_${names[0]}` : names.join('_and_'))
}

function partOf({ label, tool, transform }: Branch): PlanPart {
  return { label, tool, takes: 'input', ...(transform === undefined ? {} : { adapter: { name: `into '${label}'` } }) }
}

/** After the end of a race is recorded, or the best is chosen, no branch begins. */
function closingLabel({ kind, raced }: Join): string | undefined {
  if (raced) return END_LABEL
  return kind === 'best' ? BEST_LABEL : undefined
}

/** `quorum of 2, at most 4 at a time`. */
function describe({ kind, afterMs }: Join, needed: number, limit: number | undefined): string {
  const how =
    kind === 'quorum' ? `quorum of ${needed}` : kind === 'partial' ? `the results after ${afterMs} ms, at least ${needed}` : kind
  return limit === undefined ? how : `${how}, at most ${limit} at a time`
}
