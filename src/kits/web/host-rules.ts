import { quote } from '../../schema/quote.ts'
import { wrongOption } from '../../tool/errors/wrong-option.ts'

/** One host of a list of hosts, or all hosts below a domain. */
interface HostRule {
  readonly host: string
  /** `*.example.com`: every host below the domain, and not the domain itself. */
  readonly below: boolean
  /** Undefined: the rule says nothing about ports. */
  readonly port: number | 'any' | undefined
}

/** Hosts by name or address: `api.example.com`, `*.example.com`, `localhost:3000`, `127.0.0.1:*`, `[::1]:8080`. */
export class HostRules {
  readonly #rules: readonly HostRule[]

  constructor(given: readonly string[] | undefined, option: string, owner: string) {
    if (given !== undefined && !Array.isArray(given)) throw wrongOption(option, owner, `a list of hosts, not ${quote(given)}`)
    this.#rules = (given ?? []).map((each) => {
      const rule = typeof each === 'string' ? readRule(each) : undefined
      if (rule === undefined)
        throw wrongOption(
          option,
          owner,
          `a list of hosts such as 'api.example.com', '*.example.com' or 'localhost:3000', not ${quote(each)}`,
        )
      return rule
    })
  }

  /** Whether a rule names the host, and does not name another port. */
  names(host: string, port: number): boolean {
    return this.#rules.some((rule) => isOf(rule, host) && (rule.port === undefined || isAt(rule, port)))
  }

  /** Whether a rule names the host by its full name, not by a domain above it. */
  namesExactly(host: string, port: number): boolean {
    return this.#rules.some((rule) => !rule.below && isOf(rule, host) && (rule.port === undefined || isAt(rule, port)))
  }

  /** Whether a rule names the host with this port. */
  opens(host: string, port: number): boolean {
    return this.#rules.some((rule) => isOf(rule, host) && isAt(rule, port))
  }
}

function isOf({ host, below }: HostRule, name: string): boolean {
  return below ? name.endsWith(`.${host}`) : name === host
}

function isAt({ port }: HostRule, asked: number): boolean {
  return port === 'any' || port === asked
}

const FORM = /^(?<below>\*\.)?(?<host>\[[^\]\s]+\]|[^\s:/?#@*\\]+)(?::(?<port>\d{1,5}|\*))?$/u

function readRule(text: string): HostRule | undefined {
  const { below, host = '', port } = FORM.exec(text)?.groups ?? {}
  const url = host === '' ? null : URL.parse(`http://${host}/`)
  if (url === null) return undefined
  return { host: hostOf(url), below: below !== undefined, port: port === '*' ? 'any' : port === undefined ? undefined : Number(port) }
}

/** The host of a URL in the one form in which hosts are compared: ASCII, small letters, no dot at the end, no brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase()
}

/** The port of a URL, also where it is that of the scheme. */
export function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
}
