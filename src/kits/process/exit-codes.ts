import { isRecord } from '../../schema/json-schema.ts'
import { quote } from '../../schema/quote.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import type { ErrorClass } from '../../tool/errors/error-codes.ts'
import { type Outcome, ToolError } from '../../tool/errors/tool-error.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'

/** What an exit code means. */
export interface ExitMeaning {
  readonly class: ErrorClass
  /** What happened, before the end of the error output. */
  readonly message?: string | undefined
  readonly hint?: string | undefined
  readonly retryable?: boolean | undefined
  /** Whether the effect happened; `failed` by default: it did not. */
  readonly outcome?: Outcome | undefined
}

/** Meanings by exit code. `0` is a success, and a code that is not listed a failure of which nobody knows whether it took effect. */
export type ExitCodes = Readonly<Record<number, 'success' | ErrorClass | ExitMeaning>>

const NAMES = optionNames<ExitMeaning>({ class: true, message: true, hint: true, retryable: true, outcome: true })

const CLASSES: Readonly<Record<ErrorClass, true>> = {
  transient: true,
  rate_limited: true,
  input_validation: true,
  authorization: true,
  semantic: true,
  not_found: true,
  server: true,
  rejected: true,
  deadline: true,
  cancelled: true,
}

export function checkExitCodes(given: ExitCodes | undefined, whose: string): ReadonlyMap<number, 'success' | ExitMeaning> {
  if (given !== undefined && !isRecord(given))
    throw new ConfigurationError('invalid_option', `'exitCodes' of ${whose} must be an object, not ${quote(given)}.`)
  const meanings = new Map<number, 'success' | ExitMeaning>([[0, 'success']])
  for (const [code, meaning] of Object.entries(given ?? {})) {
    const number = Number(code)
    if (!Number.isInteger(number) || number < 0 || number > 0xffffffff)
      throw new ConfigurationError('invalid_option', `A name in 'exitCodes' of ${whose} must be an exit code, not ${quote(code)}.`)
    meanings.set(number, checkedMeaning(meaning, `'exitCodes[${code}]' of ${whose}`))
  }
  return meanings
}

function checkedMeaning(given: unknown, what: string): 'success' | ExitMeaning {
  if (given === 'success') return given
  const meaning = isRecord(given) ? given : { class: given }
  checkOptionNames(meaning, NAMES, `The fields of ${what}`)
  if (typeof meaning['class'] === 'string' && Object.hasOwn(CLASSES, meaning['class'])) return meaning as unknown as ExitMeaning
  throw new ConfigurationError(
    'invalid_option',
    `${what} must be 'success', a class of errors (${Object.keys(CLASSES).join(', ')}) or an object with one, not ${quote(given)}.`,
  )
}

export interface FailedExit {
  readonly command: string
  readonly exitCode: number
  readonly meaning: ExitMeaning | undefined
  /** The end of the error output, or else of the output. */
  readonly said: string
  readonly readsOnly: boolean
}

/** The failure of a program that has ended by itself. */
export function exitFailure({ command, exitCode, meaning, said, readsOnly }: FailedExit): ToolError {
  const message = `${meaning?.message ?? `${command} failed with exit code ${exitCode}.`}${said === '' ? '' : ` It wrote: ${said}`}`
  const { class: errorClass, hint, retryable, outcome = 'failed' } = meaning ?? {}
  if (errorClass === undefined) return new ToolError(message, { code: 'process_failed', outcome: readsOnly ? 'failed' : 'unknown' })
  return new ToolError(message, {
    class: errorClass,
    outcome,
    ...(hint === undefined ? {} : { hint }),
    ...(retryable === undefined ? {} : { retryable }),
  })
}
