import { styleText } from 'node:util'
import { inRows } from '../review/in-rows.ts'
import { toJsonText } from '../schema/quote.ts'
import { printable, UNPRINTABLE } from '../tool/printable.ts'
import { textOf } from '../tool/result/text-of.ts'
import { endWithoutOutput } from './guard-output.ts'
import { withoutCredentials } from './without-credentials.ts'

export type Format = Parameters<typeof styleText>[0]

type Write = typeof process.stdout.write

/** Where a command writes: results to standard output, everything else to standard error. */
export class Output {
  /** The result is one JSON text, and nothing else goes to standard output. */
  readonly json: boolean
  readonly #write: Write
  #pending: Promise<unknown> = Promise.resolve()

  constructor(json: boolean) {
    this.json = json
    this.#write = process.stdout.write.bind(process.stdout) as Write
  }

  /** Columns of standard output; undefined where it is no terminal, and lines may have any length. */
  get width(): number | undefined {
    return process.stdout.isTTY ? process.stdout.columns : undefined
  }

  /** Writes lines for a person. On a terminal, no text in them can fill up rows that look like lines of ours. */
  print(text: string): void {
    this.printData(process.stdout.isTTY ? inRows(text, process.stdout.columns) : text)
  }

  /** Writes a result as it is: for a program, or to be copied. */
  printData(text: string): void {
    this.#begin((done) =>
      this.#write(`${text}\n`, (error) => {
        // The stream emits the error later, when the command may have ended with success.
        if (error && (error as NodeJS.ErrnoException).code !== 'EPIPE') endWithoutOutput(error)
        done()
      }),
    )
  }

  /** Writes a result that is plain data. */
  printJson(value: unknown): void {
    this.printData(jsonText(value, 2))
  }

  /** Writes a message that is not part of the result. */
  note(text: string): void {
    const shown = process.stderr.isTTY ? inRows(text, process.stderr.columns) : text
    this.#begin((done) => process.stderr.write(`${shown}\n`, done))
  }

  /** Writes a warning. It may be in the words of somebody else, and repeat the address of a database. */
  warn(message: string): void {
    this.note(`${this.paintNote('yellow', 'warning:')} ${printable(withoutCredentials(message))}`)
  }

  /** Colours a text for standard output: on a terminal only, and as NO_COLOR and FORCE_COLOR say. */
  paint(format: Format, text: string): string {
    return styleText(format, text, { stream: process.stdout })
  }

  /** The same for standard error. */
  paintNote(format: Format, text: string): string {
    return styleText(format, text, { stream: process.stderr })
  }

  /** Redirects all other writers of standard output to standard error from now on: standard output is for the result alone. */
  claimStream(): void {
    process.stdout.write = process.stderr.write.bind(process.stderr)
  }

  /** Ends the redirection, for a server that writes a protocol to standard output and redirects the others itself. */
  lendStream(): void {
    process.stdout.write = this.#write
  }

  /** Resolves when everything is written. */
  async flush(): Promise<void> {
    await this.#pending
  }

  #begin(write: (done: () => void) => unknown): void {
    const written = new Promise<void>((resolve) => write(() => resolve()))
    this.#pending = Promise.all([this.#pending, written])
  }
}

/** JSON escapes the characters below the space only. Others that a terminal obeys are escaped too, which means the same to a program. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(UNPRINTABLE, escapedInJson)
}

function escapedInJson(character: string): string {
  if (character === '\n') return character
  return Array.from({ length: character.length }, (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')
}

/** A text of several lines on a terminal: keeps line breaks and tabs, and escapes characters that could move, colour, hide or reorder text. */
export function onTerminal(text: string): string {
  return text
    .split('\n')
    .map((line) => line.split('\t').map(printable).join('\t'))
    .join('\n')
}

/** A message may repeat what somebody has written. Only its first line begins where our lines begin. */
export function told(message: string): string {
  return message.split('\n').map(printable).join('\n  | ')
}

/** A value as JSON can hold it. A value without a JSON form becomes a text. */
export function plainData(value: unknown): unknown {
  if (value === undefined) return undefined
  try {
    return JSON.parse(toJsonText(value)) as unknown
  } catch {
    return textOf(value)
  }
}
