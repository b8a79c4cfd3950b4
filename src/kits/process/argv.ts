import { quote } from '../../schema/quote.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'

/** What may stand in a template of arguments. `undefined`, `null` and `false` leave their argument out; a list alone gives one argument for each item. */
export type ArgumentValue = string | number | bigint | boolean | null | undefined | Argv | readonly (string | number | bigint)[]

/** The arguments of a program, made by `argv`. */
export class Argv {
  readonly arguments: readonly string[]
  /** Whether `--` stands among them, so that what follows cannot be an option. */
  readonly endsOptions: boolean

  constructor(made: readonly string[], endsOptions: boolean) {
    this.arguments = Object.freeze([...made])
    this.endsOptions = endsOptions
  }
}

/**
 * Builds the arguments of a program from text that you write and values that come from elsewhere. The text is cut at spaces; a value never is. A value that
 * stands alone and begins with `-` is refused, unless `--` stands before it: write `--name=${value}` for the value of an option.
 * @example
 * argv`log --max-count=${5} -- ${'my file.txt'}`.arguments // ['log', '--max-count=5', '--', 'my file.txt']
 */
export function argv(texts: TemplateStringsArray, ...values: readonly ArgumentValue[]): Argv {
  const made = new Making()
  for (const [index, text] of texts.entries()) {
    made.text(text)
    if (index < values.length) made.value(values[index])
  }
  return made.ended()
}

/** The arguments of a list that the author wrote: all of it is text. */
export function writtenArguments(list: readonly string[], whose: string): Argv {
  for (const each of list) {
    if (typeof each === 'string' && !each.includes('\0') && each.isWellFormed()) continue
    throw new ConfigurationError('invalid_option', `An argument in 'args' of ${whose} must be a text without NUL, not ${quote(each)}.`)
  }
  return new Argv(list, list.includes('--'))
}

/** One argument while it is made: what was written, and what was given, in their order. */
interface Piece {
  text: string
  /** Whether a value begins it. */
  readonly isGiven: boolean
  hasValue: boolean
  /** A value in it is left out, and so it is. */
  isDropped: boolean
}

class Making {
  readonly #made: string[] = []
  #piece: Piece | undefined
  /** Several arguments stand alone: nothing may touch them. */
  #isClosed = false
  #endsOptions = false

  /** Text of the template: spaces end an argument. */
  text(text: string): void {
    if (/["'`\\]/.test(text))
      throw new ConfigurationError(
        'invalid_option',
        `Quotation marks and backslashes mean nothing in argv, and ${quote(text.trim())} has one. There is no shell: write a text with spaces as a value, \${'like this'}.`,
      )
    if (text.includes('\0')) throw new ConfigurationError('invalid_option', 'The text of argv holds NUL, which no argument can.')
    const words = text.split(/\s+/)
    for (const [index, word] of words.entries()) {
      if (index > 0) this.#end()
      if (word === '') continue
      this.#checkOpen(word)
      if (this.#piece === undefined) this.#piece = { text: word, isGiven: false, hasValue: false, isDropped: false }
      else this.#piece.text += word
    }
  }

  value(value: ArgumentValue): void {
    if (value instanceof Argv || Array.isArray(value)) {
      this.#alone(value)
      return
    }
    const isLeftOut = value === undefined || value === null || value === false
    const piece = this.#piece
    this.#checkOpen(String(value))
    if (piece === undefined) {
      if (value === true)
        throw new ConfigurationError(
          'invalid_option',
          'true stands alone in argv. Write ${value && argv`--flag`} for an option without a value.',
        )
      this.#piece = { text: isLeftOut ? '' : textOf(value), isGiven: true, hasValue: true, isDropped: isLeftOut }
      return
    }
    if (!piece.isGiven && /^-$|^--[^=]*$/.test(piece.text))
      throw new ConfigurationError(
        'invalid_option',
        `A value after ${quote(piece.text)} in argv would choose the option. Write the name of the option and '='.`,
      )
    const isFalse = value === false
    piece.hasValue = true
    if (isLeftOut && !isFalse) piece.isDropped = true
    else piece.text += checkedShort(piece, isFalse ? 'false' : textOf(value))
  }

  ended(): Argv {
    this.#end()
    return new Argv(this.#made, this.#endsOptions)
  }

  #alone(value: Argv | readonly (string | number | bigint)[]): void {
    if (this.#piece !== undefined)
      throw new ConfigurationError('invalid_option', 'A list or an argv stands within another argument. Put a space before it.')
    if (value instanceof Argv) {
      for (const each of value.arguments) this.#made.push(each)
      this.#endsOptions ||= value.endsOptions
    } else for (const each of value) this.#push(textOf(each), true)
    this.#isClosed = true
  }

  #checkOpen(next: string): void {
    if (this.#isClosed)
      throw new ConfigurationError('invalid_option', `${quote(next)} touches a list or an argv before it. Put a space between them.`)
  }

  #end(): void {
    const piece = this.#piece
    this.#piece = undefined
    this.#isClosed = false
    if (piece === undefined || piece.isDropped) return
    this.#push(piece.text, piece.isGiven)
    if (piece.text === '--' && !piece.hasValue) this.#endsOptions = true
  }

  #push(text: string, isGiven: boolean): void {
    if (isGiven && !this.#endsOptions && text.startsWith('-')) throw looksLikeOption(text)
    this.#made.push(text)
  }
}

/** `-n` with an empty value is an option that takes the next argument for its value. */
function checkedShort({ text, isGiven }: Piece, value: string): string {
  if (value === '' && !isGiven && /^-[^-=]+$/.test(text))
    throw refused(`The value of the option ${text} is empty, and the program would take the next argument for it.`, 'Give it a value.')
  return value
}

function textOf(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint' && value !== true)
    throw new ConfigurationError('invalid_option', `A value in argv must be a text or a number, not ${quote(value)}.`)
  if (typeof value === 'number' && !Number.isFinite(value)) throw refused(`${value} is no number that an argument can be.`)
  const text = String(value)
  if (text.includes('\0')) throw refused('An argument holds NUL, which no argument can.')
  if (!text.isWellFormed()) throw refused('An argument holds half of a surrogate pair, which UTF-8 cannot write.')
  return text
}

function looksLikeOption(text: string): ToolError {
  return refused(
    `The argument ${quote(text)} begins with '-', and the program would read it as an option.`,
    "Give a value that does not begin with '-'; a file may be written as './-name'.",
  )
}

/** A value that must not become an argument. Nothing was started. */
export function refused(message: string, hint?: string): ToolError {
  return new ToolError(message, { code: 'argument_refused', outcome: 'not_started', ...(hint === undefined ? {} : { hint }) })
}
