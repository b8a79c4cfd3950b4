import { isRecord } from '../../schema/json-schema.ts'
import { type AgentTool, isTool } from '../../tool/agent-tool.ts'
import type { Mapping } from '../../tool/given/fitting-mapping.ts'
import type { StepGiven, WithStep } from '../../tool/given/step-given.ts'
import { checkName } from '../../tool/identity.ts'
import { METADATA_NAMES } from '../../tool/metadata.ts'
import { type Filled, mappingAdapter } from './fill.ts'
import type { Fits } from './fits.ts'
import { type Into, stepAdapter } from './into.ts'
import { makePipeline, type PipelineOptions, type UnlabelledStep } from './make-pipeline.ts'
import { checkStep, type StepAdapter } from './pipeline-step.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'

/** A step that takes the output of the one before, or an adapter or a mapping into one. `S` has the names and outputs of the steps before. */
type Next<I, S extends Before, V, Takes, O, N extends string> =
  | (AgentTool<Takes, O, N> & Fits<V, Takes>)
  | Into<StepGiven<V, I, Named<S>>, Takes, O, N>
  | Filled<StepGiven<V, I, Named<S>>, Takes, O, N>

type Before = readonly (readonly [name: string, output: unknown])[]

/** The outputs of steps by their names; a name that is not known to the compiler is left out. */
type Named<S extends Before> = S extends readonly [...infer B extends Before, readonly [infer N extends string, infer O]]
  ? WithStep<Named<B>, N, O>
  : Readonly<Record<never, never>>

