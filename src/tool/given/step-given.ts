import type { ToolSuccess } from '../result/result.ts'
import { textOf } from '../result/text-of.ts'

/** The results of the steps before, by their labels. `R` has the values. */
export type StepResults<R> = { readonly [K in keyof R]: ToolSuccess<R[K]> }

/**
 * The argument of an adapter, in pipelines and sagas alike. `V` is the value of the step before, `I` the input of the whole, `R` the values
 * of the steps before by their labels.
 */
export interface StepGiven<V, I, R> {
  /** The value of the step before; before the first step, the input. */
  readonly value: V
  /** The same as a model reads it. */
  readonly text: string
  /** The input of the whole. */
  readonly input: I
  /** The results of the steps that have run, by their labels. A step that failed has none. */
  readonly results: StepResults<R>
}

/** One more value under a label. A label of which only the type `string` is known cannot be read, and adds nothing. */
export type WithValue<R, L extends string, O> = string extends L ? R : { readonly [K in keyof R | L]: K extends keyof R ? R[K] : O }

/** One more value under the name of a step. A name that is taken gets a number: `stock`, `stock#2`, `stock#3`. */
export type WithStep<R, N extends string, O> = WithValue<R, N extends keyof R ? Numbered<R, N> : N, O>

/** The length of `C` is the number to try. Where any name is taken, no number would end the search. */
type Numbered<R, N extends string, C extends readonly unknown[] = [1, 2]> = string extends keyof R
  ? N
  : `${N}#${C['length'] & number}` extends infer L extends string
    ? L extends keyof R
      ? Numbered<R, N, [...C, unknown]>
      : L
    : never

/** Any argument of an adapter. */
export type AnyGiven = StepGiven<unknown, unknown, Readonly<Record<string, unknown>>>

/** Before the first step, the input takes the place of a result. */
export class FirstGiven implements Pick<ToolSuccess, 'value' | 'text'> {
  readonly value: unknown

  constructor(input: unknown) {
    this.value = input
  }

  get text(): string {
    return textOf(this.value)
  }
}

/** Each adapter gets a list of results of its own, made when it is read. */
export class GivenToStep implements AnyGiven {
  readonly #before: Pick<ToolSuccess, 'value' | 'text'>
  readonly #results: Readonly<Record<string, ToolSuccess>>
  readonly input: unknown

  constructor(input: unknown, before: Pick<ToolSuccess, 'value' | 'text'>, results: Readonly<Record<string, ToolSuccess>>) {
    this.input = input
    this.#before = before
    this.#results = results
  }

  get value(): unknown {
    return this.#before.value
  }

  get text(): string {
    return this.#before.text
  }

  get results(): Readonly<Record<string, ToolSuccess>> {
    return { ...this.#results }
  }
}
