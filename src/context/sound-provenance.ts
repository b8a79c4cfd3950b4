import type { Provenance, ToolResult } from '../tool/result/result.ts'

/** The latest moment that a date can be, in milliseconds since the epoch. */
const LAST_MOMENT = 8.64e15
const UNKNOWN = 'unknown'

/** Whether a date can be made of it. */
export function isMoment(timestamp: unknown): timestamp is number {
  return typeof timestamp === 'number' && Math.abs(timestamp) <= LAST_MOMENT
}

/** A result that was made by hand may have no provenance, or a part of one: what is missing is `unknown`. Others are returned as they are. */
export function withSoundProvenance<R extends ToolResult<unknown>>(result: R): R {
  const given = (result as { readonly provenance?: unknown }).provenance
  const { tool, invocationId, timestamp, source }: Partial<Record<keyof Provenance, unknown>> =
    typeof given === 'object' && given !== null ? given : {}
  const isSound =
    typeof tool === 'string' &&
    typeof invocationId === 'string' &&
    isMoment(timestamp) &&
    (source === undefined || typeof source === 'string')
  if (isSound) return result
  const sound: Provenance = {
    tool: typeof tool === 'string' ? tool : UNKNOWN,
    invocationId: typeof invocationId === 'string' ? invocationId : UNKNOWN,
    timestamp: isMoment(timestamp) ? timestamp : Number.NaN,
    ...(typeof source === 'string' ? { source } : {}),
  }
  return { ...result, provenance: sound }
}
