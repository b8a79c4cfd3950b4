import type { ApprovalOptions, RequireApproval } from '../tool/approval-rule.ts'
import type { Metadata } from '../tool/metadata.ts'

/** Metadata that a tool of a peer does not have. */
export interface AdoptedMetadata extends Metadata {
  /** Beside what the tool itself asks. */
  readonly requireApproval?: RequireApproval<never> | undefined
}

const LONGEST_NAME = 64

/** A name that all models accept. Peers allow more characters. */
export function adoptedName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_]/g, '_').slice(0, LONGEST_NAME)
}

/**
 * A person is asked when either of the two says so. A rule of the peer that answers by a promise cannot be waited for here: it counts as yes,
 * and so does anything but `false`.
 */
export function combinedApproval(
  own: RequireApproval<never> | undefined,
  foreign: boolean | ((input: unknown) => unknown) | undefined,
): RequireApproval<unknown> {
  const options: ApprovalOptions<never> = typeof own === 'object' ? own : {}
  const isAsked = (typeof own === 'object' ? (own.when ?? true) : (own ?? false)) as boolean | ((input: unknown) => boolean)
  if (foreign === undefined || foreign === false) return { ...(options as ApprovalOptions<unknown>), when: isAsked }
  const when =
    foreign === true || isAsked === true
      ? true
      : (input: unknown): boolean => foreign(input) !== false || (typeof isAsked === 'function' && isAsked(input))
  return { ...(options as ApprovalOptions<unknown>), when }
}
