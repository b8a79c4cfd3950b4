import type { Expression, Operator } from './evaluate.ts'
import { CONSTANTS, FUNCTIONS, namesLike } from './functions.ts'
import { LIMITS } from './limits.ts'
import { Problem } from './problem.ts'
import { thousands, type Token, tokenize } from './tokenize.ts'

/** How strongly an operator binds its left and right sides. A power binds its right side less: `2^3^2` is `2^(3^2)`. */
const BINDING: Readonly<Record<Operator, readonly [left: number, right: number]>> = {
  '+': [1, 2],
  '-': [1, 2],
  '*': [3, 4],
  '/': [3, 4],
  '%': [3, 4],
  '^': [8, 7],
}

/** Above products, below powers: `-2^2` is -4, and `2^-1` is a half. */
const SIGN_BINDING = 5

const PERCENT = "'%' is the remainder of a division; for 10 percent of x write x * 10 / 100."

/** Parses an expression, or throws a Problem with the place of the mistake. */
export function parse(text: string): Expression {
  if (text.length > LIMITS.length) {
    throw new Problem(`The expression is too long: it has ${text.length} characters, at most ${LIMITS.length} are taken.`)
  }
  if (text.trim() === '') throw new Problem('There is nothing to calculate; send an expression such as 149.99 * 1.1.')
  return new Parser(tokenize(text)).whole()
}

class Parser {
  readonly #tokens: readonly Token[]
  #position = 0
  #depth = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  whole(): Expression {
    const expression = this.#expression(0)
    const rest = this.#next()
    if (rest.kind === 'end') return expression
    if (rest.kind === ',') throw thousands(rest.at)
    if (rest.kind === ')') throw new Problem("This ')' closes nothing.", rest.at)
    throw this.#missingOperator(rest)
  }

  #expression(least: number): Expression {
    if (++this.#depth > LIMITS.depth) throw new Problem(`The expression is nested more than ${LIMITS.depth} levels deep.`, this.#peek().at)
    let left = this.#operand()
    for (let token = this.#peek(); token.kind === 'operator'; token = this.#peek()) {
      const [before, after] = BINDING[token.text]
      if (before < least) break
      this.#next()
      left = { kind: 'operation', at: token.at, operator: token.text, left, right: this.#rightSide(token, after) }
    }
    this.#depth--
    return left
  }

  #rightSide(operator: Token, binding: number): Expression {
    const next = this.#peek()
    // `100 + 10% - 5` is meant as a percentage, and would be a remainder.
    if (operator.text === '%' && (next.kind === 'operator' || next.kind === ')' || next.kind === ',' || next.kind === 'end')) {
      throw new Problem(next.kind === 'operator' ? `${PERCENT} For a remainder write 7 % (-2).` : PERCENT, operator.at)
    }
    if (operator.text === '%' && next.text.toLowerCase() === 'of') throw new Problem(PERCENT, operator.at)
    return this.#expression(binding)
  }

  #operand(): Expression {
    const token = this.#next()
    switch (token.kind) {
      case 'number':
        return { kind: 'number', at: token.at, value: token.value }
      case 'name':
        return this.#named(token)
      case '(':
        return this.#closed(token)
      case 'operator':
        if (token.text === '-' || token.text === '+') {
          return { kind: 'sign', at: token.at, negative: token.text === '-', operand: this.#expression(SIGN_BINDING) }
        }
    }
    const found = token.kind === 'end' ? 'the end' : `'${token.text}'`
    throw new Problem(`A number, a name or '(' is expected here, not ${found}.`, token.at)
  }

  #closed(open: Token): Expression {
    const inner = this.#expression(0)
    const close = this.#next()
    if (close.kind === ')') return inner
    if (close.kind === ',') throw thousands(close.at)
    throw close.kind === 'end' ? new Problem("This '(' is never closed.", open.at) : this.#missingOperator(close)
  }

  #named({ at, text }: Token): Expression {
    const name = text === '\u03c0' ? 'pi' : text.toLowerCase()
    if (CONSTANTS.has(name)) return { kind: 'constant', at, name }
    const definition = FUNCTIONS.get(name)
    if (definition === undefined) throw new Problem(`There is no function or constant '${text}'.${namesLike(name)}`, at)
    const { usage, least, most } = definition
    const open = this.#next()
    if (open.kind !== '(') throw new Problem(`'${text}' is a function; write ${usage}.`, at)
    const given = this.#arguments(open)
    if (given.length >= least && given.length <= most) return { kind: 'call', at, name, arguments: given }
    throw new Problem(`'${text}' does not take ${given.length} ${given.length === 1 ? 'argument' : 'arguments'}; write ${usage}.`, at)
  }

  #arguments(open: Token): readonly Expression[] {
    const given: Expression[] = []
    if (this.#peek().kind === ')') {
      this.#next()
      return given
    }
    for (;;) {
      given.push(this.#expression(0))
      const after = this.#next()
      if (after.kind === ')') return given
      if (after.kind === 'end') throw new Problem("This '(' is never closed.", open.at)
      if (after.kind !== ',') throw this.#missingOperator(after)
    }
  }

  #missingOperator(token: Token): Problem {
    const before = this.#tokens[this.#position - 2]?.text ?? ''
    return new Problem(`An operator is missing between '${before}' and '${token.text}'; write '*' for a product.`, token.at)
  }

  #peek(): Token {
    return this.#tokens[this.#position] ?? END
  }

  #next(): Token {
    const token = this.#peek()
    this.#position++
    return token
  }
}

const END: Token = { kind: 'end', at: 0, end: 0, text: '' }
