import { decisionOnTimeout } from '../../tool/engine/request-review.ts'
import type { Command } from '../command.ts'
import { decider, decideRequest } from '../decide-request.ts'
import type { RunStoreOptions } from '../with-run-store.ts'

interface ExpireOptions extends RunStoreOptions {
  readonly by?: string | undefined
}

/** `toolwright expire <request>`: ends the request now as its time-out would end it. */
export const expire: Command<ExpireOptions> = async ({ words: [given = ''], options, output }) =>
  decideRequest({ given, options, output, done: 'Expired', by: decider(options.by) }, ({ request }) => decisionOnTimeout(request))
