import type { AgentTool } from '../../tool/agent-tool.ts'
import type { DeepReadonly } from '../../tool/given/adapted.ts'
import type { WrongFields, WrongPart } from '../../tool/given/wrong-fields.ts'

/** The compiler shows this if a step does not take the output of the step before: the names of the fields that do not fit, and what they are. */
export interface Misfit<Fields, Gives, Takes> {
  readonly 'This step does not take what the step before gives: put an adapter in between': {
    readonly fields: Fields
    readonly gives: Gives
    readonly takes: Takes
  }
}

/**
 * A string step takes the text of any value; a typed step takes a value that fits, or a text, which is parsed as JSON. `unknown` if it
 * fits, so that it adds nothing to an intersection.
 */
export type Fits<Gives, Takes> = [Takes] extends [string]
  ? unknown
  : [Gives] extends [string]
    ? unknown
    : [Gives] extends [Takes]
      ? unknown
      : [Gives] extends [DeepReadonly<Takes>]
        ? unknown
        : Misfit<WrongFields<Gives, Takes>, WrongPart<Gives, Gives, Takes>, WrongPart<Takes, Gives, Takes>>

/** An adapter: a function of what is known when the next step begins. */
export type Adapter<G, Takes> = (given: G) => Takes

type InputOf<T> = T extends AgentTool<infer I, unknown> ? I : never
type OutputOf<T> = T extends AgentTool<never, infer O> ? O : never

/** Tools in a row, at least one. */
export type Steps = readonly [first: AgentTool, ...rest: AgentTool[]]

/** The same after a name and a description. */
export type NamedSteps = readonly [name: string, description: string, first: AgentTool, ...rest: AgentTool[]]

/** A list of tools, each intersected with the check that it takes the output of the one before. The name and description before the first tool are not changed. */
export type Chain<T extends readonly unknown[]> = {
  readonly [K in keyof T]: K extends keyof Before<T>
    ? Before<T>[K] extends AgentTool
      ? T[K] & Fits<OutputOf<Before<T>[K]>, InputOf<T[K]>>
      : T[K]
    : T[K]
}

/** The list shifted by one: each place has the element before it. Unknown for a list without a fixed length. */
type Before<T extends readonly unknown[]> = T extends readonly [...infer Rest, unknown] ? readonly [undefined, ...Rest] : readonly []

export type FirstInput<T extends readonly unknown[]> = T extends readonly [string, string, infer First, ...unknown[]]
  ? InputOf<First>
  : InputOf<T[0]>
export type LastOutput<T extends readonly unknown[]> = T extends readonly [...unknown[], infer Last] ? OutputOf<Last> : OutputOf<T[number]>
