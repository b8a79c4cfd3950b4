import { CliError } from '../cli-error.ts'
import type { Command } from '../command.ts'
import { COMPLETION_SCRIPTS, SHELLS } from '../completion/completion-scripts.ts'
import { EXIT } from '../exit-code.ts'

/** `toolwright completion <shell>`: prints the script that completes its words there. */
export const completion: Command = async ({ words: [given = ''], output }) => {
  const shell = SHELLS.find((each) => each === given)
  if (shell === undefined)
    throw new CliError('usage', `There is no completion for '${given}'.`, { hint: `The shells are: ${SHELLS.join(', ')}.` })
  const script = COMPLETION_SCRIPTS[shell]
  if (output.json) output.printJson({ shell, script })
  else output.printData(script.trimEnd())
  return EXIT.ok
}
