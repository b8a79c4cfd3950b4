/** The flags of an option, and its description. */
type OptionText = readonly [flags: string, description: string]

export const SUMMARY = 'Lists, checks, explains, calls, runs and serves typed tools for agents.'

/** The options of the program itself. */
export const PROGRAM_OPTIONS = {
  version: ['-V, --version', 'print the version'],
  config: ['-c, --config <file>', 'the configuration (default: the nearest toolwright.config.ts, .mts, .js or .mjs)'],
  tools: ['-t, --tools <module>', 'take the tools that this module exports (repeatable)'],
  json: ['--json', 'print the result as JSON'],
  debug: ['--debug', 'print the stack of an error (also TOOLWRIGHT_DEBUG=1)'],
  help: ['-h, --help', 'print this help'],
} as const satisfies Record<string, OptionText>

/** Every command: its arguments, and what it does in one line. */
export const COMMANDS = {
  init: ['[folder]', 'write a new project that runs: tools, a pipeline, a test, a configuration'],
  new: ['<kind> <name>', 'write a tool or a pipeline and its test into this project'],
  list: ['', 'list the tools'],
  search: ['<request...>', 'find the tools that a request needs, and say why'],
  traces: ['<export|forget>', 'print what catalogs have learned from, or forget the requests of a principal or about a tool'],
  describe: ['<tool>', 'show what a model is told about a tool, and what it is made of'],
  call: ['<tool> [input...]', 'call a tool with key=value pairs, with a text, or with --input and JSON'],
  check: ['[tool]', 'find what is wrong with a tool, or with all, before anything runs'],
  explain: ['<tool>', 'show what a tool is made of, and what it will take'],
  serve: ['', 'serve the tools to MCP clients, over standard input and output or over HTTP'],
  pin: ['[server...]', 'accept what MCP servers say of their tools now; changed ones are refused from then on'],
  run: ['<tool> [input...]', 'start a durable run of a tool, follow it and print the result'],
  runs: ['', 'list durable runs, newest first'],
  show: ['<run>', 'show the input, the steps and the result of a run'],
  cancel: ['<run> [reason...]', 'ask a run to end; sagas undo what they did'],
  resume: ['[run]', 'continue a blocked run, or all of them, when the cause is fixed'],
  settle: ['<run> <step>', 'say what happened in a step whose outcome is not known'],
  'retry-compensation': ['<run>', 'try once more to undo what a saga could not'],
  approvals: ['[request]', 'list and decide the requests that wait for a person, or show one in full'],
  approve: ['<request>', 'approve a request, as it is, with another input, or with an answer'],
  reject: ['<request> [reason...]', 'refuse a request; the caller can adapt'],
  assign: ['<request> <who>', "say who should decide a request; '' for nobody in particular"],
  expire: ['<request>', 'end a request now as its time-out would end it'],
  prune: ['', 'remove runs that have ended, with all their data'],
  seal: ['', 'seal the values that were written before an encryption key was set'],
  worker: ['', 'work on durable runs until it is told to stop'],
  doctor: ['', 'say what is installed on this machine, and what is missing'],
  completion: ['<shell>', 'print the completion script for bash, zsh or fish'],
} as const satisfies Record<string, OptionText>

export type CommandName = keyof typeof COMMANDS

const HELP_COMMAND: OptionText = ['help [command]', 'print help for a command']

/** The narrowest column that a description is wrapped in. */
const LEAST_WIDTH = 40

/**
 * The help of the whole program. It is made from these tables alone: `toolwright --help` then starts without the parser and without the commands.
 * With a width, descriptions are wrapped to fit.
 */
export function helpText(width = Infinity): string {
  const options = Object.values(PROGRAM_OPTIONS)
  const commands = Object.entries(COMMANDS).map(([name, [words, text]]): OptionText => [usageOf(name, words), text])
  const all = [...options, ...commands, HELP_COMMAND]
  const column = Math.max(...all.map(([term]) => term.length)) + 4
  const row = ([term, text]: OptionText): string =>
    `  ${term.padEnd(column - 2)}${wrapped(text, Math.max(width - column, LEAST_WIDTH)).join(`\n${' '.repeat(column)}`)}`
  return `Usage: toolwright [options] [command]

${SUMMARY}

Options:
${options.map(row).join('\n')}

Commands:
${[...commands, HELP_COMMAND].map(row).join('\n')}
`
}

function usageOf(name: string, words: string): string {
  return words === '' ? `${name} [options]` : `${name} [options] ${words}`
}

function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
