import { excerpt } from '../../../../schema/quote.ts'
import type { JmesPathToken } from './syntax-tree.ts'

const LONGEST_SHOWN = 40

/** The signs of the tokens that the parser may miss. */
const SIGNS = new Map([
  ['Colon', "':'"],
  ['Comma', "','"],
  ['Rbrace', "'}'"],
  ['Rbracket', "']'"],
  ['Rparen', "')'"],
])

/** What the parser found wrong at a place, in words: its own name its tokens. */
export function syntaxProblem(message: string, found: string): string {
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
export function writtenAt(expression: string, tokens: readonly JmesPathToken[], place: number): string {
  const next = tokens.find(({ start }) => start > place)
  return expression.slice(place, next?.start).trimEnd()
}
