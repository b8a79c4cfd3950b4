import type { RehearsedRun } from '../run/segment/rehearse-runs.ts'
import { printable } from '../tool/printable.ts'
import type { DatabaseFlags } from './database-flags.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { openDatabase } from './open-database.ts'
import { openRunner } from './open-runner.ts'
import type { Output } from './output.ts'
import type { Workspace } from './workspace.ts'

/** Rehearses every open run under the tools of the workspace: before a deploy, this tells which runs would be refused. Nothing runs. */
export async function checkOpenRuns(workspace: Workspace, flags: DatabaseFlags, output: Output): Promise<ExitCode> {
  const { database, close } = await openDatabase(flags, workspace.config.database)
  try {
    const runs = await openRunner(workspace, { database, output, worker: false })
    try {
      const rehearsed = await runs.rehearse()
      const isSound = rehearsed.every(({ problem }) => problem === undefined)
      if (output.json) output.printJson({ sound: isSound, runs: rehearsed })
      else output.print(rehearsedText(rehearsed, output))
      return isSound ? EXIT.ok : EXIT.failed
    } finally {
      await runs.close()
    }
  } finally {
    await close()
  }
}

function rehearsedText(rehearsed: readonly RehearsedRun[], output: Output): string {
  const told = rehearsed.flatMap(({ run, tool, status, problem, doubt }) => {
    const place = `${output.paint('bold', printable(run))}  ${printable(tool)} (${status})`
    if (problem !== undefined)
      return [`${output.paint('red', 'refused')}  ${place}  ${output.paint('dim', problem.code)}\n         ${printable(problem.message)}`]
    return doubt === undefined ? [] : [`${output.paint('yellow', 'unsure')}   ${place}\n         ${printable(doubt)}`]
  })
  const refused = rehearsed.filter(({ problem }) => problem !== undefined).length
  const total = `${rehearsed.length} open ${rehearsed.length === 1 ? 'run' : 'runs'} rehearsed: ${refused} could not go on under these tools.`
  return [...told, total].join('\n\n')
}
