import type { ElicitRequestFormParams, ServerContext } from '@modelcontextprotocol/server'
import type { Logger } from '../../tool/ports/logger.ts'
import type { ReviewRequest } from '../../tool/review.ts'
import { elicitation } from './elicitation.ts'
import { askedOutside } from './told-outside.ts'

/** The client that is told something, and the log that gets what it is not told. */
export interface Telling {
  readonly context: ServerContext
  readonly log: Logger | undefined
}

/** The form of a request for the user of this client. `problem` says why the last form did not count. */
export function formFor(request: ReviewRequest, { context, log }: Telling, problem?: string): ElicitRequestFormParams {
  return elicitation(context.http === undefined ? request : askedOutside(request, log), problem)
}
