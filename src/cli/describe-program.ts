import { Command as Program, CommanderError, Option } from 'commander'
import { inRows } from '../review/in-rows.ts'
import type { Command, CommonOptions } from './command.ts'
import { type CommandName, COMMANDS, helpText, PROGRAM_OPTIONS, SUMMARY } from './help-text.ts'
import { withOtherWord } from './other-words.ts'
import { jsonText, told } from './output.ts'
import { withoutCredentials } from './without-credentials.ts'
import { packageVersion } from './package-version.ts'

type OptionArguments = readonly [flags: string, description: string, parse?: typeof collect]

const INPUT: OptionArguments = ['-i, --input <json>', 'the input as JSON, - for standard input, @file for a file']
const PRINCIPAL: OptionArguments = ['--principal <id>', 'call on behalf of this principal']
const PERMISSION: OptionArguments = ['--permission <permission>', 'a permission that the principal holds (repeatable)', collect]
const DIALECT: OptionArguments = ['--dialect <target>', 'schemas for openai-strict, anthropic-strict, gemini or mcp']
const DEADLINE: OptionArguments = ['--deadline <duration>', 'the time for the whole call or run, such as 5s or 2m']
const BY: OptionArguments = ['--by <name>', 'who decides (default: the user of this machine)']
const STATUS: OptionArguments = ['--status <status>', 'only runs of this status (repeatable)', collect]
const DATABASE: readonly OptionArguments[] = [
  ['--database-url <url>', 'the PostgreSQL that keeps the runs (default: the configuration, then DATABASE_URL)'],
  [
    '--home <folder>',
    'the folder of the embedded PostgreSQL (default: the configuration, then TOOLWRIGHT_HOME, then one for each project)',
  ],
  ['--app <name:environment>', 'the app whose runs are meant (default: the configuration, TOOLWRIGHT_APP, package.json)'],
]

/** A command of the program: how its code is loaded, and its options. */
interface CommandParts {
  readonly load: () => Promise<Command<never>>
  readonly options?: readonly (OptionArguments | (() => Option))[]
  /** Standard output carries a protocol, so that not even an error is printed there. */
  readonly speaksProtocol?: boolean
}

