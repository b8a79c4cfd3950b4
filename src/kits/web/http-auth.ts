import { quote } from '../../schema/quote.ts'
import { checkOptions } from '../../tool/check-given.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'

/** How a request proves who sends it: the name of a secret, and where the secret goes. By default it is a bearer token. */
export interface HttpAuth {
  /** The name of the secret at the secrets provider of the call. */
  readonly secret: string
  /** `basic`: the secret is `user:password`, or the password of `user`. */
  readonly as?: 'bearer' | 'basic' | undefined
  readonly user?: string | undefined
  /** The secret goes into this header: `X-Api-Key`. */
  readonly header?: string | undefined
  /** Stands before the secret in the header. */
  readonly prefix?: string | undefined
  /** The secret goes into this parameter of the query, where servers and proxies log it. Use it only if the service knows no other way. */
  readonly query?: string | undefined
  /** The secret goes into this cookie. */
  readonly cookie?: string | undefined
}

const NAMES = optionNames<HttpAuth>({ secret: true, as: true, user: true, header: true, prefix: true, query: true, cookie: true })

/** Finds mistakes in a reference to a secret when the tool is made. */
export function checkAuth(auth: HttpAuth, owner: string): void {
  const wrong = (why: string): ConfigurationError => new ConfigurationError('invalid_option', `The auth of ${owner} ${why}.`)
  checkOptions(auth, `The auth of ${owner}`)
  checkOptionNames(auth, NAMES, `The fields of the auth of ${owner}`)
  if (typeof auth.secret !== 'string' || auth.secret === '') throw wrong(`must name a secret: { secret: 'API_TOKEN' }`)
  const places = [auth.as, auth.header, auth.query, auth.cookie].filter((each) => each !== undefined)
  if (places.length > 1) throw wrong(`must have only one of as, header, query and cookie`)
  if (auth.as !== undefined && auth.as !== 'bearer' && auth.as !== 'basic')
    throw wrong(`must be as 'bearer' or 'basic', not ${quote(auth.as)}`)
  if (auth.user !== undefined && auth.as !== 'basic') throw wrong(`has a user, which goes with as: 'basic'`)
  if (auth.prefix !== undefined && auth.header === undefined) throw wrong('has a prefix, which goes with header')
  if (auth.cookie !== undefined && !/^[\w!#$%&'*+.^`|~-]+$/.test(auth.cookie)) throw wrong(`names no cookie: ${quote(auth.cookie)}`)
}

interface Sendable {
  readonly url: URL
  readonly headers: Record<string, string>
}

/** Adds a secret to a request. */
export function authorize({ url, headers }: Sendable, auth: HttpAuth, value: string): void {
  const { as, user, header, prefix = '', query, cookie } = auth
  if (header !== undefined) headers[header.toLowerCase()] = `${prefix}${value}`
  else if (query !== undefined) url.searchParams.append(query, value)
  else if (cookie !== undefined)
    headers['cookie'] = [headers['cookie'], `${cookie}=${encodeURIComponent(value)}`].filter(Boolean).join('; ')
  else if (as === 'basic')
    headers['authorization'] = `Basic ${Buffer.from(user === undefined ? value : `${user}:${value}`).toString('base64')}`
  else headers['authorization'] = `Bearer ${value}`
}
