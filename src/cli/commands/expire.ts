import { decisionOnTimeout } from '../../tool/engine/request-review.ts'
import type { Command } from '../command.ts'
import { decideRequest } from '../decide-request.ts'
import type { RunStoreOptions } from '../with-run-store.ts'

/** `toolwright expire <request>`: what would happen at its time-out happens now. */
export const expire: Command<RunStoreOptions> = async ({ words: [given = ''], options, output }) =>
  decideRequest({ given, options, output, done: 'Expired' }, ({ request }) => decisionOnTimeout(request))
