import type { OpenedRuns } from '../../run/open-runs.ts'
import type { RunHandle } from '../../run/run-handle.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { type Duration, toMilliseconds } from '../../tool/duration.ts'
import { isConfigurationError } from '../../tool/errors/configuration-error.ts'
import { callInput } from '../call-input.ts'
import { callPrincipal, type GivenPrincipal } from '../call-principal.ts'
import { CliError } from '../cli-error.ts'
import type { Command, CommonOptions } from '../command-request.ts'
import type { DatabaseFlags } from '../database-flags.ts'
import { EXIT } from '../exit-code.ts'
import { followRun } from '../follow-run.ts'
import { Interruption } from '../interruption.ts'
import { shortId } from '../match-id.ts'
import { openDatabase } from '../open-database.ts'
import { openRunner } from '../open-runner.ts'
import { printResult } from '../print-result.ts'
import { runInput } from '../run-input.ts'
import { openWorkspace, pickTool } from '../workspace.ts'

interface RunCommandOptions extends CommonOptions, DatabaseFlags, GivenPrincipal {
  readonly input?: string | undefined
  readonly key?: string | undefined
  readonly deadline?: Duration | undefined
  readonly detach?: boolean | undefined
  readonly progress?: boolean | undefined
}

const LEAVING = 'Leaving the run; once more to end at once.'

/** Events that were on their way when the result came are still told. */
const LAST_EVENTS_MS = 1000

/** `toolwright run <tool>`: starts a durable run, follows it and prints what it comes to; with --detach, only starts it. */
export const run: Command<RunCommandOptions> = async ({ words: [name = '', ...words], options, output }) => {
  const { key, detach = false, progress = false } = options
  const deadline = options.deadline === undefined ? undefined : toMilliseconds(options.deadline, '--deadline')
  const workspace = await openWorkspace(options)
  const tool = pickTool(workspace, name)
  const input = await runInput(tool, await callInput(tool, { input: options.input, words }))
  const principal = callPrincipal(options, undefined)
  const { database, close } = await openDatabase(options, workspace.config.database)
  const runs = await openRunner(workspace, { database, output, worker: false })
  const handle = await runs.start(tool, input, { key, deadline, ...(principal === undefined ? {} : { principal }) })
  if (detach) {
    if (output.json) output.printJson(await handle.status())
    else output.print(handle.id)
    await runs.close()
    await close()
    return EXIT.ok
  }
  const interruption = new Interruption(output, LEAVING)
  output.note(`Run ${handle.id}`)
  const { worker } = workspace.config
  // Somebody has to do it: where no worker is there, this process is one for as long as it follows.
  const own =
    worker === false || (await hasWorker(runs, tool)) ? undefined : await openRunner(workspace, { database, output, worker: worker ?? {} })
  const followed = new AbortController()
  const following = followRun(handle, { output, asLines: progress, signal: AbortSignal.any([interruption.signal, followed.signal]) })
  try {
    const result = await handle.result({ signal: interruption.signal })
    await Promise.race([following, new Promise((resolve) => setTimeout(resolve, LAST_EVENTS_MS).unref())])
    printResult(tool, result, { output, run: handle.id })
    return result.ok ? EXIT.ok : EXIT.failed
  } catch (error) {
    if (interruption.code === undefined) throw blocked(error, handle)
    if (output.json) output.printJson(await handle.status())
    output.note(`The run goes on without you: toolwright show ${shortId(handle.id)}`)
    if (own !== undefined) output.note('No worker was there but this command. Start one with: toolwright worker')
    return interruption.code
  } finally {
    followed.abort()
    await following.catch(() => {})
    await own?.close()
    await runs.close()
    await close()
  }
}

/** Whether a worker that has been heard of lately has the tool. */
async function hasWorker({ store }: OpenedRuns, { name }: AgentTool): Promise<boolean> {
  const { rowCount } = await store.pool.query(
    "SELECT 1 FROM toolwright.worker WHERE $1 = ANY(tools) AND seen_at > now() - interval '45 seconds' LIMIT 1",
    [name],
  )
  return rowCount !== 0
}

/** A blocked run is no mistake on the command line: it waits until what blocks it is mended. */
function blocked(error: unknown, { id }: RunHandle): unknown {
  if (!isConfigurationError(error)) return error
  return new CliError(error.code, `The run ${id} is blocked. ${error.message}`, {
    cause: error,
    hint: `Nothing is lost. When that is mended: toolwright resume ${shortId(id)}`,
    exit: EXIT.failed,
  })
}
