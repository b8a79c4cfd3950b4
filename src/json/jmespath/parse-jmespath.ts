import { excerpt } from '../../schema/quote.ts'
import { isToolError } from '../../tool/errors/tool-error.ts'
import { nearestNames } from '../../schema/nearest-names.ts'
import { badPath, tooMuch } from '../bad-path.ts'
import { Budget, LIMITS } from '../budget.ts'
import { readJson } from '../read-json.ts'
import { writeJson } from '../write-json.ts'
import { FUNCTIONS } from './functions.ts'
import type { JmespathToken, SyntaxTree } from './syntax-tree.ts'

/** Both exist and are documented nowhere in the types of the package. */
interface JmesPathPackage {
  readonly compile: (expression: string) => SyntaxTree
  readonly tokenize: (expression: string) => readonly (JmespathToken | undefined)[]
}

/** Reads an expression; what is wrong is an error at its place. The package is loaded when it is first needed. */
export async function parseJmespath(expression: string): Promise<SyntaxTree> {
  if (expression.length > LIMITS.path) {
    throw tooMuch(`jsonPath is too long: it has ${expression.length} characters, at most ${LIMITS.path} are read.`)
  }
  if (expression.trim() === '') return { type: 'Current' }
  const { default: loaded } = await import('jmespath')
  const parser = loaded as unknown as JmesPathPackage
  const tokens = tokensOf(expression, parser)
  refuseUnknownFunctions(expression, tokens)
  refuseRoundedLiterals(expression, tokens)
  refuseLooseEnds(expression, tokens)
  try {
    return parser.compile(expression)
  } catch (error) {
    const place = placeOfError(expression, tokens, parser)
    const message = error instanceof Error ? error.message : String(error)
    throw badPath(
      `The JMESPath expression is not valid: ${syntaxProblem(message, writtenAt(expression, tokens, place))}.`,
      expression,
      place,
    )
  }
}

/** The first place at which the tokenizer gives up. */
function tokensOf(expression: string, parser: JmesPathPackage): readonly JmespathToken[] {
  const whole = attempt(() => parser.tokenize(expression))
  if (whole !== undefined && whole.every((token) => token !== undefined)) return whole
  let end = 0
  while (end < expression.length && isReadable(expression.slice(0, end + 1), parser)) end++
  if (whole !== undefined) throw badPath("Write '==' to compare.", expression, end - 1)
  const why = end < expression.length ? 'this sign is not understood' : 'a quote is never closed, or what it holds cannot be read'
  throw badPath(`The JMESPath expression is not valid: ${why}.`, expression, end)
}

/** A text or a name that is not closed yet could still be. */
function isReadable(part: string, parser: JmesPathPackage): boolean {
  return ['', '"', "'", '`', '=', '"`'].some(
    (rest) => attempt(() => parser.tokenize(part + rest))?.every((token) => token !== undefined) === true,
  )
}

/** The parser takes calls of functions that do not exist, and quoted names. */
function refuseUnknownFunctions(expression: string, tokens: readonly JmespathToken[]): void {
  tokens.forEach(({ type, value, start }, index) => {
    if (type !== 'UnquotedIdentifier' || tokens[index + 1]?.type !== 'Lparen' || FUNCTIONS.has(String(value))) return
    const names = [...FUNCTIONS.keys()]
    const [near] = nearestNames(String(value), names)
    const instead = near === undefined ? `There are: ${names.join(', ')}.` : `Did you mean '${near}'?`
    throw badPath(`There is no function '${String(value)}'. ${instead}`, expression, start)
  })
}

/** Refuses mistakes that the parser accepts: a dot with nothing behind it, arguments and items without a comma. */
function refuseLooseEnds(expression: string, tokens: readonly JmespathToken[]): void {
  tokens.forEach(({ type, start }, index) => {
    const next = tokens[index + 1]
    if (type === 'Dot' && (next === undefined || !AFTER_DOT.has(next.type))) {
      throw badPath("After '.' comes a key, '*', '[' or '{'.", expression, next?.start ?? expression.length)
    }
    if (next !== undefined && ENDS.has(type) && BEGINS.has(next.type)) {
      throw badPath("An operator, '.' or ',' is missing here.", expression, next.start)
    }
    if (type === 'Number' && !/^-?\d+(?![-\d])/.test(expression.slice(start))) throw badPath('This is not a number.', expression, start)
    if (type === 'Lparen' && next?.type === 'Rparen' && tokens[index - 1]?.type !== 'UnquotedIdentifier') {
      throw badPath('There is nothing between the parentheses.', expression, start)
    }
  })
}

