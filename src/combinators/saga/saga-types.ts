import type { AgentTool } from '../../tool/agent-tool.ts'
import type { Duration } from '../../tool/duration.ts'
import type { Metadata } from '../../tool/metadata.ts'
import type { CompensationClass } from '../../tool/plan-node.ts'
import type { ToolResult } from '../../tool/result/result.ts'

export interface SagaDefinition<S> extends Metadata {
  readonly name: string
  readonly description: string
  /** Without one, the saga takes a string. */
  readonly inputSchema?: S
}

/** Makes the input of a step: a plain, pure function of the saga's input and of what the steps before gave. */
export type StepInput<P, R, TI> = (given: { readonly input: P; readonly results: R }) => NoInfer<TI>

/** What a compensation's input is made of. */
export interface CompensationGiven<P, R, TI, TO> {
  /** The saga's input. */
  readonly input: P
  /** What the step was given. */
  readonly stepInput: TI
  /** What the step came to: a failure where nobody knows whether it took effect. */
  readonly result: ToolResult<TO>
  /** What the step gave; undefined where it failed. */
  readonly value: TO | undefined
  /** What the steps before gave. */
  readonly results: R
}

/** How a step is undone. `CI` is what the compensation takes. */
export interface Compensation<P, R, TI, TO, CI> {
  readonly with: AgentTool<CI, unknown>
  /** Fully (`reversible`), in meaning (`semantic`: a refund), or with traces left behind (`traces`: a mail that takes another back). */
  readonly class: Exclude<CompensationClass, 'irreversible'>
  /** A plain, pure function. */
  readonly input: (given: CompensationGiven<P, R, TI, TO>) => NoInfer<CI>
  /** How often it is tried; 3 by default. */
  readonly attempts?: number | undefined
  /** The time of each try, 60 s by default. The saga's own deadline does not count here. */
  readonly deadline?: Duration | undefined
}

/** `P` is the saga's input, `R` what the steps before gave, `TI` and `TO` what the step's tool takes and gives. */
export interface StepOptions<P, R, TI, TO, CI> {
  /** The saga's own input by default, where that fits. */
  readonly input?: StepInput<P, R, TI> | undefined
  /** How it is undone when a later step fails. `'irreversible'`: not at all; then a person approves it, unless it is the last step. */
  readonly compensate?: 'irreversible' | Compensation<P, R, TI, TO, CI> | undefined
  /** How often it is tried; once by default. */
  readonly attempts?: number | undefined
}

/** What the compiler shows where the saga's input does not fit a step. */
export interface StepMisfit<Given, Taken> {
  readonly 'This step does not take the input of the saga: give it an input of its own': { readonly given: Given; readonly takes: Taken }
}

/** `unknown` where it fits, so that it adds nothing to the type that it is joined to. */
export type FittingStep<P, TI> = [P] extends [TI] ? unknown : StepMisfit<P, TI>

/** What the compiler shows where a label is there already. */
export interface LabelTaken<L> {
  readonly 'There is a step with this label already': L
}

/** Joined to a label, it adds nothing unless that is taken. Of labels that only the run knows nobody can tell. */
export type NewLabel<L, R> = string extends L | keyof R ? unknown : L extends keyof R ? LabelTaken<L> : unknown

/** The results so far, and one more. */
export type WithResult<R, L extends string, O> = { readonly [K in keyof R | L]: K extends keyof R ? R[K] : O }
