import { quote } from '../../schema/quote.ts'
import type { AnySchema, SchemaOutput } from '../../schema/schema-types.ts'
import { checkChoice } from '../check-given.ts'
import { contractOf } from '../contract.ts'
import { type Duration, toMilliseconds } from '../duration.ts'
import { ConfigurationError } from '../errors/configuration-error.ts'
import { checkOptionNames, optionNames } from '../option-names.ts'

declare const TYPES: unique symbol

/** One level of a fallback over an input of type `V`, with answers of type `O`. */
export interface Level<in V, out O> {
  /** A `PersonLevel`, or the level of a tool. */
  readonly level: object
  readonly [TYPES]?: ((value: V) => O) | undefined
}

/** The level that a person answers. */
export interface PersonLevel {
  readonly tool: undefined
  readonly name: string | undefined
  readonly schema: AnySchema | undefined
  readonly why: string | undefined
  readonly urgency: Urgency
  readonly timeout: Duration | undefined
}

/** How soon a person should answer. */
export type Urgency = 'low' | 'normal' | 'high'

/** The options of `byPerson`. */
export interface ByPersonOptions<S> {
  /** The name of the level; `person` by default. */
  readonly name?: string | undefined
  /** The shape of the answer; by default the `outputSchema` of the fallback. */
  readonly answerSchema?: S
  /** What the person should know, before what was tried. */
  readonly why?: string | undefined
  /** `normal` by default. The question says it. */
  readonly urgency?: Urgency | undefined
  /** How long to wait for the answer; by default as long as the handler of reviews waits. */
  readonly timeout?: Duration | undefined
}

const PERSON_NAMES = optionNames<ByPersonOptions<unknown>>({ name: true, answerSchema: true, why: true, urgency: true, timeout: true })

const URGENCIES: readonly Urgency[] = ['low', 'normal', 'high']

/**
 * The last level of a fallback: a person gives the answer, or hands the question back. The question says what was asked, what was tried and
 * why it failed. A durable run waits for the answer, however long that takes.
 * @example
 * const desk = byPerson({ answerSchema: z.object({ rate: z.number() }), urgency: 'high', timeout: '1d' })
 */
export function byPerson<const S extends AnySchema | undefined = undefined>(
  options: ByPersonOptions<S> = {},
): Level<unknown, S extends undefined ? never : SchemaOutput<S>> {
  checkOptionNames(options, PERSON_NAMES, 'The options of byPerson')
  const { name, answerSchema, why, urgency, timeout } = options
  checkChoice(urgency, URGENCIES, "'urgency' of byPerson")
  if (why !== undefined && typeof why !== 'string')
    throw new ConfigurationError('invalid_option', `'why' of byPerson must be a text, not ${quote(why)}.`)
  if (timeout !== undefined) toMilliseconds(timeout, "'timeout' of byPerson")
  if (answerSchema !== undefined) contractOf(answerSchema, 'The answerSchema of byPerson')
  const own: PersonLevel = { tool: undefined, name, schema: answerSchema, why, urgency: urgency ?? 'normal', timeout }
  return { level: own }
}
