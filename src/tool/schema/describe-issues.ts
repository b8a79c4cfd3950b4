import type { StandardIssue } from './standard-schema.ts'

const MOST_LISTED = 20

/** All problems of one input in one line: `'email' is missing; 'amount': expected a number`. */
export function describeIssues(issues: readonly StandardIssue[], value: unknown): string {
  const listed = issues.slice(0, MOST_LISTED).map((issue) => describeIssue(issue, value))
  const more = issues.length - listed.length
  return [...new Set(listed), ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}

function describeIssue(issue: StandardIssue, value: unknown): string {
  const keys = (issue.path ?? []).map((part) => (typeof part === 'object' ? part.key : part))
  if (keys.length === 0) return issue.message
  const name = `'${keys.map(String).join('.')}'`
  return valueAt(value, keys) === undefined ? `${name} is missing` : `${name}: ${issue.message}`
}

function valueAt(value: unknown, keys: readonly PropertyKey[]): unknown {
  let node = value
  for (const key of keys) {
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, key)) return undefined
    node = (node as Record<PropertyKey, unknown>)[key]
  }
  return node
}
