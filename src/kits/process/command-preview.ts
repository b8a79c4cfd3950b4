import { UNPRINTABLE } from '../../tool/printable.ts'
import { shellWord } from '../../tool/shell-word.ts'

const MOST_CHARACTERS = 16_000

/** A call of a program, as it would be made. */
export interface Command {
  readonly command: string
  readonly args: readonly string[]
  readonly folder: string
  readonly variables: readonly string[]
  readonly stdin: string | undefined
}

/** The text for the person who must approve: every argument as it is, the folder, and the input of the program. */
export function commandPreview({ command, args, folder, variables, stdin }: Command): string {
  const lines = [
    `Runs: ${[command, ...args].map((each) => visible(shellWord(each), false)).join(' ')}`,
    `In the folder: ${visible(folder, false)}`,
  ]
  if (variables.length > 0) lines.push(`With the variables: ${variables.join(', ')}`)
  if (stdin !== undefined) lines.push(`Its input, ${Buffer.byteLength(stdin)} bytes:`, bounded(visible(stdin, true)).join('\n'))
  return lines.join('\n')
}

/** Every line of it is marked, so that none can pose as a line of this text. */
function bounded(text: string): readonly string[] {
  if (text.length <= MOST_CHARACTERS) return marked(text)
  const half = MOST_CHARACTERS / 2
  const left = text.length - MOST_CHARACTERS
  return [
    ...marked(text.slice(0, half).toWellFormed()),
    `(${left} characters are left out here; the input of the call has them.)`,
    ...marked(text.slice(-half).toWellFormed()),
  ]
}

function marked(text: string): readonly string[] {
  return text.split('\n').map((line) => `| ${line}`)
}

/** Nothing hides, moves or reorders text. */
function visible(text: string, keepsLines: boolean): string {
  return text.replace(UNPRINTABLE, (character) =>
    keepsLines && (character === '\n' || character === '\t') ? character : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  )
}