const PARTS: Readonly<Record<CommandName, CommandParts>> = {
  init: {
    load: async () => (await import('./commands/init.ts')).init,
    options: [
      ['--template <name>', 'basic, ai-sdk, mcp-server or durable-worker; asked for on a terminal'],
      ['--name <name>', 'the name in package.json (default: that of the folder)'],
      ['-y, --yes', 'ask nothing: the template basic, and defaults for all that is not given'],
    ],
  },
  new: { load: async () => (await import('./commands/new.ts')).newPart },
  list: { load: async () => (await import('./commands/list.ts')).list },
  search: {
    load: async () => (await import('./commands/search.ts')).search,
    options: [
      ['--k <number>', 'tools at the most (default: 10)'],
      ['--why <tool>', 'say of this tool why it is found, or why not (repeatable)', collect],
      PRINCIPAL,
      PERMISSION,
    ],
  },
  traces: {
    load: async () => (await import('./commands/traces.ts')).traces,
    options: [
      ['--file <path>', 'a file of `save` of a catalog, in place of the database'],
      ['--principal <id>', 'the requests of this principal'],
      ['--tool <name>', 'the requests about this tool'],
      ...DATABASE,
    ],
  },
  describe: { load: async () => (await import('./commands/describe.ts')).describe },
  call: {
    load: async () => (await import('./commands/call.ts')).call,
    options: [
      INPUT,
      DEADLINE,
      ['-y, --yes', 'approve every request for approval'],
      noInput,
      ['--ask', 'ask on standard input, even if it is no terminal'],
      PRINCIPAL,
      PERMISSION,
      ['--progress', 'print progress as lines, even if this is no terminal'],
      ['--trace', 'print a timeline of all calls at the end'],
    ],
  },
  check: {
    load: async () => (await import('./commands/check.ts')).check,
    options: [
      DEADLINE,
      PRINCIPAL,
      PERMISSION,
      DIALECT,
      ['--strict', 'warnings fail the check too'],
      ['--recorded', 'also check the order in which recorded runs of a compound called its parts'],
      ['--open-runs', 'list the open runs that could not continue with these tools; nothing runs'],
      ...DATABASE,
    ],
  },
  explain: {
    load: async () => (await import('./commands/explain.ts')).explain,
    options: [['--mermaid', 'draw it as a Mermaid diagram']],
  },
  serve: {
    load: async () => (await import('./commands/serve.ts')).serve,
    speaksProtocol: true,
    options: [
      ['--tool <name>', 'serve this tool only (repeatable)', collect],
      DIALECT,
      ['--select', 'list search_tools and call_tool only: clients find and call the tools by these'],
      ['--http [address]', 'serve over HTTP instead, at a port or host:port (default: 127.0.0.1:3000)'],
      ['--host <host>', 'with --http: the address to listen at (default: 127.0.0.1)'],
      ['--port <number>', 'with --http: the port; 0 for any that is free (default: 3000)'],
      ['--path <path>', 'with --http: the path of the endpoint (default: /mcp)'],
      ['--allow-host <name>', 'with --http: a name by which clients reach it (repeatable)', collect],
      ['--allow-origin <name>', 'with --http: a host whose pages may use it from a browser (repeatable)', collect],
      ['--token-env <variable>', 'with --http: clients must send the token that this environment variable has'],
      ['--without-auth', 'with --http: let everybody call who reaches it, also from other machines'],
      ['--drain <duration>', 'with --http: how long calls may take to end after SIGTERM (default: 10s)'],
    ],
  },
  pin: {
    load: async () => (await import('./commands/pin.ts')).pin,
    options: [['--dry-run', 'show what is new or changed, and write nothing']],
  },
  run: {
    load: async () => (await import('./commands/run.ts')).run,
    options: [
      ...DATABASE,
      INPUT,
      ['--key <key>', 'names the run: the same key gives the same run'],
      ['--detach', 'print the id of the run and leave'],
      DEADLINE,
      PRINCIPAL,
      PERMISSION,
      ['--progress', 'print every step as a line'],
    ],
  },
  runs: {
    load: async () => (await import('./commands/runs.ts')).runs,
    options: [
      ...DATABASE,
      STATUS,
      ['--tool <name>', 'only runs of this tool'],
      ['--key <key>', 'only the run with this key'],
      ['--all-apps', 'the runs of all apps of the database'],
      ['--limit <number>', 'the largest number of runs to list (default: 50)'],
    ],
  },
  show: {
    load: async () => (await import('./commands/show.ts')).show,
    options: [
      ...DATABASE,
      ['--timeline', 'draw it over time'],
      ['--export <file>', 'write all of it to a file, or with - to standard output, as one JSON document'],
      ['--include-secrets', 'show true values where secrets are masked'],
    ],
  },
  cancel: { load: async () => (await import('./commands/cancel.ts')).cancel, options: DATABASE },
  resume: {
    load: async () => (await import('./commands/resume.ts')).resume,
    options: [
      ...DATABASE,
      ['--all', 'all blocked runs'],
      ['--code <code>', 'with --all: only those that are blocked for this reason, such as plan_changed'],
      ['--tool <name>', 'with --all: only those of this tool'],
    ],
  },
  settle: {
    load: async () => (await import('./commands/settle.ts')).settle,
    options: [
      ...DATABASE,
      BY,
      ['--happened [json]', 'it took effect, with this result (@file for a file)'],
      ['--not-happened', 'it did not: it runs again'],
    ],
  },
  'retry-compensation': {
    load: async () => (await import('./commands/retry-compensation.ts')).retryCompensation,
    options: [...DATABASE, BY],
  },
  approvals: {
    load: async () => (await import('./commands/approvals.ts')).approvals,
    options: [
      ...DATABASE,
      ['--run <run>', 'only requests of this run'],
      ['--tool <name>', 'only requests about this tool'],
      ['--assignee <name>', 'only requests for this person'],
      ['--list', 'print the list, also on a terminal, and ask nothing'],
      BY,
    ],
  },
  approve: {
    load: async () => (await import('./commands/approve.ts')).approve,
    options: [
      ...DATABASE,
      BY,
      ['--input <json>', 'run with this input instead, all of it (@file for a file)'],
      ['--patch <json>', 'run with these fields changed: a JSON merge patch (@file for a file)'],
      ['--answer <json>', 'the answer to a question (@file for a file)'],
      ['--note <text>', 'a note beside the decision'],
      ['--edition <number>', 'the edition of the input that you have seen, where somebody has edited it'],
    ],
  },
  reject: {
    load: async () => (await import('./commands/reject.ts')).reject,
    options: [...DATABASE, BY, ['--stop', 'end the whole run']],
  },
  assign: { load: async () => (await import('./commands/assign.ts')).assign, options: [...DATABASE, BY] },
  expire: { load: async () => (await import('./commands/expire.ts')).expire, options: [...DATABASE, BY] },
  prune: {
    load: async () => (await import('./commands/prune.ts')).prune,
    options: [
      ...DATABASE,
      ['--older-than <duration>', 'runs that ended longer ago, such as 30d'],
      ['--keep <number>', 'keep this many of the runs that ended last'],
      STATUS,
    ],
  },
  seal: { load: async () => (await import('./commands/seal.ts')).seal, options: DATABASE },
  worker: {
    load: async () => (await import('./commands/worker.ts')).worker,
    options: [
      ...DATABASE,
      ['--concurrency <number>', 'runs at the same time (default: 20)'],
      ['--limit <tool=number>', 'runs of one tool at the same time, over all workers (repeatable)', collect],
      ['--drain <duration>', 'how long running steps may take to end after SIGTERM (default: 30s)'],
    ],
  },
  doctor: { load: async () => (await import('./commands/doctor.ts')).doctor, options: DATABASE },
  completion: { load: async () => (await import('./commands/completion.ts')).completion },
}

