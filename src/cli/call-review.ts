import { autoReview } from '../review/auto-review.ts'
import { consoleReview } from '../review/console-review.ts'
import type { ReviewHandler } from '../tool/review.ts'
import { CliError } from './cli-error.ts'

export interface GivenReview {
  readonly yes?: boolean | undefined
  readonly noInput?: boolean | undefined
  readonly ask?: boolean | undefined
}

/** Approving everything and rejecting everything cannot both be meant. */
export function checkReviewFlags({ yes = false, noInput = false }: GivenReview): void {
  if (yes && noInput)
    throw new CliError('usage', '--yes and --no-input exclude each other.', {
      hint: '--yes approves whatever asks, --no-input rejects it.',
    })
}

/** Who decides: the flags first, then the configured reviewer, then the person at the terminal. With nobody there, the answer is no. */
export function callReview(
  { yes = false, noInput = false, ask = false }: GivenReview,
  configured: ReviewHandler | undefined,
): ReviewHandler {
  if (yes) return autoReview()
  if (noInput) return rejecting('Nobody was asked, because of --no-input.')
  if (ask) return consoleReview()
  if (configured !== undefined) return configured
  if (process.stdin.isTTY && process.stderr.isTTY) return consoleReview()
  return rejecting('Nobody can be asked: this is no terminal. Run it in one, or approve with --yes.')
}

function rejecting(reason: string): ReviewHandler {
  return autoReview({ action: 'reject', by: 'cli', reason })
}