/** Makes a pipeline of tools; `P` is its name, where the compiler knows it. */
export interface Pipe<P extends string = string> {
  <I1, O1, N1 extends string>(a: AgentTool<I1, O1, N1>): AgentTool<I1, O1, P>
  <I1, O1, N1 extends string, I2, O2, N2 extends string>(
    a: AgentTool<I1, O1, N1>,
    b: Next<I1, [[N1, O1]], O1, I2, O2, N2>,
  ): AgentTool<I1, O2, P>
  <I1, O1, N1 extends string, I2, O2, N2 extends string, I3, O3, N3 extends string>(
    a: AgentTool<I1, O1, N1>,
    b: Next<I1, [[N1, O1]], O1, I2, O2, N2>,
    c: Next<I1, [[N1, O1], [N2, O2]], O2, I3, O3, N3>,
  ): AgentTool<I1, O3, P>
  <I1, O1, N1 extends string, I2, O2, N2 extends string, I3, O3, N3 extends string, I4, O4, N4 extends string>(
    a: AgentTool<I1, O1, N1>,
    b: Next<I1, [[N1, O1]], O1, I2, O2, N2>,
    c: Next<I1, [[N1, O1], [N2, O2]], O2, I3, O3, N3>,
    d: Next<I1, [[N1, O1], [N2, O2], [N3, O3]], O3, I4, O4, N4>,
  ): AgentTool<I1, O4, P>
  <I1, O1, N1 extends string, I2, O2, N2 extends string, I3, O3, N3 extends string, I4, O4, N4 extends string, I5, O5, N5 extends string>(
    a: AgentTool<I1, O1, N1>,
    b: Next<I1, [[N1, O1]], O1, I2, O2, N2>,
    c: Next<I1, [[N1, O1], [N2, O2]], O2, I3, O3, N3>,
    d: Next<I1, [[N1, O1], [N2, O2], [N3, O3]], O3, I4, O4, N4>,
    e: Next<I1, [[N1, O1], [N2, O2], [N3, O3], [N4, O4]], O4, I5, O5, N5>,
  ): AgentTool<I1, O5, P>
  <
    I1,
    O1,
    N1 extends string,
    I2,
    O2,
    N2 extends string,
    I3,
    O3,
    N3 extends string,
    I4,
    O4,
    N4 extends string,
    I5,
    O5,
    N5 extends string,
    I6,
    O6,
    N6 extends string,
  >(
    a: AgentTool<I1, O1, N1>,
    b: Next<I1, [[N1, O1]], O1, I2, O2, N2>,
    c: Next<I1, [[N1, O1], [N2, O2]], O2, I3, O3, N3>,
    d: Next<I1, [[N1, O1], [N2, O2], [N3, O3]], O3, I4, O4, N4>,
    e: Next<I1, [[N1, O1], [N2, O2], [N3, O3], [N4, O4]], O4, I5, O5, N5>,
    f: Next<I1, [[N1, O1], [N2, O2], [N3, O3], [N4, O4], [N5, O5]], O5, I6, O6, N6>,
  ): AgentTool<I1, O6, P>
  <
    I1,
    O1,
    N1 extends string,
    I2,
    O2,
    N2 extends string,
    I3,
    O3,
    N3 extends string,
    I4,
    O4,
    N4 extends string,
    I5,
    O5,
    N5 extends string,
    I6,
    O6,
    N6 extends string,
    I7,
    O7,
    N7 extends string,
  >(
    a: AgentTool<I1, O1, N1>,
    b: Next<I1, [[N1, O1]], O1, I2, O2, N2>,
    c: Next<I1, [[N1, O1], [N2, O2]], O2, I3, O3, N3>,
    d: Next<I1, [[N1, O1], [N2, O2], [N3, O3]], O3, I4, O4, N4>,
    e: Next<I1, [[N1, O1], [N2, O2], [N3, O3], [N4, O4]], O4, I5, O5, N5>,
    f: Next<I1, [[N1, O1], [N2, O2], [N3, O3], [N4, O4], [N5, O5]], O5, I6, O6, N6>,
    g: Next<I1, [[N1, O1], [N2, O2], [N3, O3], [N4, O4], [N5, O5], [N6, O6]], O6, I7, O7, N7>,
  ): AgentTool<I1, O7, P>
  <
    I1,
    O1,
    N1 extends string,
    I2,
    O2,
    N2 extends string,
    I3,
    O3,
    N3 extends string,
    I4,
    O4,
    N4 extends string,
    I5,
    O5,
    N5 extends string,
    I6,
    O6,
    N6 extends string,
    I7,
    O7,
    N7 extends string,
    I8,
    O8,
    N8 extends string,
  >(
    a: AgentTool<I1, O1, N1>,
    b: Next<I1, [[N1, O1]], O1, I2, O2, N2>,
    c: Next<I1, [[N1, O1], [N2, O2]], O2, I3, O3, N3>,
    d: Next<I1, [[N1, O1], [N2, O2], [N3, O3]], O3, I4, O4, N4>,
    e: Next<I1, [[N1, O1], [N2, O2], [N3, O3], [N4, O4]], O4, I5, O5, N5>,
    f: Next<I1, [[N1, O1], [N2, O2], [N3, O3], [N4, O4], [N5, O5]], O5, I6, O6, N6>,
    g: Next<I1, [[N1, O1], [N2, O2], [N3, O3], [N4, O4], [N5, O5], [N6, O6]], O6, I7, O7, N7>,
    h: Next<I1, [[N1, O1], [N2, O2], [N3, O3], [N4, O4], [N5, O5], [N6, O6], [N7, O7]], O7, I8, O8, N8>,
  ): AgentTool<I1, O8, P>
  <
    I1,
    O1,
    N1 extends string,
    I2,
    O2,
    N2 extends string,
    I3,
    O3,
    N3 extends string,
    I4,
    O4,
    N4 extends string,
    I5,
    O5,
    N5 extends string,
    I6,
    O6,
    N6 extends string,
    I7,
    O7,
    N7 extends string,
    I8,
    O8,
    N8 extends string,
    I9,
    O9,
    N9 extends string,
  >(
    a: AgentTool<I1, O1, N1>,
    b: Next<I1, [[N1, O1]], O1, I2, O2, N2>,
    c: Next<I1, [[N1, O1], [N2, O2]], O2, I3, O3, N3>,
    d: Next<I1, [[N1, O1], [N2, O2], [N3, O3]], O3, I4, O4, N4>,
    e: Next<I1, [[N1, O1], [N2, O2], [N3, O3], [N4, O4]], O4, I5, O5, N5>,
    f: Next<I1, [[N1, O1], [N2, O2], [N3, O3], [N4, O4], [N5, O5]], O5, I6, O6, N6>,
    g: Next<I1, [[N1, O1], [N2, O2], [N3, O3], [N4, O4], [N5, O5], [N6, O6]], O6, I7, O7, N7>,
    h: Next<I1, [[N1, O1], [N2, O2], [N3, O3], [N4, O4], [N5, O5], [N6, O6], [N7, O7]], O7, I8, O8, N8>,
    i: Next<I1, [[N1, O1], [N2, O2], [N3, O3], [N4, O4], [N5, O5], [N6, O6], [N7, O7], [N8, O8]], O8, I9, O9, N9>,
  ): AgentTool<I1, O9, P>
  <
    I1,
    O1,
    N1 extends string,
    I2,
    O2,
    N2 extends string,
    I3,
    O3,
    N3 extends string,
    I4,
    O4,
    N4 extends string,
    I5,
    O5,
    N5 extends string,
    I6,
    O6,
    N6 extends string,
    I7,
    O7,
    N7 extends string,
    I8,
    O8,
    N8 extends string,
    I9,
    O9,
    N9 extends string,
    I10,
    O10,
    N10 extends string,
  >(
    a: AgentTool<I1, O1, N1>,
    b: Next<I1, [[N1, O1]], O1, I2, O2, N2>,
    c: Next<I1, [[N1, O1], [N2, O2]], O2, I3, O3, N3>,
    d: Next<I1, [[N1, O1], [N2, O2], [N3, O3]], O3, I4, O4, N4>,
    e: Next<I1, [[N1, O1], [N2, O2], [N3, O3], [N4, O4]], O4, I5, O5, N5>,
    f: Next<I1, [[N1, O1], [N2, O2], [N3, O3], [N4, O4], [N5, O5]], O5, I6, O6, N6>,
    g: Next<I1, [[N1, O1], [N2, O2], [N3, O3], [N4, O4], [N5, O5], [N6, O6]], O6, I7, O7, N7>,
    h: Next<I1, [[N1, O1], [N2, O2], [N3, O3], [N4, O4], [N5, O5], [N6, O6], [N7, O7]], O7, I8, O8, N8>,
    i: Next<I1, [[N1, O1], [N2, O2], [N3, O3], [N4, O4], [N5, O5], [N6, O6], [N7, O7], [N8, O8]], O8, I9, O9, N9>,
    j: Next<I1, [[N1, O1], [N2, O2], [N3, O3], [N4, O4], [N5, O5], [N6, O6], [N7, O7], [N8, O8], [N9, O9]], O9, I10, O10, N10>,
  ): AgentTool<I1, O10, P>
}