/** The flags and descriptions of the options of a command. */
export function optionsOfCommand(name: CommandName): readonly (readonly [flags: string, description: string])[] {
  return (PARTS[name].options ?? []).map((option) => {
    if (typeof option !== 'function') return [option[0], option[1]] as const
    const { flags, description } = option()
    return [flags, description] as const
  })
}

/** Parses the command line and runs the command. Printed help and version are the only ends of a parse that are no error. */
export async function runProgram(): Promise<void> {
  try {
    await describeProgram().parseAsync()
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    const isFine = error.exitCode === 0
    if (!isFine && process.argv.includes('--json')) {
      const message =
        error.code === 'commander.help' ? 'No command is given.' : withOtherWord(withoutCredentials(error.message.replace(/^error: /, '')))
      process.stdout.write(`${jsonText({ ok: false, error: { code: 'usage', message } }, 2)}\n`)
    }
    process.exitCode = isFine ? 0 : 2
  }
}

/** The parser repeats what was typed. The suggestion behind it is ours. */
function writtenError(text: string): string {
  const [, message = text, suggestion = ''] = /^(.*?)(\n\(Did you mean [\w, -]*\?\))?\n$/s.exec(text) ?? []
  const { isTTY, columns } = process.stderr
  const known = withOtherWord(message).slice(message.length)
  const written = `${told(withoutCredentials(message))}${known === '' ? suggestion : known}`
  return `${isTTY ? inRows(written, columns) : written}\n`
}

/** Describes all commands to the parser. The code of a command is loaded when it runs. */
export function describeProgram(): Program {
  const { version, config, tools, json, debug, help } = PROGRAM_OPTIONS
  const program = new Program('toolwright')
    .description(SUMMARY)
    .version(packageVersion(), ...version)
    .helpOption(...help)
    .option(...config)
    .option(...tools, collect)
    .option(...json)
    .option(...debug)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ outputError: (text, write) => write(writtenError(text)) })
    .showHelpAfterError('Try --help.')
    .exitOverride()
  program.helpCommand('help [command]', 'print help for a command')
  program.helpInformation = () => helpText(process.stdout.columns)
  for (const name of Object.keys(COMMANDS) as CommandName[]) addCommand(program, name)
  return program
}

/** Adds a command. Its options are made when it is the command that runs. */
function addCommand(program: Program, name: CommandName): void {
  const { load, options = [], speaksProtocol = false } = PARTS[name]
  const [words, description] = COMMANDS[name]
  const command = program
    .command(`${name} ${words}`.trimEnd())
    .description(description)
    .action(async (...given: unknown[]) => {
      const self = given.at(-1) as Program
      const { runCommand } = await import('./run-command.ts')
      await runCommand({ load, words: self.args, options: self.optsWithGlobals<CommonOptions>(), speaksProtocol })
    })
  program.hook('preSubcommand', (_program, chosen) => {
    if (chosen !== command) return
    for (const option of options) {
      if (typeof option === 'function') command.addOption(option())
      else command.option(...(option as [string, string]))
    }
  })
}

/** Not the opposite of `--input`, though it is spelled like one. */
function noInput(): Option {
  const option = new Option('--no-input', 'never ask: every request for approval is rejected')
  option.negate = false
  return option
}

/** For a flag that may be repeated. */
function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}
