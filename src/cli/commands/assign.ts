import { printable } from '../../tool/printable.ts'
import type { Command } from '../command.ts'
import { atCommandLine, decider } from '../decide-request.ts'
import { EXIT } from '../exit-code.ts'
import { matchId } from '../match-id.ts'
import { type RunStoreOptions, withRunStore } from '../with-run-store.ts'

interface AssignOptions extends RunStoreOptions {
  readonly by?: string | undefined
}

/** `toolwright assign <request> <who>`: says who should decide. */
export const assign: Command<AssignOptions> = async ({ words: [given = '', who = ''], options, output }) =>
  withRunStore(options, output, async (runs) => {
    const { context, inbox } = runs
    const id = await matchId(runs, 'request', given)
    const { assignRequest } = await import('../../run/approvals/assign-request.ts')
    await assignRequest(context, id, { assignee: who === '' ? undefined : who, by: decider(options.by), ...atCommandLine() })
    if (output.json) output.printJson(await inbox.get(id))
    else output.note(printable(who === '' ? `Request ${id} is nobody's any more.` : `Request ${id} is for ${who}.`))
    return EXIT.ok
  })
