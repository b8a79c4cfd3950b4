import { privateCopy } from '../schema/private-copy.ts'
import { excerpt, quote } from '../schema/quote.ts'
import { adapt } from './adapt.ts'
import type { ApprovalRule } from './behaviour.ts'
import { checkChoice } from './check-given.ts'
import { type DeciderRule, isSamePerson, type RequiredApprovals } from './deciders.ts'
import { type Duration, toMilliseconds } from './duration.ts'
import { ConfigurationError } from './errors/configuration-error.ts'
import { checkOptionNames, optionNames } from './option-names.ts'
import type { PlanAsks } from './plan-node.ts'
import type { OnTimeout, Risk } from './review.ts'

/** When and how a person is asked before a tool runs. */
export interface ApprovalOptions<P> {
  /** Always, or by a pure predicate over the validated input. */
  readonly when?: boolean | ((input: P) => boolean) | undefined
  /** The text that the person reads. */
  readonly why?: string | ((input: P) => string) | undefined
  readonly risk?: Risk | undefined
  readonly timeout?: Duration | undefined
  readonly onTimeout?: OnTimeout | undefined
  /** How many people must approve, and who they may be. Their deciders must be authenticated. One rejection rejects. */
  readonly approvals?: RequiredApprovals | undefined
}

/** When a tool asks for an approval: always, by a predicate over the input, or by options with the text and the risk. */
export type RequireApproval<P> = boolean | ((input: P) => boolean) | ApprovalOptions<P>

/** Whether the call needs an approval, always or sometimes. */
function isGated<P>(given: RequireApproval<P> | undefined): boolean {
  return given !== undefined && given !== false && !(typeof given === 'object' && given?.when === false)
}

const NAMES = optionNames<ApprovalOptions<unknown>>({ when: true, why: true, risk: true, timeout: true, onTimeout: true, approvals: true })
const APPROVALS_NAMES = optionNames<RequiredApprovals>({ count: true, of: true, excludeRequester: true })

/** A rule with invalid values is a configuration error. */
export function approvalRule<P>(given: RequireApproval<P> | undefined, toolName: string): ApprovalRule | undefined {
  if (!isGated(given)) return undefined
  const options: ApprovalOptions<P> = typeof given === 'object' && given !== null ? given : { when: given }
  const { when = true, why, risk, timeout, onTimeout, approvals } = options
  const where = `in the approval of tool '${toolName}'`
  checkOptionNames(options, NAMES, `The options ${where}`)
  if (when !== true && typeof when !== 'function')
    throw wrong(`The approval of tool '${toolName}' must be true, false, a predicate or options`, when)
  checkChoice(risk, RISKS, `'risk' ${where}`)
  checkChoice(onTimeout, ON_TIMEOUT, `'onTimeout' ${where}`)
  if (why !== undefined && typeof why !== 'string' && typeof why !== 'function')
    throw wrong(`'why' ${where} must be a text or a function`, why)
  const asks = asksBy(when, onTimeout)
  return {
    asks,
    condition: conditionText(when, why, { asks, onTimeout }),
    needed: typeof when === 'function' ? judgedBy(when, `The predicate ${where}`) : () => true,
    why: typeof why === 'function' ? judgedBy(why, `'why' ${where}`) : why,
    risk,
    timeoutMs: timeout === undefined ? undefined : toMilliseconds(timeout, `The timeout of the approval of tool '${toolName}'`),
    onTimeout,
    ...(approvals === undefined ? {} : { approvals: requiredApprovals(approvals, { onTimeout, where }) }),
  }
}

const LONGEST_CONDITION = 100

/**
 * When a person is asked, for plans: the author's words, and the beginning of the predicate's source. The code itself cannot say something
 * that is not so. Undefined if always, without a reason.
 */
function conditionText(when: unknown, why: unknown, { asks, onTimeout }: Pick<ApprovalRule, 'asks' | 'onTimeout'>): string | undefined {
  const late = onTimeout === 'continue' && asks !== 'never' ? '; it goes on if nobody decides in time' : ''
  const text = wordsOf(when, why, asks)
  return text === undefined && late === '' ? undefined : `${text ?? 'always'}${late}`
}

