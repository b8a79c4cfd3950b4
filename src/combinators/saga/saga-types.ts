import type { AgentTool } from '../../tool/agent-tool.ts'
import type { Duration } from '../../tool/duration.ts'
import type { DeepReadonly } from '../../tool/given/adapted.ts'
import type { FittingMapping } from '../../tool/given/fitting-mapping.ts'
import type { WrongFields, WrongPart } from '../../tool/given/wrong-fields.ts'
import type { StepResults } from '../../tool/given/step-given.ts'
import type { Metadata } from '../../tool/metadata.ts'
import type { CompensationClass } from '../../tool/plan-node.ts'
import type { ToolResult } from '../../tool/result/result.ts'

/** What `saga` begins with. */
export interface SagaDefinition<S, N extends string = string> extends Metadata {
  readonly name: N
  readonly description: string
  /** Without one, the saga takes a string. */
  readonly inputSchema?: S
}

/** Makes the input of a step: a pure, synchronous function of what is known when it begins. `C` keeps the literals of its value. */
export type StepInput<G, TI, C> = ((given: G) => C) & NoInfer<(given: G) => DeepReadonly<TI>>

/** A step makes its input by a function or by a mapping. `G` is what is known when it begins. */
export type OwnInput<G, TI, C, M> =
  | { readonly input: StepInput<G, TI, C>; readonly fill?: undefined }
  | { readonly fill: M & NoInfer<FittingMapping<M, G, TI, DeepReadonly<TI>>>; readonly input?: undefined }

/** The argument of the input function of a compensation. */
export interface CompensationGiven<P, R, TI, TO> {
  /** The saga's input. */
  readonly input: P
  /** The input of the step. */
  readonly stepInput: TI
  /** The result of the step: a failure if it is not known whether it took effect. */
  readonly result: ToolResult<TO>
  /** The value of the step; undefined if it failed. */
  readonly value: TO | undefined
  /** The results of the steps before. */
  readonly results: StepResults<R>
}

/** How a step is undone. `CI` is the input of the compensation. */
export interface Compensation<P, R, TI, TO, CI> {
  readonly with: AgentTool<CI, unknown>
  /** Fully (`reversible`), in meaning (`semantic`: a refund), or with traces left behind (`traces`: a mail that takes another back). */
  readonly class: Exclude<CompensationClass, 'irreversible'>
  /** A pure, synchronous function. */
  readonly input: (given: CompensationGiven<P, R, TI, TO>) => NoInfer<CI>
  /** The number of attempts; 3 by default. */
  readonly attempts?: number | undefined
  /** The time of each attempt, 60 s by default. The deadline of the saga does not apply. */
  readonly deadline?: Duration | undefined
}

/** `P` is the saga's input, `R` the values of the steps before, `TI` and `TO` the input and output of the step's tool. */
export interface StepOptions<P, R, TI, TO, CI> {
  /** How it is undone when a later step fails. `'irreversible'`: not at all; then a person approves it, unless it is the last step. */
  readonly compensate?: 'irreversible' | Compensation<P, R, TI, TO, CI> | undefined
  /** The number of attempts; 1 by default. */
  readonly attempts?: number | undefined
}

/** The compiler shows this if the saga's input does not fit a step: the names of the fields that do not fit, and what they are. */
export interface StepMisfit<Fields, Given, Taken> {
  readonly 'This step does not take the input of the saga: give it an input of its own': {
    readonly fields: Fields
    readonly given: Given
    readonly takes: Taken
  }
}

/** `unknown` if it fits, so that it adds nothing to an intersection. */
export type FittingStep<P, TI> = [P] extends [TI] ? unknown : StepMisfit<WrongFields<P, TI>, WrongPart<P, P, TI>, WrongPart<TI, P, TI>>

/** The compiler shows this if a label is used twice. */
export interface LabelTaken<L> {
  readonly 'There is a step with this label already': L
}

/** Intersected with a label, it adds nothing unless the label is used already. Labels of type `string` are not checked. */
export type NewLabel<L, R> = string extends L | keyof R ? unknown : L extends keyof R ? LabelTaken<L> : unknown