const AFTER_DOT = new Set(['UnquotedIdentifier', 'QuotedIdentifier', 'Star', 'Lbracket', 'Lbrace'])
const ENDS = new Set(['UnquotedIdentifier', 'QuotedIdentifier', 'Literal', 'Current', 'Rparen', 'Rbracket', 'Rbrace', 'Number', 'Flatten'])
const BEGINS = new Set(['UnquotedIdentifier', 'QuotedIdentifier', 'Literal', 'Current', 'Lbrace', 'Number'])

/** The first wrong token: the text before it is the beginning of a valid expression. */
function placeOfError(expression: string, tokens: readonly JmespathToken[], parser: JmesPathPackage): number {
  for (let count = 1; count <= tokens.length; count++) {
    const end = tokens[count]?.start ?? expression.length
    const error = attempt(
      () => parser.compile(expression.slice(0, end)),
      (thrown) => thrown,
    )
    // The message quotes a token: a quoted EOF is not the end of the expression.
    if (error instanceof Error && !/EOF|undefined/.test(error.message.replace(/(?:value: |: ").*$/s, '')))
      return tokens[count - 1]?.start ?? 0
  }
  return expression.length
}

function attempt<T, F = undefined>(read: () => T, otherwise?: (thrown: unknown) => F): T | F | undefined {
  try {
    return read()
  } catch (thrown) {
    return otherwise?.(thrown)
  }
}

/** The package reads literals with the numbers of JavaScript: one that it would round could match what it must not. */
function refuseRoundedLiterals(expression: string, tokens: readonly JmespathToken[]): void {
  tokens.forEach(({ type, start }, index) => {
    if (type !== 'Literal' || expression[start] !== '`') return
    const source = expression.slice(start + 1, tokens[index + 1]?.start ?? expression.length).trimEnd()
    if (!hasRoundedNumber(source.replace(/`$/, '').replaceAll('\\`', '`'))) return
    throw badPath(
      "This number has more digits than JMESPath keeps; compare texts: to_string(id) == '12345678901234567890'.",
      expression,
      start,
    )
  })
}

function hasRoundedNumber(source: string): boolean {
  try {
    return writeJson(readJson(source).value, new Budget()).exactNumbers > 0
  } catch (error) {
    if (isToolError(error)) return false
    throw error
  }
}

const LONGEST_SHOWN = 40

/** The signs of the tokens that the parser may miss. */
const SIGNS = new Map([
  ['Colon', "':'"],
  ['Comma', "','"],
  ['Rbrace', "'}'"],
  ['Rbracket', "']'"],
  ['Rparen', "')'"],
])

/** The problem at a place, in words: the messages of the parser use the names of its tokens. */
function syntaxProblem(message: string, found: string): string {
  if (message.includes('call stack')) return 'it is nested too deeply'
  if (found === '') return 'it ends too early'
  const shown = `'${excerpt(found, LONGEST_SHOWN)}'`
  const missing = SIGNS.get(/^Expected (\w+)/.exec(message)?.[1] ?? '')
  if (missing !== undefined) return `${missing} is expected here, not ${shown}`
  if (message.startsWith('Expected Star')) return `an index, a slice, '*' or '?' is expected behind '[', not ${shown}`
  if (message.startsWith('Expecting an identifier')) return `a key is expected here, not ${shown}`
  if (message.startsWith('Quoted identifier')) return 'the name of a function stands without quotes'
  return `${shown} cannot stand here`
}

/** The token that begins at a place, as it is written; nothing at the end. */
function writtenAt(expression: string, tokens: readonly JmespathToken[], place: number): string {
  const next = tokens.find(({ start }) => start > place)
  return expression.slice(place, next?.start).trimEnd()
}
