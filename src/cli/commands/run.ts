import type { RunHandle } from '../../run/run-handle.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { behaviourOf } from '../../tool/behaviour.ts'
import { type Duration, toMilliseconds } from '../../tool/duration.ts'
import { isConfigurationError } from '../../tool/errors/configuration-error.ts'
import { ModelArguments } from '../../tool/input/arguments.ts'
import { printable } from '../../tool/printable.ts'
import { callInput } from '../call-input.ts'
import { callPrincipal, type GivenPrincipal } from '../call-principal.ts'
import { CliError } from '../cli-error.ts'
import type { Command, CommonOptions } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { followRun } from '../follow-run.ts'
import { followUp, type Whereabouts } from '../follow-up.ts'
import { Interruption } from '../interruption.ts'
import { shortId } from '../match-id.ts'
import { type DatabaseFlags, openDatabase } from '../open-database.ts'
import { openRunner } from '../open-runner.ts'
import { printResult } from '../print-result.ts'
import { StandInWorker } from '../stand-in-worker.ts'
import { openWorkspace, pickTool } from '../workspace.ts'

interface RunCommandOptions extends CommonOptions, DatabaseFlags, GivenPrincipal {
  readonly input?: string | undefined
  readonly key?: string | undefined
  readonly deadline?: Duration | undefined
  readonly detach?: boolean | undefined
  readonly progress?: boolean | undefined
}

const LEAVING = 'Leaving the run; once more to end at once.'

/** How long events may arrive after the result. */
const LAST_EVENTS_MS = 1000

/** `toolwright run <tool>`: starts a durable run, follows it and prints its result; with --detach, only starts it. */
export const run: Command<RunCommandOptions> = async ({ words: [name = '', ...words], options, output }) => {
  const { key, detach = false, progress = false } = options
  const deadline = options.deadline === undefined ? undefined : toMilliseconds(options.deadline, '--deadline')
  const workspace = await openWorkspace(options, output)
  const tool = pickTool(workspace, name)
  const input = await runInput(tool, await callInput(tool, { input: options.input, words }))
  const principal = callPrincipal(options, workspace.config.principal)
  const { database, app, close } = await openDatabase(options, workspace)
  const runs = await openRunner(workspace, { database, app, output, worker: false })
  const handle = await runs.start(tool, input, { key, deadline, ...(principal === undefined ? {} : { principal }) })
  if (detach) {
    if (output.json) output.printJson(await handle.status())
    else output.print(handle.id)
    await runs.close()
    await close()
    return EXIT.ok
  }
  const interruption = new Interruption(output, LEAVING)
  const { status, endedAt } = await handle.status()
  const isOver = endedAt !== undefined
  output.note(printable(isOver ? `Run ${handle.id} has ended before: ${status}` : `Run ${handle.id}`))
  const { worker } = workspace.config
  const open = worker === false ? undefined : () => openRunner(workspace, { database, app, output, worker: worker ?? {} })
  const standIn = new StandInWorker(runs, { run: handle.id, output, open })
  if (!isOver) await standIn.start()
  const followed = new AbortController()
  const signal = AbortSignal.any([interruption.signal, followed.signal])
  // Of a run that has ended, only its past is left to tell.
  const following =
    isOver && !progress ? undefined : followRun(handle, { output, inbox: runs.inbox, where: options, asLines: progress, signal })
  try {
    const result = await handle.result({ signal: interruption.signal })
    await Promise.race([following, new Promise((resolve) => setTimeout(resolve, LAST_EVENTS_MS).unref())])
    printResult(tool, result, { output, run: handle.id })
    return result.ok ? EXIT.ok : EXIT.failed
  } catch (error) {
    if (interruption.code === undefined) throw blocked(error, handle, options)
    if (output.json) output.printJson(await handle.status())
    const show = followUp(`show ${shortId(handle.id)}`, options)
    if (await standIn.hasOthers().catch(() => true)) output.note(`The run continues in the background: ${show}`)
    else {
      output.note(`The run is kept: ${show}`)
      output.note(`It goes on when a worker runs, and no other one is running. Start one with: ${followUp('worker', options)}`)
    }
    return interruption.code
  } finally {
    followed.abort()
    await following?.catch(() => {})
    await standIn.close()
    await runs.close()
    await close()
  }
}

/** A blocked run is no error of the command line: it waits until the cause is fixed. */
function blocked(error: unknown, { id }: RunHandle, where: Whereabouts): unknown {
  if (!isConfigurationError(error)) return error
  return new CliError(error.code, `The run ${id} is blocked. ${error.message}`, {
    cause: error,
    hint: `Nothing is lost. When the cause is fixed: ${followUp(`resume ${shortId(id)}`, where)}`,
    exit: EXIT.failed,
  })
}

/** The input that a text of arguments stands for. An input that does not fit is an error now, and no run is started. */
async function runInput(tool: AgentTool, argumentsText: string): Promise<never> {
  const { input } = behaviourOf(tool)
  const given = input.unwrap(ModelArguments.ofText(argumentsText), tool.name)
  await input.accept(given, tool.name)
  return given as never
}
