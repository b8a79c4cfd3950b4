import { objectSchema, unionSchema } from '../../schema/combine-schemas.ts'
import type { Excess } from '../../schema/excess.ts'
import { fieldStep, joinPath } from '../../schema/field-path.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import type { AnySchema } from '../../schema/schema-types.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { behaviourOf } from '../../tool/behaviour.ts'
import { combinator } from '../../tool/combinator.ts'
import { type Contract, contractOf } from '../../tool/contract.ts'
import { sideBySide, someOf } from '../../tool/figures.ts'
import { checkName, shortName } from '../../tool/identity.ts'
import { stringInput } from '../../tool/input/string-input.ts'
import { TypedInput } from '../../tool/input/typed-input.ts'
import { type Estimates, type Metadata, METADATA_NAMES } from '../../tool/metadata.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'
import type { PlanPart } from '../../tool/plan-node.ts'
import { END_LABEL } from '../../tool/seam/group-end.ts'
import { knownPart } from '../../tool/seam/sequence.ts'
import { BEST_LABEL } from './join-results.ts'
import type { Branch, ParallelPlan } from './branch.ts'
import { checkBranches, checkConcurrency, checkJoin, checkMerge } from './check-parallel.ts'
import { all, type Join, type JoinKind } from './join.ts'
import { groupOf, runJudged, runParallel } from './run-parallel.ts'
import { acceptForBranches, judgeOfBranches, sharedInput } from '../../tool/seam/shared-input.ts'

/** The options after the types have been checked. */
export interface AnyParallelOptions extends Metadata {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly inputSchema?: AnySchema | undefined
  readonly join?: Join | undefined
  readonly inputs?: Readonly<Record<string, Branch['transform']>> | undefined
  readonly merge?: ParallelPlan['merge']
  readonly concurrency?: number | undefined
}

const NAMES = optionNames<AnyParallelOptions>({
  ...METADATA_NAMES,
  name: true,
  description: true,
  inputSchema: true,
  join: true,
  inputs: true,
  merge: true,
  concurrency: true,
})

/** The caller has checked the types. */
export function makeParallel<I, O, P extends string>(
  tools: Readonly<Record<string, AgentTool>>,
  options: AnyParallelOptions,
): AgentTool<I, O, P> {
  checkOptionNames(options, NAMES, 'The options of a parallel tool')
  const { inputs = {}, join = all(), merge, concurrency, inputSchema } = options
  checkBranches(tools, inputs)
  const branches = Object.entries(tools).map(([label, tool], position): Branch => {
    const transform = Object.hasOwn(inputs, label) ? inputs[label] : undefined
    return { ...knownPart(label, tool, position), transform }
  })
  checkMerge(merge)
  const needed = checkJoin(join, branches.length)
  const limit = checkConcurrency(concurrency, branches.length)
  const detail = detailOf(join, needed, limit < branches.length ? limit : undefined)
  const name = options.name ?? nameOf(branches)
  checkName(name)
  const blank = Object.fromEntries(branches.map(({ label }) => [label, undefined]))
  const plan: ParallelPlan = { name, branches, group: groupOf(branches, { join, needed, limit }), blank, join, needed, merge }
  const port =
    inputSchema === undefined ? sharedInput(branches, needed) : new TypedInput(contractOf(inputSchema, `The inputSchema of '${name}'`))
  const forwardsInput = inputSchema === undefined && branches.every(({ transform }) => transform === undefined)
  // A branch that takes the input would have begun when another one refuses it.
  const judge = inputSchema === undefined ? undefined : judgeOfBranches(branches, needed)
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
      ...(limit < branches.length ? { concurrency: limit } : {}),
      figures: parallelFigures({ join, needed, limit }),
    },
    input: port,
    forwardsInput,
    // A branch that takes the input would have begun when another one refuses it. Every text is taken.
    acceptForParts: forwardsInput && branches.length > 1 && port !== stringInput ? acceptForBranches(branches) : undefined,
    keepsInput: true,
    describesOutput: merge === undefined ? joinedOutput(branches, join.kind) : undefined,
    run: (input, whole) => (judge === undefined ? runParallel(plan, input, whole) : runJudged(plan, judge, { input, whole })),
  })
}

