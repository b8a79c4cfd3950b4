import type { AgentTool } from '../../tool/agent-tool.ts'
import type { WrongFields, WrongPart } from '../../tool/given/wrong-fields.ts'
import type { ToolResult, ToolSuccess } from '../../tool/result/result.ts'
import type { InputOf, ParsedOf } from '../../tool/tool.ts'
import type { JoinKind } from './join.ts'

/** Tools that run side by side, by their labels. */
export type Branches = Readonly<Record<string, AgentTool>>

type Takes<T> = T extends AgentTool<infer I, unknown> ? I : never
type Gives<T> = T extends AgentTool<never, infer O> ? O : never

/** The value of some branch. */
export type AnyValue<B> = { readonly [L in keyof B]: Gives<B[L]> }[keyof B]

/** The value of the whole, by its join. */
export type JoinedValue<B, K extends JoinKind> = K extends 'first' | 'best'
  ? AnyValue<B>
  : K extends 'all'
    ? { readonly [L in keyof B]: Gives<B[L]> }
    : { readonly [L in keyof B]?: Gives<B[L]> }

/** The results that a merge gets: with `all` every branch has succeeded, with `best` every branch has ended, otherwise only some. */
export type BranchResults<B, K extends JoinKind> = K extends 'all'
  ? { readonly [L in keyof B]: ToolSuccess<Gives<B[L]>> }
  : K extends 'best'
    ? { readonly [L in keyof B]: ToolResult<Gives<B[L]>> }
    : { readonly [L in keyof B]?: ToolResult<Gives<B[L]>> }

/** The input of every branch without an input of its own (`N` are those that have one); a text if there is none. */
type SharedInput<B, N> = [Exclude<keyof B, N>] extends [never]
  ? string
  : { readonly [L in Exclude<keyof B, N>]: (input: Takes<B[L]>) => void }[Exclude<keyof B, N>] extends (input: infer I) => void
    ? I
    : never

/** The input of the whole. */
export type WholeInput<B, S, N> = S extends undefined ? SharedInput<B, N> : InputOf<S>

/** The value that the branches get. */
type GivenInput<B, S, N> = S extends undefined ? SharedInput<B, N> : ParsedOf<S>

/** For each branch in `N`, a function that makes its input from that of the whole. */
export type BranchInputs<B, S, N extends keyof B> = { readonly [L in N]: (input: GivenInput<B, S, N>) => Takes<B[L]> }

/** The compiler shows this if a branch does not take the value of the declared schema: the names of the fields that do not fit, and what they are. */
export interface BranchMisfit<Fields, Given, Taken> {
  readonly 'This branch does not take the declared input: give it an input of its own under inputs': {
    readonly fields: Fields
    readonly given: Given
    readonly takes: Taken
  }
}

/** The compiler shows this if one branch takes a text and another does not. */
type TextMisfit = 'This branch takes a text and another does not: give it an input of its own under inputs'

/** The kind of an input; `never` if it is not known. */
type KindOf<I> = [I] extends [never] ? never : unknown extends I ? never : [I] extends [string] ? 'text' : 'other'

/** No input is both a text and something else. */
type FittingTexts<B, N> = ['text' | 'other'] extends [{ readonly [L in Exclude<keyof B, N>]: KindOf<Takes<B[L]>> }[Exclude<keyof B, N>]]
  ? { readonly [L in Exclude<keyof B, N>]: 'text' extends KindOf<Takes<B[L]>> ? Record<TextMisfit, true> : unknown }
  : unknown

/** Intersected with the branches, it adds nothing if they take the declared input, or a common one. */
export type FittingBranches<B, S, N> = S extends undefined
  ? FittingTexts<B, N>
  : { readonly [L in Exclude<keyof B, N>]: FittingBranch<ParsedOf<S>, Takes<B[L]>> }

type FittingBranch<Given, Taken> = [Given] extends [Taken]
  ? unknown
  : BranchMisfit<WrongFields<Given, Taken>, WrongPart<Given, Given, Taken>, WrongPart<Taken, Given, Taken>>

/** The compiler shows this if a merge returns a promise. */
export interface MergeWaits {
  readonly 'A merge must be synchronous: put asynchronous work into a branch or a later step': true
}

/** Intersected with the result of a merge, it adds nothing unless that is a promise. */
export type AtOnce<R> = R extends PromiseLike<unknown> ? MergeWaits : unknown
