import type { AgentTool } from '../../tool/agent-tool.ts'
import type { ToolSuccess } from '../../tool/result/result.ts'

/** The compiler shows this if a step does not take the output of the step before. */
export interface Misfit<Gives, Takes> {
  readonly 'This step does not take what the step before gives: put an adapter in between': { readonly gives: Gives; readonly takes: Takes }
}

/** The same with readonly fields and lists: a schema does not say whether a value may be changed. */
export type DeepReadonly<T> = T extends Plain ? T : { readonly [K in keyof T]: DeepReadonly<T[K]> }
type Plain = string | number | bigint | boolean | symbol | null | undefined | ((...given: never) => unknown)

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
        : Misfit<Gives, Takes>

/** The argument of an adapter is the whole result of the step before it, text and value. */
export type Adapter<Gives, Takes> = (result: ToolSuccess<Gives>) => Takes

/** What an adapter may return for a step that takes `I`: null is the empty text, and a text for a typed step is parsed as JSON. */
export type Adapted<I> = [I] extends [string] ? unknown : DeepReadonly<I> | string | null

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