/** `a_and_b`, shortened if it is too long. With one branch it is `parallel_a`, so that it differs from the branch and from a pipeline of it. */
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
function detailOf({ kind, afterMs }: Join, needed: number, limit: number | undefined): string {
  const how = kind === 'quorum' ? `quorum of ${needed}` : kind === 'partial' ? `the results after ${afterMs} ms, at least ${needed}` : kind
  return limit === undefined ? how : `${how}, at most ${limit} at a time`
}

/** The output of the whole without a merge. The branches have checked it already. Undefined if no branch describes its output. */
function joinedOutput(branches: readonly Branch[], kind: JoinKind): Contract | undefined {
  const contracts = branches.map(({ tool }) => behaviourOf(tool)).map(({ describesOutput, output }) => describesOutput ?? output)
  if (contracts.every((contract) => contract === undefined)) return undefined
  let schema: JsonSchema | undefined
  return {
    validate: (value) => ({ value }),
    strips: true,
    input: {},
    exactInput: {},
    get promised() {
      return kind === 'all' ? branches.flatMap(({ label }, index) => under(label, contracts[index]?.promised)) : []
    },
    get output() {
      return (schema ??= describe(
        branches,
        contracts.map((contract) => contract?.output ?? {}),
        kind,
      ))
    },
  }
}

function under(label: string, promised: readonly Excess[] = []): readonly Excess[] {
  return promised.map((each) => ({ ...each, path: joinPath(fieldStep(label), each.path) }))
}

function describe(branches: readonly Branch[], outputs: readonly JsonSchema[], kind: JoinKind): JsonSchema {
  if (kind === 'first' || kind === 'best') return unionSchema(outputs)
  return objectSchema(
    branches.map(({ label }, index) => [label, outputs[index] ?? {}]),
    kind === 'all',
  )
}

interface Running {
  readonly join: Join
  readonly needed: number
  readonly limit: number
}

/** The figures of the whole: as fast as the slowest branch, or as the fastest; all must succeed, or some. */
function parallelFigures({ join, needed, limit }: Running) {
  const { kind, afterMs } = join
  return (parts: readonly Estimates[]): Estimates => {
    const figures = kind === 'all' ? sideBySide(parts) : someOf(inTime(parts, afterMs), needed)
    const timeOf = (figure: 'latencyMs' | 'p99Ms'): number | undefined =>
      within(kind === 'first' ? lowest(known(parts.slice(0, limit), figure)) : untilLast(known(parts, figure), limit), afterMs)
    const accuracy = kind === 'first' || kind === 'best' ? lowest(known(parts, 'accuracy')) : figures.accuracy
    return { ...figures, latencyMs: timeOf('latencyMs'), p99Ms: timeOf('p99Ms'), accuracy }
  }
}

/** Leaves out branches that take longer than the time limit. */
function inTime(parts: readonly Estimates[], afterMs = Infinity): readonly Estimates[] {
  return parts.map((part) => ((part.latencyMs ?? 0) > afterMs ? { ...part, reliability: 0 } : part))
}

function known(parts: readonly Estimates[], figure: keyof Estimates): readonly number[] {
  return parts.map((part) => part[figure]).filter((each) => each !== undefined)
}

function lowest(figures: readonly number[]): number | undefined {
  return figures.length === 0 ? undefined : Math.min(...figures)
}

function within(time: number | undefined, afterMs: number | undefined): number | undefined {
  return time === undefined || afterMs === undefined ? time : Math.min(time, afterMs)
}

/** The time until the last branch ends. Each begins in its order as soon as the limit allows. */
function untilLast(times: readonly number[], limit: number): number | undefined {
  if (times.length <= limit) return times.length === 0 ? undefined : Math.max(...times)
  const places = Array.from({ length: limit }, () => 0)
  for (const time of times) {
    const free = places.indexOf(Math.min(...places))
    places[free] = (places[free] as number) + time
  }
  return Math.max(...places)
}
