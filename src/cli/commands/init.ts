import { basename, resolve } from 'node:path'
import { nearestNames } from '../../schema/nearest-names.ts'
import { didYouMean } from '../../schema/did-you-mean.ts'
import { printable } from '../../tool/printable.ts'
import { shellWord } from '../../tool/shell-word.ts'
import { CliError } from '../cli-error.ts'
import type { Command, CommonOptions } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { TEMPLATE_NAMES, type TemplateName } from '../init/template-names.ts'
import { machineNode } from '../machine-node.ts'
import { nodeProblem } from '../node-problem.ts'
import { onTerminal, type Output } from '../output.ts'
import { type PackageSource, packageSource } from '../package-source.ts'
import { isAtTerminal } from '../terminal.ts'
import { writeNewFiles } from '../write-new-files.ts'

interface InitOptions extends CommonOptions {
  readonly template?: string | undefined
  readonly name?: string | undefined
  readonly yes?: boolean | undefined
}

/** Files that a new repository often has already. */
const KEPT = ['.gitignore', 'README.md']
const IN_A_PROJECT = 'To add a tool to a project that you have: npx toolwright new tool <name>'

/** `toolwright init [folder]`: writes a small project that runs. */
export const init: Command<InitOptions> = async ({ words: [given], options, output }) => {
  const flags = { template: checkedTemplate(options.template), name: checkedName(options.name, '--name') }
  const chosen = await choose(given, { ...options, ...flags }, output)
  if (chosen === undefined) {
    output.note('Nothing was written.')
    return EXIT.interrupted
  }
  const { folder, template, name } = chosen
  const { projectFiles } = await import('../init/templates.ts')
  const source = packageSource(folder)
  const version = machineNode()
  const bringsNode = version === undefined || nodeProblem(version) !== undefined
  const files = projectFiles(template, { name, folder, toolwright: source.specifier, bringsNode })
  const { written, kept } = writeNewFiles({ folder, files, kept: KEPT, hint: IN_A_PROJECT })
  const next = nextSteps(folder, source)
  if (output.json) {
    output.printJson({ folder, template, name, written, kept, next })
    return EXIT.ok
  }
  output.print(written.map((path) => `wrote ${path}`).join('\n'))
  for (const path of kept)
    output.note(`${path} exists and is left as it is.${path === '.gitignore' ? ' It should name node_modules.' : ''}`)
  if (bringsNode)
    output.note(
      `${version === undefined ? 'There is no Node on the path' : `The Node of this machine is ${version}`}, so the project brings Node 24 as a development dependency. Its npm scripts and npx use it.`,
    )
  output.note(
    onTerminal(`\nA project with the template ${template} is in ${folder}. Next:\n\n${next.map((line) => `  ${line}`).join('\n')}`),
  )
  return EXIT.ok
}

interface Chosen {
  readonly folder: string
  readonly template: TemplateName
  readonly name: string
}

interface Choosing extends InitOptions {
  readonly template: TemplateName | undefined
}

/** From the flags; what they leave open is asked for on a terminal. Undefined if the person gives up. */
async function choose(given: string | undefined, { template, name, yes = false }: Choosing, output: Output): Promise<Chosen | undefined> {
  if (!yes && template === undefined && (output.json || !isAtTerminal()))
    throw new CliError('usage', 'This is no terminal, so nobody can be asked for a template.', {
      hint: `Name one with --template ${TEMPLATE_NAMES.join('|')}, or take '${TEMPLATE_NAMES[0]}' with --yes.`,
    })
  if (yes || template !== undefined) {
    const folder = checkedFolder(given ?? '.')
    return { folder, template: template ?? TEMPLATE_NAMES[0], name: name ?? nameOf(folder) }
  }
  const { askForProject } = await import('../init/ask-for-project.ts')
  const asked = await askForProject({ folder: given, checkFolder: (text) => problemOf(() => nameOf(checkedFolder(text))) })
  if (asked === undefined) return undefined
  const folder = checkedFolder(asked.folder)
  return { folder, template: asked.template, name: name ?? nameOf(folder) }
}

function problemOf(check: () => unknown): string | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function checkedTemplate(given: string | undefined): TemplateName | undefined {
  if (given === undefined) return undefined
  const found = TEMPLATE_NAMES.find((each) => each === given)
  if (found !== undefined) return found
  throw new CliError('usage', `There is no template '${given}'.`, {
    hint: didYouMean(nearestNames(given, TEMPLATE_NAMES), `The templates are: ${TEMPLATE_NAMES.join(', ')}.`),
  })
}

function checkedFolder(given: string): string {
  if (given !== '' && printable(given) === given) return resolve(given)
  throw new CliError('usage', given === '' ? 'The folder has no name.' : 'The name of the folder has characters that cannot be printed.')
}

const LONGEST_NAME = 214
const RESERVED = ['node_modules', 'favicon.ico', 'toolwright']

/**
 * A name that npm accepts, that no program takes for one of its options, and that is not this package's own: such a project could not install
 * it.
 */
function checkedName(given: string | undefined, from: string): string | undefined {
  if (given === undefined) return undefined
  const isRight = /^(@[a-z0-9][a-z0-9._~-]*\/)?[a-z0-9][a-z0-9._~-]*$/.test(given) && given.length <= LONGEST_NAME
  if (isRight && !RESERVED.includes(given)) return given
  throw new CliError(
    'usage',
    isRight ? `The name '${given}' is taken (${from}).` : `${from} gives the name ${JSON.stringify(given)}, which npm does not accept.`,
    { hint: "Use small letters, digits and '-', as in: --name order-tools" },
  )
}

/** The name of the folder, as npm accepts it. */
function nameOf(folder: string): string {
  const plain = basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z0-9._~-]+/g, '-')
    .replaceAll(/^[^a-z0-9]+|[^a-z0-9]+$/g, '')
  return checkedName(plain === '' || RESERVED.includes(plain) ? `${plain}-tools`.replace(/^-/, '') : plain, 'The folder') ?? ''
}

function nextSteps(folder: string, { toMake }: PackageSource): readonly string[] {
  const isHere = folder === process.cwd()
  return [
    ...(toMake === undefined ? [] : [`(cd ${shellWord(toMake.folder)} && ${toMake.command})`]),
    ...(isHere ? [] : [`cd ${shellWord(folder)}`]),
    'npm install',
    'npm start',
    'npm test',
  ]
}