function wordsOf(when: unknown, why: unknown, asks: PlanAsks): string | undefined {
  const source = typeof when === 'function' ? sourceOf(when) : undefined
  const isReadable = source !== undefined && !source.includes('[native code]')
  const code = source === undefined ? undefined : isReadable ? excerpt(source, LONGEST_CONDITION) : 'its code says so'
  const words = typeof why === 'string' && why.trim() !== '' ? excerpt(why.trim(), LONGEST_CONDITION) : undefined
  if (asks === 'never') return `never, by ${code}`
  if (code === undefined) return words === undefined ? undefined : `always: ${words}`
  return words === undefined ? `when ${code}` : `when ${code}: ${words}`
}

function sourceOf(predicate: object): string {
  return String(predicate).replaceAll(/\s+/g, ' ')
}

/** Of a function, only a constant can be told: as it is written, or as a bundler leaves it. */
const ARROW = /^(?:\([^()]*\)|[\w$]+) ?=> ?(true|!0|false|!1)$/
const BODY = /^(?:(?:\([^()]*\)|[\w$]+) ?=>|(?:function\b ?)?[\w$]* ?\([^()]*\)) ?\{ ?return(?: (true|!0|false|!1)|(!0|!1)) ?;? ?\}$/

function asksBy(when: unknown, onTimeout: OnTimeout | undefined): PlanAsks {
  const constant = typeof when === 'function' ? constantOf(sourceOf(when)) : when === true
  if (constant === true) return onTimeout === 'continue' ? 'sometimes' : 'always'
  return constant === undefined || typeof when !== 'function' ? 'sometimes' : 'never'
}

function constantOf(source: string): boolean | undefined {
  const found = ARROW.exec(source) ?? BODY.exec(source)
  const value = found?.[1] ?? found?.[2]
  return value === undefined ? undefined : value === 'true' || value === '!0'
}

interface Required {
  readonly onTimeout: OnTimeout | undefined
  /** `in the approval of tool 'pay'` */
  readonly where: string
}

/** The rule of a gate or of a review in code. One with invalid values is a configuration error. */
export function requiredApprovals(given: RequiredApprovals, { onTimeout, where }: Required): DeciderRule {
  checkOptionNames(given, APPROVALS_NAMES, `The 'approvals' ${where}`)
  if (onTimeout === 'continue')
    throw wrong(`'onTimeout' ${where} cannot approve what needs the approvals of people: it must be 'reject' or 'stop'`, onTimeout)
  const { count = 1, of, excludeRequester = true } = given
  if (!Number.isInteger(count) || count < 1) throw wrong(`'approvals.count' ${where} must be a whole number from 1`, count)
  if (typeof excludeRequester !== 'boolean') throw wrong(`'approvals.excludeRequester' ${where} must be true or false`, excludeRequester)
  if (of === undefined) return { count, excludeRequester }
  const isName = (name: unknown): boolean => typeof name === 'string' && name.trim() !== ''
  if (!isName(of) && !(Array.isArray(of) && of.every(isName)))
    throw wrong(`'approvals.of' ${where} must be a list of ids, or a permission`, of)
  if (typeof of !== 'string' && of.filter((id, at) => of.findIndex((other) => isSamePerson(id, other)) === at).length < count)
    throw wrong(`'approvals.of' ${where} must name at least ${count} different people`, of)
  return { count, excludeRequester, of: typeof of === 'string' ? of : Object.freeze([...of]) }
}

const RISKS: readonly Risk[] = ['low', 'medium', 'high']
const ON_TIMEOUT: readonly OnTimeout[] = ['reject', 'continue', 'stop']

const UNDECIDED = {
  outcome: 'not_started',
  hint: 'The approval rule failed, so nothing ran. Report the message; the input may be unusual.',
} as const

/**
 * An author's function over a copy of the input: its changes do not reach the input that runs. If it throws or returns a promise, the call
 * fails before anything runs.
 */
function judgedBy<P, T>(judge: (input: P) => T, what: string): (input: unknown) => T {
  return (input) => adapt(what, () => judge(privateCopy(input) as P), UNDECIDED)
}

function wrong(what: string, given: unknown): ConfigurationError {
  return new ConfigurationError('invalid_option', `${what}, not ${quote(given)}.`)
}
