import { decisionOnTimeout } from '../../tool/engine/request-review.ts'
import type { Command } from '../command.ts'
import { decideRequest } from '../decide-request.ts'
import type { RunStoreOptions } from '../with-run-store.ts'

/** `toolwright expire <request>`: ends the request now as its time-out would end it. */
export const expire: Command<RunStoreOptions> = async ({ words: [given = ''], options, output }) =>
  decideRequest({ given, options, output, done: 'Expired' }, ({ request }) => decisionOnTimeout(request))
