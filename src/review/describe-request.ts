import { toJsonText } from '../schema/quote.ts'
import { printable } from '../tool/printable.ts'
import type { ReviewRequest } from '../tool/review.ts'

const MOST_SHOWN = 20_000

export interface DescribeOptions {
  /** Shows long texts to their end. */
  readonly isWhole?: boolean | undefined
}

/** A request as a person reads it on a terminal. Texts of a tool or a model are escaped or stand behind a bar. */
export function describeRequest(request: ReviewRequest, { isWhole = false }: DescribeOptions = {}): string {
  const shown = isWhole ? fenced : beginningOf
  return request.kind === 'question' ? describeQuestion(request, shown) : describeApproval(request, shown)
}

/** Whether the short form of a request leaves something out. */
export function isCut({ input, why }: ReviewRequest): boolean {
  return readable(input).length > MOST_SHOWN || why.length > MOST_SHOWN
}

type Show = (text: string) => string

function describeApproval(request: ReviewRequest, shown: Show): string {
  return `\n--- Approval wanted ---\n${header(request)}${reason(request.why, shown)}input\n${shown(readable(request.input))}`
}

/** A reason of several lines, such as one with a diff, stands behind the bar too. */
function reason(why: string, shown: Show): string {
  const text = why.trimEnd()
  return text.includes('\n') || text.length > MOST_SHOWN ? `why\n${shown(text)}` : `why     ${printable(why)}\n`
}

function describeQuestion(request: ReviewRequest, shown: Show): string {
  const about = request.input === request.why ? '' : `about\n${shown(readable(request.input))}`
  return `\n--- A question ---\n${header(request)}${about}question\n${shown(request.why)}`
}

function header({ tool, version, risk, caller, path }: ReviewRequest): string {
  const callers = Object.entries(caller).map(([role, name]) => `${role} ${String(name)}`)
  const lines = [`tool    ${tool}@${version}`, `risk    ${risk}`, `caller  ${callers.join(', ') || 'not named'}`, `path    ${path}`]
  return lines.map((line) => `${printable(line)}\n`).join('')
}

/** The note about a cut stands outside the bar, so that the text itself cannot fake it. */
function beginningOf(text: string): string {
  if (text.length <= MOST_SHOWN) return fenced(text)
  return `${fenced(text.slice(0, MOST_SHOWN))}  (cut: ${text.length - MOST_SHOWN} more characters are not shown)\n`
}

function readable(value: unknown): string {
  if (typeof value === 'string') return value
  try {
    return reviewableJson(value, 2)
  } catch {
    return toJsonText(value)
  }
}

/** A text of many lines, each behind a bar, so that no line of it can pass for one of ours. */
export function fenced(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => `  | ${printable(line)}\n`)
    .join('')
}

/** JSON for a reviewer, who must see what the tool would get: maps and sets as lists, big integers as texts. Throws on cycles. */
export function reviewableJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, (_key, each: unknown) => shownAs(each), indent) ?? 'null'
}

function shownAs(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  return value instanceof Map || value instanceof Set ? [...(value as Iterable<unknown>)] : value
}
