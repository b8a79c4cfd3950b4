import { explain as explainTool } from '../../plan/explain.ts'
import { CliError } from '../cli-error.ts'
import type { Command, CommonOptions } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { openWorkspace, pickTool } from '../workspace.ts'

interface ExplainOptions extends CommonOptions {
  readonly mermaid?: boolean | undefined
}

/** `toolwright explain <tool>`: its plan as a tree, as a Mermaid diagram, or as data. */
export const explain: Command<ExplainOptions> = async ({ words: [name = ''], options, output }) => {
  if (options.mermaid === true && output.json) throw new CliError('usage', '--mermaid and --json exclude each other.')
  const plan = explainTool(pickTool(await openWorkspace(options, output), name))
  if (output.json) output.printJson(plan)
  else if (options.mermaid === true) output.printData(plan.mermaid)
  else output.print(plan.text)
  return EXIT.ok
}
