import { quote } from '../../schema/quote.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { toJsonText } from '../../schema/quote.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import { Argv, refused, writtenArguments } from './argv.ts'
import type { CheckedLimits } from './process-limits.ts'

/** What a program is given by one call. */
interface CommandLine {
  readonly args: readonly string[]
  readonly stdin: string | undefined
}

/** Makes the command line of an input; throws where a value must not become a part of it. */
export type MakeCommandLine = (input: unknown) => CommandLine

export interface CommandLineOptions {
  readonly args: readonly string[] | ((input: never) => Argv) | undefined
  readonly stdin: 'text' | 'json' | 'none' | ((input: never) => string) | undefined
  readonly isTyped: boolean
  readonly limits: CheckedLimits
  readonly whose: string
}

/** The longest single argument that Linux takes. */
const LONGEST_ARGUMENT = 128 * 1024 - 1

export function makeCommandLine(options: CommandLineOptions): MakeCommandLine {
  const { args, limits, whose } = options
  checkUse(options)
  const argsOf = typeof args === 'function' ? givenArguments(args, whose) : constant(writtenArguments(args ?? [], whose))
  const stdinOf = stdinMaker(options)
  return (input) => {
    const made = argsOf(input).arguments
    checkSize(made, limits)
    const stdin = stdinOf(input)
    if (stdin === undefined) return { args: made, stdin }
    if (!stdin.isWellFormed()) throw refused('The input of the program holds half of a surrogate pair, which UTF-8 cannot write.')
    const bytes = Buffer.byteLength(stdin)
    if (bytes > limits.stdinBytes)
      throw refused(`The input of the program has ${bytes} bytes, and at most ${limits.stdinBytes} are allowed.`, 'Send less.')
    return { args: made, stdin }
  }
}

/** An input that reaches the program in no way is a mistake. */
function checkUse({ args, stdin, isTyped, whose }: CommandLineOptions): void {
  if (args !== undefined && typeof args !== 'function' && !Array.isArray(args))
    throw new ConfigurationError('invalid_option', `'args' of ${whose} must be a list of texts or a function, not ${quote(args)}.`)
  if (stdin !== undefined && typeof stdin !== 'function' && !['text', 'json', 'none'].includes(stdin))
    throw new ConfigurationError('invalid_option', `'stdin' of ${whose} must be 'text', 'json', 'none' or a function, not ${quote(stdin)}.`)
  if (isTyped && stdin === 'text')
    throw new ConfigurationError(
      'invalid_option',
      `'stdin' of ${whose} cannot be 'text', since its input has a schema. Say 'json', or give a function that makes the text.`,
    )
  if (typeof args !== 'function' && (stdin === 'none' || (isTyped && stdin === undefined)))
    throw new ConfigurationError(
      'invalid_option',
      `The input of ${whose} does not reach the program. Make 'args' a function, or set 'stdin'.`,
    )
}

function givenArguments(args: (input: never) => Argv, whose: string): (input: unknown) => Argv {
  return (input) => {
    const made: unknown = args(input as never)
    if (made instanceof Argv) return made
    throw new ConfigurationError('invalid_option', `'args' of ${whose} must return what the template argv makes, not ${quote(made)}.`)
  }
}

function constant(made: Argv): () => Argv {
  return () => made
}

function stdinMaker({ stdin, isTyped, whose }: CommandLineOptions): (input: unknown) => string | undefined {
  if (typeof stdin === 'function') return (input) => textOf(stdin(input as never), whose)
  const kind = stdin ?? (isTyped ? 'none' : 'text')
  if (kind === 'none') return () => undefined
  return kind === 'json' ? (input) => `${toJsonText(input)}\n` : (input) => textOf(input, whose)
}

function textOf(given: unknown, whose: string): string {
  if (typeof given === 'string') return given
  throw new ToolError(`'stdin' of ${whose} must give a text, not ${quote(given)}.`, { code: 'adapter_failed', outcome: 'not_started' })
}

function checkSize(args: readonly string[], { argumentBytes }: CheckedLimits): void {
  let total = 0
  for (const each of args) {
    const bytes = Buffer.byteLength(each)
    total += bytes + 1
    if (bytes > LONGEST_ARGUMENT)
      throw refused(`An argument has ${bytes} bytes, and at most ${LONGEST_ARGUMENT} are possible.`, 'Send less.')
  }
  if (total > argumentBytes) throw refused(`The arguments have ${total} bytes, and at most ${argumentBytes} are allowed.`, 'Send less.')
}
