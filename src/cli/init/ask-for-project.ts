import { endOfInput } from '../end-of-input.ts'
import { ensureSize } from '../terminal.ts'
import { TEMPLATES } from './templates.ts'
import { TEMPLATE_NAMES, type TemplateName } from './template-names.ts'

export interface ProjectQuestions {
  /** Asked for where it is not given. */
  readonly folder: string | undefined
  /** Why a folder cannot be used, or undefined. */
  readonly checkFolder: (folder: string) => string | undefined
}

interface ProjectAnswers {
  readonly folder: string
  readonly template: TemplateName
}

const USUAL_FOLDER = './my-tools'

/** Asks on the terminal for the folder and the template. Undefined if the person gives up with Ctrl-C, Ctrl-D or Escape. */
export async function askForProject({ folder: given, checkFolder }: ProjectQuestions): Promise<ProjectAnswers | undefined> {
  const { isCancel, select, text } = await import('@clack/prompts')
  const { stdin: input, stderr: output } = process
  ensureSize(output)
  const signal = endOfInput(input)
  const folder =
    given ??
    (await text({
      message: 'Where should the project be?',
      placeholder: USUAL_FOLDER,
      defaultValue: USUAL_FOLDER,
      validate: (typed) => checkFolder(typed === undefined || typed === '' ? USUAL_FOLDER : typed),
      input,
      output,
      signal,
    }))
  if (isCancel(folder)) return undefined
  const template = await select<TemplateName>({
    message: 'What should it be?',
    options: TEMPLATE_NAMES.map((name) => ({ value: name, label: name, hint: TEMPLATES[name].summary })),
    input,
    output,
    signal,
  })
  return isCancel(template) ? undefined : { folder, template }
}
