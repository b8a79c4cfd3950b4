import { isRecord } from '../../schema/json-schema.ts'
import { quote } from '../../schema/quote.ts'
import { type Duration, toMilliseconds } from '../../tool/duration.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'

/** The ways to make one result of several branches. */
export type JoinKind = 'all' | 'quorum' | 'first' | 'best' | 'partial'

/** How the results of branches become one. Made by `all()`, `quorum(q)`, `first()`, `best(score)` and `partial({ after })`. */
export interface Join<K extends JoinKind = JoinKind, V = never> {
  readonly kind: K
  /** How many branches must succeed, by the number of branches. */
  readonly needed: (branches: number) => number
  /** It may be over before every branch has ended; the others are cancelled then. */
  readonly raced: boolean
  /** It is over as soon as enough have succeeded. */
  readonly stopsWhenMet: boolean
  /** It is over when this time is up. */
  readonly afterMs?: number | undefined
  readonly score?: ((value: V, label: string) => number) | undefined
}

/**
 * Waits for every branch and fails if any failed. The value has the value of every branch under its label. The default.
 * @example
 * const twice = parallel({ red: roll, blue: roll }, { join: all() })
 * console.log((await twice.call('a die')).text) // {"red":4,"blue":4}
 */
export function all(): Join<'all', unknown> {
  return { kind: 'all', needed: (branches) => branches, raced: false, stopsWhenMet: false }
}

/**
 * Ends when enough branches have succeeded, or no longer can, and cancels the rest. A number is a share: `quorum(0.5)` of five is three.
 * For a number of branches, write `quorum({ count: 2 })`. The value has the values of the successful branches.
 * @example
 * const majority = parallel({ red: roll, blue: roll, green: roll }, { join: quorum(0.5) })
 * console.log((await majority.call('a die')).text) // {"red":4,"blue":4}
 */
export function quorum(q: number | { readonly count: number }): Join<'quorum', unknown> {
  return { kind: 'quorum', needed: neededFor(q), raced: true, stopsWhenMet: true }
}

/**
 * Takes the first branch that succeeds and cancels the rest. The value is that branch's own, and an issue names the branch.
 * @example
 * const fastest = parallel({ red: roll, blue: roll }, { join: first() })
 * console.log((await fastest.call('a die')).text) // 4
 */
export function first(): Join<'first', unknown> {
  return { kind: 'first', needed: () => 1, raced: true, stopsWhenMet: true }
}

/**
 * Waits for every branch and takes the success with the highest score; of equals, the one declared first. The score is a pure function.
 * @example
 * const highest = parallel({ red: roll, blue: roll }, { join: best((eyes) => eyes) })
 * console.log((await highest.call('a die')).text) // 4
 */
export function best<V>(score: (value: V, label: string) => number): Join<'best', V> {
  if (typeof score !== 'function')
    throw new ConfigurationError('invalid_option', `best needs a function that scores a value, not ${quote(score)}.`)
  return { kind: 'best', needed: () => 1, raced: false, stopsWhenMet: false, score }
}

/** The options of `partial`. */
export interface PartialOptions {
  /** The time limit. It also runs while a call waits for a person. */
  readonly after: Duration
  /** The minimum number of successes; 1 by default. */
  readonly atLeast?: number | undefined
}

const PARTIAL_NAMES = optionNames<PartialOptions>({ after: true, atLeast: true })

/**
 * Takes the results that exist when the time is up, or when all have ended, and cancels the rest. Issues name the missing ones.
 * @example
 * const prompt = parallel({ red: roll, blue: roll }, { join: partial({ after: '2s' }) })
 * console.log((await prompt.call('a die')).text) // {"red":4,"blue":4}
 */
export function partial(options: PartialOptions): Join<'partial', unknown> {
  checkOptionNames(options, PARTIAL_NAMES, 'The options of partial')
  const { after, atLeast = 1 } = options
  const afterMs = toMilliseconds(after, 'The time of partial')
  if (afterMs === 0) throw new ConfigurationError('invalid_option', 'The time of partial must be more than 0.')
  return { kind: 'partial', needed: countOf({ count: atLeast }), raced: true, stopsWhenMet: false, afterMs }
}

/** The rounding error of a binary share: 0.1 of 30 is 3, not 3.0000000000000004. */
const ROUNDING = 1e-9

function neededFor(q: number | { readonly count: number }): (branches: number) => number {
  if (typeof q === 'number') return shareOf(q)
  if (isRecord(q)) {
    checkOptionNames(q, ['count'], 'The options of quorum')
    return countOf(q)
  }
  throw new ConfigurationError(
    'invalid_option',
    `A quorum is a share such as 0.5, or a number of branches such as { count: 2 }, not ${quote(q)}.`,
  )
}

function shareOf(share: number): (branches: number) => number {
  if (!(share > 0 && share <= 1)) {
    throw new ConfigurationError(
      'invalid_option',
      `A quorum is a share above 0 and at most 1, not ${quote(share)}. For a number of branches, write quorum({ count: 2 }).`,
    )
  }
  return (branches) => Math.max(1, Math.ceil(share * branches - ROUNDING))
}

function countOf({ count }: { readonly count: number }): (branches: number) => number {
  if (!Number.isInteger(count) || count < 1) {
    throw new ConfigurationError(
      'invalid_option',
      `The number of branches that must succeed must be a whole number of at least 1, not ${quote(count)}.`,
    )
  }
  return () => count
}
