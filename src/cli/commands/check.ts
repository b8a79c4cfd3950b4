import { check as checkTool } from '../../plan/check.ts'
import { isSound } from '../../plan/finding.ts'
import type { Duration } from '../../tool/duration.ts'
import { type GivenPrincipal, callPrincipal } from '../call-principal.ts'
import type { Command, CommonOptions } from '../command-request.ts'
import type { DatabaseFlags } from '../database-flags.ts'
import { CliError } from '../cli-error.ts'
import { EXIT } from '../exit-code.ts'
import { type CheckedTool, findingsText } from '../findings-text.ts'
import { openWorkspace, pickTool } from '../workspace.ts'

interface CheckOptions extends CommonOptions, GivenPrincipal, DatabaseFlags {
  readonly openRuns?: boolean | undefined
  readonly deadline?: Duration | undefined
}

/** `toolwright check [tool]`: what is wrong with a tool, or with any of them; with `--open-runs`, which open runs could not go on under them. */
export const check: Command<CheckOptions> = async ({ words: [name], options, output }) => {
  const workspace = await openWorkspace(options)
  if (options.openRuns === true) {
    if (name !== undefined) throw new CliError('usage', '--open-runs checks all open runs; leave the name of the tool out.')
    const { checkOpenRuns } = await import('../check-open-runs.ts')
    return checkOpenRuns(workspace, options, output)
  }
  const { config, tools } = workspace
  const principal = callPrincipal(options, config.principal)
  const deadline = options.deadline ?? (config.deadline instanceof Date ? undefined : config.deadline)
  const chosen = name === undefined ? tools.tools : [pickTool(workspace, name)]
  const checked: readonly CheckedTool[] = chosen.map((tool) => {
    const findings = checkTool(tool, { principal, deadline })
    return { tool: tool.name, sound: isSound(findings), findings }
  })
  const sound = checked.every((each) => each.sound)
  if (output.json) output.printJson({ sound, tools: checked })
  else output.print(findingsText(checked, output))
  return sound ? EXIT.ok : EXIT.failed
}