/** `pipe`, and the same with a name. */
export interface NamedPipe extends Pipe {
  // In one call with the tools, the compiler would type an adapter by the wrong tool. As an overload, it would keep other calls from inferring.
  readonly named: <P extends string>(options: NamedPipelineOptions<P>) => Pipe<P>
}

/** The name and the description of a pipeline, and its other options. */
export interface NamedPipelineOptions<P extends string> extends PipelineOptions {
  readonly name: P
  readonly description: string
}

const NAMES = optionNames<NamedPipelineOptions<string>>({
  ...METADATA_NAMES,
  name: true,
  description: true,
  errorStrategy: true,
  deadlines: true,
})

/**
 * Tools in sequence, as one tool: each takes the output of the one before. `into` puts an adapter before a step, and `fill` a mapping.
 * `pipe.named` gives it a name and a description of its own.
 * @example
 * const refundLatest = pipe(latestOrder, into(({ value }) => ({ orderId: value.id, amount: value.total }), issueRefund))
 * console.log(refundLatest.name) // latest_order_then_issue_refund
 * const loud = pipe.named({ name: 'greet_loudly', description: 'Greets a person, loudly.' })(greet, shout)
 * console.log(loud.name) // greet_loudly
 */
export const pipe: NamedPipe = Object.assign((...given: readonly object[]) => pipelineOf(given, {}), {
  named: (options: NamedPipelineOptions<string>) => {
    checkOptionNames(options, NAMES, 'The options of pipe.named')
    checkName(options.name)
    return (...given: readonly object[]) => pipelineOf(given, options)
  },
}) as unknown as NamedPipe

type AnyNext = AgentTool | Into<never, never, unknown, string> | Filled<never, never, unknown, string>

function pipelineOf(given: readonly object[], options: PipelineOptions): AgentTool {
  const steps: UnlabelledStep[] = []
  for (const each of given as readonly AnyNext[]) {
    const before = steps.at(-1)
    const adapter = before === undefined ? undefined : adapterOf(each, before.tool.name)
    const tool = adapter === undefined ? (each as AgentTool) : (each as Into<never, never, unknown, string>).tool
    checkStep(tool, steps.length + 1)
    if (before !== undefined && adapter !== undefined) steps[steps.length - 1] = { ...before, adapter }
    steps.push({ tool })
  }
  return makePipeline(steps, options)
}

/** The adapter before a step of `into` or `fill`; undefined for a plain tool. */
function adapterOf(step: AnyNext, before: string): StepAdapter | undefined {
  if (!isRecord(step) || isTool(step)) return undefined
  if ('mapping' in step) return mappingAdapter(step.mapping as Mapping)
  return 'adapter' in step ? stepAdapter(step.adapter, `after '${before}'`, step.options) : undefined
}
