import type { ApprovalRule } from './behaviour.ts'
import { type Duration, toMilliseconds } from './duration.ts'
import { ConfigurationError } from './errors/configuration-error.ts'
import type { OnTimeout, Risk } from './review.ts'
import { quote } from './text-of.ts'

/** When and how a person is asked before a tool runs. */
export interface ApprovalOptions<P> {
  /** Always, or by a pure predicate over the validated input. */
  readonly when?: boolean | ((input: P) => boolean) | undefined
  /** What the person reads. */
  readonly why?: string | ((input: P) => string) | undefined
  readonly risk?: Risk | undefined
  readonly timeout?: Duration | undefined
  readonly onTimeout?: OnTimeout | undefined
}

export type RequireApproval<P> = boolean | ((input: P) => boolean) | ApprovalOptions<P>

/** Whether a person stands before the call, always or sometimes. */
export function isGated<P>(given: RequireApproval<P> | undefined): boolean {
  return given !== undefined && given !== false && !(typeof given === 'object' && given?.when === false)
}

/** A rule with values that nobody could act on is a configuration error. */
export function approvalRule<P>(given: RequireApproval<P> | undefined, toolName: string): ApprovalRule | undefined {
  if (!isGated(given)) return undefined
  if (given === null) throw wrong('requireApproval', toolName, { needs: 'true, false, a predicate or options', given })
  const options: ApprovalOptions<P> = typeof given === 'object' ? given : { when: given }
  const { when = true, why, risk, timeout, onTimeout } = options
  checkChoice('risk', toolName, { given: risk, choices: RISKS })
  checkChoice('onTimeout', toolName, { given: onTimeout, choices: ON_TIMEOUT })
  if (why !== undefined && typeof why !== 'string' && typeof why !== 'function')
    throw wrong("'why'", toolName, { needs: 'a text or a function', given: why })
  return {
    needed: typeof when === 'function' ? (when as (input: unknown) => boolean) : () => true,
    why: why as ApprovalRule['why'],
    risk,
    timeoutMs: timeout === undefined ? undefined : toMilliseconds(timeout, `The timeout of the approval of tool '${toolName}'`),
    onTimeout,
  }
}

const RISKS: readonly Risk[] = ['low', 'medium', 'high']
const ON_TIMEOUT: readonly OnTimeout[] = ['reject', 'continue', 'stop']

interface Choice {
  readonly given: string | undefined
  readonly choices: readonly string[]
}

function checkChoice(option: string, toolName: string, { given, choices }: Choice): void {
  if (given === undefined || choices.includes(given)) return
  const [last, ...others] = choices.map((each) => `'${each}'`).toReversed()
  throw wrong(`'${option}'`, toolName, { needs: `${others.toReversed().join(', ')} or ${last}`, given })
}

function wrong(
  option: string,
  toolName: string,
  { needs, given }: { readonly needs: string; readonly given: unknown },
): ConfigurationError {
  return new ConfigurationError('invalid_option', `${option} in the approval of tool '${toolName}' must be ${needs}, not ${quote(given)}.`)
}
