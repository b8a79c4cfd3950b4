import type { OutcomeWord } from '../../tool/outcome-question.ts'
import { printable } from '../../tool/printable.ts'
import { CliError } from '../cli-error.ts'
import type { Command } from '../command.ts'
import { asShown, atCommandLine, byWhom, decider, nextOf } from '../decide-request.ts'
import { EXIT } from '../exit-code.ts'
import { jsonFlag } from '../json-flag.ts'
import { matchId } from '../match-id.ts'
import { type RunStoreOptions, withRunStore } from '../with-run-store.ts'

interface SettleOptions extends RunStoreOptions {
  readonly by?: string | undefined
  /** True where the flag has no value. */
  readonly happened?: string | true | undefined
  readonly notHappened?: boolean | undefined
}

/** `toolwright settle <run> <step>`: says whether a step took effect, and lets its run go on. */
export const settle: Command<SettleOptions> = async ({ words: [given = '', path = ''], options, output }) => {
  const word = await wordOf(options)
  return withRunStore(options, output, async (runs) => {
    const run = await matchId(runs, 'run', given)
    const { settleStep } = await import('../../run/settle-step.ts')
    const decided = await settleStep(runs.context, run, { path, word, by: decider(options.by), heard: atCommandLine() })
    const isSettled = decided.status === 'decided'
    const done = isSettled ? `Settled '${path}' of ${run}` : `Recorded for '${path}' of ${run}`
    const next = !isSettled ? nextOf(decided) : `${word.happened ? 'The run continues' : 'The step runs again'} with the next free worker.`
    if (output.json) output.printJson(await asShown(runs, decided))
    else output.note(printable(`${done}${byWhom(decided)}: it ${word.happened ? 'happened' : 'did not happen'}. ${next}`))
    return EXIT.ok
  })
}

async function wordOf({ happened, notHappened = false }: SettleOptions): Promise<OutcomeWord> {
  if ((happened !== undefined) === notHappened)
    throw new CliError('usage', "Say one of --happened '<json>', with the result of the step, and --not-happened.")
  if (happened === undefined) return { happened: false }
  return happened === true ? { happened: true } : { happened: true, value: await jsonFlag('--happened', happened) }
}
