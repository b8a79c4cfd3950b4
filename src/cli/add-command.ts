import type { Command as Program, Option } from 'commander'
import type { Command, CommonOptions } from './command-request.ts'

type Load = () => Promise<Command<never>>

export const INPUT = ['-i, --input <json>', 'the input as JSON, - for standard input, @file for a file'] as const
export const PRINCIPAL = ['--principal <id>', 'call on behalf of this principal'] as const
export const PERMISSION = ['--permission <permission>', 'a permission that the principal holds (repeatable)', collect] as const
export const DEADLINE = ['--deadline <duration>', 'the time for the whole, such as 5s or 2m'] as const
export const DATABASE_URL = [
  '--database-url <url>',
  'the PostgreSQL that keeps the runs (default: the configuration, then DATABASE_URL)',
] as const
export const HOME = ['--home <folder>', 'the folder of the embedded PostgreSQL (default: the configuration, then TOOLWRIGHT_HOME)'] as const

/** Adds a command whose code is loaded when it runs. */
export function addCommand(program: Program, usage: string, load: Load, { speaksProtocol = false } = {}): DescribedCommand {
  const command = program.command(usage).action(async (...given: unknown[]) => {
    const self = given.at(-1) as Program
    const { runCommand } = await import('./run-command.ts')
    await runCommand({ load, words: self.args, options: self.optsWithGlobals<CommonOptions>(), speaksProtocol })
  })
  return new DescribedCommand(program, command)
}

type OptionArguments = Parameters<Program['option']> | readonly [flags: string, description: string, parse?: typeof collect]

/** What is said of a command. Its options are made when it is the one that was asked for: a list of all commands needs none. */
class DescribedCommand {
  readonly #command: Program
  readonly #options: (() => void)[] = []

  constructor(program: Program, command: Program) {
    this.#command = command
    program.hook('preSubcommand', (_program, asked) => {
      if (asked === command) for (const add of this.#options) add()
    })
  }

  description(text: string): this {
    this.#command.description(text)
    return this
  }

  option(...given: OptionArguments): this {
    this.#options.push(() => this.#command.option(...(given as Parameters<Program['option']>)))
    return this
  }

  addOption(make: () => Option): this {
    this.#options.push(() => this.#command.addOption(make()))
    return this
  }
}

/** For a flag that may be repeated. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}
