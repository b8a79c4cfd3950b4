import type { ToolApprovalRequest } from 'ai'

const SHOWN = /\n\[requests (?<ids>[^\n\]]+)\](?:\n\[approval [^\n\]]*\])?$/

/**
 * The reason of an approval of the SDK with the ids of the requests that it shows, as its last line: it is all that the SDK keeps. The ids
 * find the run again, a durable one in another process too, and an approval counts for the requests that were shown, and for no others.
 */
export function withRequests(reason: string, ids: readonly string[]): string {
  return `${reason}\n[requests ${ids.join(' ')}]`
}

/** The ids that approvals of the SDK name. They come from the client, and are claims. */
export function requestsShown(approvals: readonly ToolApprovalRequest[]): readonly string[] {
  const ids = approvals.flatMap(({ reason }) => (typeof reason === 'string' ? (SHOWN.exec(reason)?.groups?.['ids'] ?? '') : '').split(' '))
  return [...new Set(ids)].filter((each) => each !== '')
}

/** The reason as it is without the ids and the seal. */
export function withoutRequests(reason: string): string {
  return reason.replace(SHOWN, '')
}
