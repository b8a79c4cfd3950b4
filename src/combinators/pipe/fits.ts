import type { AgentTool } from '../../tool/agent-tool.ts'
import type { ToolSuccess } from '../../tool/result.ts'

/** What the compiler shows where a step does not take what the step before gives. */
export interface Misfit<Gives, Takes> {
  readonly 'This step does not take what the step before gives: put an adapter in between': { readonly gives: Gives; readonly takes: Takes }
}

/**
 * A string step takes the text of anything; a typed step takes a value that fits, or a text, which is read as JSON when it runs.
 * `unknown` where it fits, so that it adds nothing to the type that it is joined to.
 */
export type Fits<Gives, Takes> = [Takes] extends [string]
  ? unknown
  : [Gives] extends [string]
    ? unknown
    : [Gives] extends [Takes]
      ? unknown
      : Misfit<Gives, Takes>

/** What an adapter sees: the result of the step before it, text and value. */
export type Adapter<Gives, Takes> = (result: ToolSuccess<Gives>) => Takes

/** What an adapter may hand to a step that takes `I`: null is the empty text, and a text for a typed step is read as JSON. */
export type Adapted<I> = [I] extends [string] ? unknown : I | string | null

type InputOf<T> = T extends AgentTool<infer I, unknown> ? I : never
type OutputOf<T> = T extends AgentTool<never, infer O> ? O : never

/** A list of tools, each joined to the check that it takes what the one before gives. */
export type Chain<T extends readonly AgentTool[]> = {
  readonly [K in keyof T]: K extends keyof Before<T> ? T[K] & Fits<OutputOf<Before<T>[K]>, InputOf<T[K]>> : T[K]
}

/** The list moved on by one: at each place stands the tool before. */
type Before<T extends readonly AgentTool[]> = T extends readonly [...infer Rest extends readonly AgentTool[], AgentTool] ? Moved<Rest> : T
type Moved<T extends readonly AgentTool[]> = readonly [AgentTool<never, never>, ...T]

export type FirstInput<T extends readonly AgentTool[]> = T extends readonly [infer First, ...unknown[]] ? InputOf<First> : never
export type LastOutput<T extends readonly AgentTool[]> = T extends readonly [...unknown[], infer Last] ? OutputOf<Last> : never
