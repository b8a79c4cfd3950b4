import { quote } from '../../schema/quote.ts'
import type { CallOptions, Stores } from '../context.ts'
import { checkReviewers } from '../deciders.ts'
import { ConfigurationError } from '../errors/configuration-error.ts'
import { checkOptionNames } from '../option-names.ts'
import { CALL_OPTION_NAMES } from '../shared-option-names.ts'

/** A mistake in the options is reported where they are passed, not as a failure of the tool. Missing options cost nothing. */
export function checkCallOptions(options: CallOptions): void {
  checkNames(options)
  checkOptionValues(options)
}

/** The same for options that a runtime or a bridge shares, whose names it knows itself. */
export function checkOptionValues(options: CallOptions): void {
  const { on, clock, journal, stores, overrides, alert, unattended, reviewers, principal } = options
  if (on !== undefined && typeof on !== 'function') checkListeners(on)
  if (clock !== undefined && !can(clock, ['now', 'tick', 'timer', 'soon']))
    throw wrong('clock', clock, 'a clock, such as fakeClock() gives')
  if (journal !== undefined && !can(journal, ['read', 'write'])) throw wrong('journal', journal, 'a journal, such as memoryJournal() gives')
  if (stores !== undefined) checkStores(stores)
  if (alert !== undefined && typeof alert !== 'function') throw wrong('alert', alert, 'a function')
  if (unattended !== undefined && unattended !== 'approve' && unattended !== 'refuse')
    throw wrong('unattended', unattended, "'approve' or 'refuse'")
  checkReviewers(reviewers)
  if (principal !== undefined && !can(principal, []))
    throw wrong('principal', principal, "such as { id: 'ada', permissions: ['orders:read'] }")
  if (overrides !== undefined && !can(overrides, [])) throw wrong('overrides', overrides, 'an object of tools by name')
}

/** A list is made only for the message. */
function checkNames(options: CallOptions): void {
  if (typeof options === 'object') {
    let isKnown = true
    for (const name in options) isKnown &&= CALL_OPTION_NAMES.has(name)
    if (isKnown) return
  }
  checkOptionNames(options, [...CALL_OPTION_NAMES], 'The options of a call')
}

/** The functions of each store, and how one is made. */
export const STORES: Readonly<Record<keyof Stores, { readonly functions: readonly string[]; readonly what: string }>> = {
  idempotency: { functions: ['claim', 'renew', 'settle'], what: 'a store of keys, such as memoryIdempotency() gives' },
  breakers: { functions: ['breaker'], what: 'a store of breakers, such as memoryBreakers() gives' },
  limits: { functions: ['limiter'], what: 'a store of limiters, such as memoryLimits() gives' },
}

function checkStores(stores: unknown): void {
  if (!can(stores, [])) throw wrong('stores', stores, 'an object such as { idempotency: memoryIdempotency() }')
  checkOptionNames(stores, Object.keys(STORES), "The options of 'stores'")
  for (const [name, { functions, what }] of Object.entries(STORES)) {
    const store = (stores as Readonly<Record<string, unknown>>)[name]
    if (store !== undefined && !can(store, functions)) throw wrong(`stores.${name}`, store, what)
  }
}

function checkListeners(on: unknown): void {
  for (const each of Array.isArray(on) ? (on as readonly unknown[]) : [on])
    if (typeof each !== 'function' && !can(each, ['onEvent']))
      throw wrong('on', each, 'a function, an observer with onEvent, or a list of these')
}

function can(given: unknown, functions: readonly string[]): boolean {
  if (typeof given !== 'object' || given === null) return false
  return functions.every((name) => typeof (given as Readonly<Record<string, unknown>>)[name] === 'function')
}

function wrong(name: string, given: unknown, is: string): ConfigurationError {
  return new ConfigurationError('invalid_option', `The option '${name}' of a call must be ${is}, not ${quote(given)}.`)
}
