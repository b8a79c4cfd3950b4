import { isRecord } from '../../../schema/json-schema.ts'
import { KnownSecrets } from '../../../tool/secrets/known-secrets.ts'
import { MASK } from '../../../tool/secrets/mask-text.ts'
import { replaceSpans } from '../../../tool/secrets/spans.ts'
import { credentialsOf, secretsInForm } from './target-secrets.ts'

/** So many tokens that were sent are remembered: a provider may give another one every time. */
const MOST_SENT = 50

/** The server alone reads these again. */
const OPAQUE: ReadonlySet<string> = new Set(['requestState', 'nextCursor'])
const BASE64: ReadonlySet<string> = new Set(['data', 'blob'])

/**
 * The secrets that a server was given. A server may repeat them, in a result, an error, a question or a description: they are hidden as soon as its
 * words arrive, before anybody sees them.
 */
export class UpstreamSecrets {
  readonly #given: KnownSecrets
  #sent: readonly string[] = []
  #all: KnownSecrets

  constructor(given: readonly string[]) {
    this.#given = new KnownSecrets(given)
    this.#all = this.#given
  }

  /** A request that goes out: tokens come from a provider, and are known from then on. */
  send({ headers, body }: Pick<RequestInit, 'headers' | 'body'>): void {
    const authorization = new Headers(headers).get('authorization')
    const found = [
      ...(authorization === null ? [] : credentialsOf(authorization)),
      ...(body instanceof URLSearchParams ? secretsInForm(body) : []),
    ].filter((each) => !this.#all.has(each))
    if (found.length === 0) return
    this.#sent = [...this.#sent, ...found].slice(-MOST_SENT)
    this.#all = new KnownSecrets(this.#sent, this.#given)
  }

  text(text: string): string {
    return this.#hidden(text, () => MASK)
  }

  /** Hides them in a message that has just been parsed. It keeps its shape, and only texts in it change. */
  hideIn(message: object): void {
    if (this.#all.isEmpty) return
    // An own list and no recursion: a message may be nested as deep as it likes.
    const open: object[] = [message]
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      for (const [key, value] of Object.entries(node)) {
        if (typeof value === 'string') this.#hideText(node, key, value)
        else if (typeof value === 'object' && value !== null) open.push(value as object)
      }
      if (!Array.isArray(node)) this.#hideNames(node)
    }
  }

  #hideText(node: object, key: string, value: string): void {
    if (OPAQUE.has(key)) return
    // The part stays base64, as long as it was.
    const hidden = this.#hidden(value, BASE64.has(key) ? ({ length }) => 'A'.repeat(length) : () => MASK)
    if (hidden !== value) define(node, key, hidden)
  }

  #hideNames(node: object): void {
    for (const [key, value] of Object.entries(node)) {
      const hidden = this.text(key)
      if (hidden === key || !isRecord(node)) continue
      delete node[key]
      define(node, hidden, value)
    }
  }

  #hidden(text: string, write: (hidden: string) => string): string {
    const spans = this.#all.spansIn(text)
    return spans.length === 0 ? text : replaceSpans(text, spans, write)
  }
}

/** Also where the name is `__proto__`. */
function define(node: object, key: string, value: unknown): void {
  Object.defineProperty(node, key, { value, writable: true, enumerable: true, configurable: true })
}
