import type { Command } from '../command.ts'
import { decider, decideRequest } from '../decide-request.ts'
import type { RunStoreOptions } from '../with-run-store.ts'

interface RejectOptions extends RunStoreOptions {
  readonly by?: string | undefined
  readonly stop?: boolean | undefined
}

/** `toolwright reject <request> [reason]`: the call fails, and the caller can adapt; with --stop the whole run ends. */
export const reject: Command<RejectOptions> = async ({ words: [given = '', ...words], options, output }) => {
  const by = decider(options.by)
  const reason = words.join(' ')
  const isStop = options.stop === true
  return decideRequest({ given, options, output, done: isStop ? 'Stopped the run at' : 'Rejected', by }, () => ({
    action: isStop ? 'stop' : 'reject',
    ...(reason === '' ? {} : { reason }),
  }))
}
