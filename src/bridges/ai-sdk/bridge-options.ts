import type { Runtime } from '../../runtime/create-runtime.ts'
import type { CallOptions } from '../../tool/context.ts'
import type { AiSdkReviews } from './reviews.ts'

/** What all calls through the bridge share. */
export interface ToAiSdkOptions<P extends boolean = boolean> extends Omit<
  CallOptions,
  'signal' | 'journal' | 'idempotencyKey' | 'traceId'
> {
  /** Calls go through it, with what it holds. */
  readonly runtime?: Runtime | undefined
  /** Where calls wait for approval. Share one over all requests of a process; without it the bridge has its own. */
  readonly reviews?: AiSdkReviews | undefined
  /** Reports of progress become preliminary results, `{ progress }`. Off by default, since the output type then names them. */
  readonly progress?: P | undefined
}
