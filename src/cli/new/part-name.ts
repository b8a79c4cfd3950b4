import { CliError } from '../cli-error.ts'

/** A name in the three ways in which a project writes it. */
export interface PartName {
  /** Of the tool, as a model sees it: `send_mail`. */
  readonly tool: string
  /** Of the file: `send-mail`. */
  readonly file: string
  /** Of the constant: `sendMail`. */
  readonly constant: string
}

const LONGEST = 64

/** Names that mean something else in the file that is written, or in JavaScript. */
const TAKEN: ReadonlySet<string> = new Set(
  (
    'arguments assert async await break case catch check class const continue debugger default delete do else enum eval export extends false ' +
    'finally for from function gate get if implements import in instanceof interface jsonSchema let new null of package private protected ' +
    'public return set static super switch test this throw tool toolPipeline true try typeof undefined var void while with yield z'
  ).split(' '),
)

/** Reads `send_mail`, `send-mail` or `sendMail`. */
export function partName(given: string): PartName {
  const words = /^[A-Za-z][A-Za-z0-9]*([_-][A-Za-z0-9]+)*$/.test(given)
    ? given
        .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
        .toLowerCase()
        .split(/[_-]/)
    : []
  const tool = words.join('_')
  if (tool === '' || tool.length > LONGEST)
    throw new CliError('usage', `${JSON.stringify(given)} cannot be the name of a tool.`, {
      hint: `Use letters, digits and '_', a letter first, at most ${LONGEST} characters: send_mail`,
    })
  const constant = words.map((word, index) => (index === 0 ? word : `${word.charAt(0).toUpperCase()}${word.slice(1)}`)).join('')
  return { tool, file: words.join('-'), constant: TAKEN.has(constant) ? `${constant}Tool` : constant }
}
