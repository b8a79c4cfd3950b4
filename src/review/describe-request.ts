import { toJsonText } from '../schema/quote.ts'
import { printable } from '../tool/printable.ts'
import { reviewableJson } from '../tool/reviewable-json.ts'
import type { ReviewRequest } from '../tool/review.ts'
import { nameWithTenant } from '../tool/tenants.ts'

/** A longer text has more than some screens: its length is told before it. */
const LONG = 20_000

/** A request as a person reads it on a terminal. Texts of a tool or a model are escaped or stand behind a bar. */
export function describeRequest(request: ReviewRequest): string {
  return request.kind === 'question' ? describeQuestion(request) : describeApproval(request)
}

function describeApproval(request: ReviewRequest): string {
  return `\n--- Approval wanted ---\n${header(request)}${reason(request.why)}input\n${shown(readable(request.input))}${describeParts(request)}`
}

/** What parts get, where it is not the input above. */
function describeParts({ parts = [] }: ReviewRequest): string {
  return parts
    .map(({ tool, version, path, input }) => `${printable(`input of ${tool}@${version} at ${path}`)}\n${shown(readable(input))}`)
    .join('')
}

/** A reason of several lines, such as one with a diff, stands behind the bar too. */
function reason(why: string): string {
  return why.trimEnd().includes('\n') ? `why\n${shown(why.trimEnd())}` : `why     ${printable(why)}\n`
}

function describeQuestion(request: ReviewRequest): string {
  const about = request.input === request.why ? '' : `about\n${shown(readable(request.input))}`
  return `\n--- A question ---\n${header(request)}${about}question\n${shown(request.why)}`
}

function header({ tool, version, risk, caller, path }: ReviewRequest): string {
  const { principal, tenant, ...others } = caller
  const who = principal === undefined ? {} : { principal: nameWithTenant(principal, { tenant }) }
  const callers = Object.entries({ ...who, ...others }).map(([role, name]) => `${role} ${String(name)}`)
  const lines = [`tool    ${tool}@${version}`, `risk    ${risk}`, `caller  ${callers.join(', ') || 'not named'}`, `path    ${path}`]
  return lines.map((line) => `${printable(line)}\n`).join('')
}

/** All of a text is shown: nobody approves what they have not seen. The note stands outside the bar, so that the text itself cannot fake it. */
function shown(text: string): string {
  return text.length <= LONG ? fenced(text) : `  (long: ${text.length} characters; read to the end)\n${fenced(text)}`
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
