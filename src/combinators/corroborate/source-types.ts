import type { AgentTool } from '../../tool/agent-tool.ts'
import type { InputOf } from '../../tool/tool.ts'
import type { FieldComparison } from './field-comparison.ts'
import type { ArbiterConflict, ArbiterQuestion } from './resolution.ts'
import type { Source } from './source.ts'

/** Tools that know the same fact, by their labels. */
export type Sources = Readonly<Record<string, AgentTool | Source<never, unknown>>>

type Takes<T> = T extends Source<infer V, unknown> ? V : T extends AgentTool<infer I, unknown> ? I : never
type Gives<T> = T extends AgentTool<never, infer O> ? O : T extends Source<never, infer O> ? O : never

/** The value of some source. */
export type AnyAnswer<B> = { readonly [L in keyof B]: Gives<B[L]> }[keyof B]

type SharedInput<B> = { readonly [L in keyof B]: (input: Takes<B[L]>) => void }[keyof B] extends (input: infer I) => void ? I : never

/** The input of the whole. */
export type CorroborateInput<B, S> = S extends undefined ? SharedInput<B> : InputOf<S>

/** The fields that all sources give. If the output of a source is not known, any name. */
export type SharedField<B> = unknown extends AnyAnswer<B> ? string : keyof AnyAnswer<B> & string

/** The type of a comparison that nobody can write. Its text is read in the message of the compiler. */
export interface NoSharedField {
  readonly 'the sources give no field in common: reshape one with source(tool, { output })': never
}

/** Without a shared field an empty record would accept any name. */
export type ComparedFields<B> = [SharedField<B>] extends [never]
  ? Readonly<Record<string, NoSharedField>>
  : { readonly [K in SharedField<B>]?: FieldComparison }

type LastOf<U> = (U extends unknown ? (given: () => U) => void : never) extends (given: infer F) => void
  ? F extends () => infer L
    ? L
    : never
  : never

type CountOf<U, Counted extends readonly unknown[] = []> = [U] extends [never]
  ? Counted['length']
  : CountOf<Exclude<U, LastOf<U>>, [...Counted, unknown]>

/** A mapped type, which fits the input of a tool that takes a record; an interface does not. */
type Plain<T> = { -readonly [K in keyof T]: T[K] }

/** The answers of all sources if all must answer; else some may not be there. */
type AnswersOf<B, A> =
  CountOf<keyof B> extends (A extends number ? A : 2)
    ? { -readonly [L in keyof B]: Gives<B[L]> }
    : { -readonly [L in keyof B]?: Gives<B[L]> }

type FieldOf<V, F> = F extends keyof V ? NonNullable<V[F]> : unknown

/** A conflict of two sources has both values. */
type ValuesOf<B, F> =
  CountOf<keyof B> extends 2
    ? { -readonly [L in keyof B]: FieldOf<Gives<B[L]>, F> }
    : { -readonly [L in keyof B]?: FieldOf<Gives<B[L]>, F> }

type ConflictOf<B> = { [F in SharedField<B>]: Plain<ArbiterConflict<F, ValuesOf<B, F>>> }[SharedField<B>]

/** The question to an arbiter, typed by the sources. Its lists and records can be changed, as those of an ordinary input schema. */
export type QuestionOf<B, S, A> = Plain<ArbiterQuestion<CorroborateInput<B, S>, AnswersOf<B, A>, ConflictOf<B>>>
