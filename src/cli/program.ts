import { Command as Program, CommanderError, Option } from 'commander'
import type { Command, CommonOptions } from './command-request.ts'
import { packageVersion } from './package-version.ts'

type Load = () => Promise<Command<never>>

const PRINCIPAL = ['--principal <id>', 'call on behalf of this principal'] as const
const PERMISSION = ['--permission <permission>', 'a permission that the principal holds (repeatable)', collect] as const
const DEADLINE = ['--deadline <duration>', 'the time for the whole, such as 5s or 2m'] as const

/** Describes all commands. Their code is loaded when one of them runs, so that help costs next to nothing. */
export function describeProgram(): Program {
  const program = new Program('toolwright')
    .description('Lists, checks, explains, calls and serves typed tools for agents.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .option('-c, --config <file>', 'the configuration (default: the nearest toolwright.config.ts, .mts, .js or .mjs)')
    .option('-t, --tools <module>', 'take the tools that this module exports (repeatable)', collect)
    .option('--json', 'print the result as JSON')
    .option('--debug', 'print the stack of what went wrong (also TOOLWRIGHT_DEBUG=1)')
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('Try --help.')
    .exitOverride()

  program.helpCommand('help [command]', 'print help for a command')

  command(program, 'list', async () => (await import('./commands/list.ts')).list).description('list the tools')
  command(program, 'describe <tool>', async () => (await import('./commands/describe.ts')).describe).description(
    'show what a model is told about a tool, and what it is made of',
  )
  command(program, 'call <tool> [input...]', async () => (await import('./commands/call.ts')).call)
    .description('call a tool with JSON, with key=value pairs, or with a text')
    .option('-i, --input <json>', 'the input as JSON, - for standard input, @file for a file')
    .option(...DEADLINE)
    .option('-y, --yes', 'approve whatever asks for approval')
    .addOption(noInput())
    .option('--ask', 'ask on standard input, even if it is no terminal')
    .option(...PRINCIPAL)
    .option(...PERMISSION)
    .option('--progress', 'print progress as lines, even if this is no terminal')
    .option('--trace', 'print a timeline of all calls at the end')
  command(program, 'check [tool]', async () => (await import('./commands/check.ts')).check)
    .description('find what is wrong with a tool, or with all, before anything runs')
    .option(...DEADLINE)
    .option(...PRINCIPAL)
    .option(...PERMISSION)
  command(program, 'explain <tool>', async () => (await import('./commands/explain.ts')).explain)
    .description('show what a tool is made of, and what it will take')
    .option('--mermaid', 'draw it as a Mermaid diagram')
  command(program, 'serve', async () => (await import('./commands/serve.ts')).serve, { speaksProtocol: true })
    .description('serve the tools to an MCP client over standard input and output')
    .option('--tool <name>', 'serve this tool only (repeatable)', collect)
  command(program, 'doctor', async () => (await import('./commands/doctor.ts')).doctor).description(
    'say what is there on this machine, and what is missing',
  )
  return program
}

/** What commander throws for a command line that it does not understand, and for help and version, which are no errors. */
export function isCommanderError(error: unknown): error is CommanderError {
  return error instanceof CommanderError
}

function command(program: Program, usage: string, load: Load, { speaksProtocol = false } = {}): Program {
  return program.command(usage).action(async (...given: unknown[]) => {
    const self = given.at(-1) as Program
    const { runCommand } = await import('./run-command.ts')
    await runCommand({ load, words: self.args, options: self.optsWithGlobals<CommonOptions>(), speaksProtocol })
  })
}

/** Not the opposite of `--input`, though it is spelled like one. */
function noInput(): Option {
  const option = new Option('--no-input', 'never ask: what asks for approval is rejected')
  option.negate = false
  return option
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}
