import { Command as Program, CommanderError, Option } from 'commander'
import { addCommand as command, collect, DATABASE_URL, DEADLINE, HOME, INPUT, PERMISSION, PRINCIPAL } from './add-command.ts'
import { describeRunCommands } from './describe-run-commands.ts'
import { packageVersion } from './package-version.ts'

/** Describes all commands. Their code is loaded when one of them runs, so that help costs next to nothing. */
export function describeProgram(): Program {
  const program = new Program('toolwright')
    .description('Lists, checks, explains, calls, runs and serves typed tools for agents.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .option('-c, --config <file>', 'the configuration (default: the nearest toolwright.config.ts, .mts, .js or .mjs)')
    .option('-t, --tools <module>', 'take the tools that this module exports (repeatable)', collect)
    .option('--json', 'print the result as JSON')
    .option('--debug', 'print the stack of what went wrong (also TOOLWRIGHT_DEBUG=1)')
    .configureHelp({ showGlobalOptions: true, subcommandTerm: termOf })
    .showHelpAfterError('Try --help.')
    .exitOverride()

  program.helpCommand('help [command]', 'print help for a command')

  command(program, 'list', async () => (await import('./commands/list.ts')).list).description('list the tools')
  command(program, 'describe <tool>', async () => (await import('./commands/describe.ts')).describe).description(
    'show what a model is told about a tool, and what it is made of',
  )
  command(program, 'call <tool> [input...]', async () => (await import('./commands/call.ts')).call)
    .description('call a tool with JSON, with key=value pairs, or with a text')
    .option(...INPUT)
    .option(...DEADLINE)
    .option('-y, --yes', 'approve whatever asks for approval')
    .addOption(noInput)
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
    .option('--open-runs', 'tell which open runs could not go on under these tools; nothing runs')
    .option(...DATABASE_URL)
    .option(...HOME)
  command(program, 'explain <tool>', async () => (await import('./commands/explain.ts')).explain)
    .description('show what a tool is made of, and what it will take')
    .option('--mermaid', 'draw it as a Mermaid diagram')
  command(program, 'serve', async () => (await import('./commands/serve.ts')).serve, { speaksProtocol: true })
    .description('serve the tools to an MCP client over standard input and output')
    .option('--tool <name>', 'serve this tool only (repeatable)', collect)
  describeRunCommands(program)
  command(program, 'doctor', async () => (await import('./commands/doctor.ts')).doctor)
    .description('say what is there on this machine, and what is missing')
    .option(...DATABASE_URL)
    .option(...HOME)
  return program
}

/** What commander throws for a command line that it does not understand, and for help and version, which are no errors. */
export function isCommanderError(error: unknown): error is CommanderError {
  return error instanceof CommanderError
}

/** Every command has options, though they are made only when it is asked for. */
function termOf(described: Program): string {
  const words = described.registeredArguments.map((each) => {
    const name = `${each.name()}${each.variadic ? '...' : ''}`
    return each.required ? `<${name}>` : `[${name}]`
  })
  return [described.name(), ...(described.name() === 'help' ? [] : ['[options]']), ...words].join(' ')
}

/** Not the opposite of `--input`, though it is spelled like one. */
function noInput(): Option {
  const option = new Option('--no-input', 'never ask: what asks for approval is rejected')
  option.negate = false
  return option
}
