import { isRecord } from '../../../schema/json-schema.ts'
import { quote } from '../../../schema/quote.ts'
import { ConfigurationError } from '../../../tool/errors/configuration-error.ts'
import { checkAuth, type HttpAuth } from '../http-auth.ts'
import type { Node, OpenApiDocument } from './openapi-document.ts'
import type { FromOpenApiOptions } from './openapi-options.ts'
import { SecretReceivers } from './secret-receivers.ts'
import { Unfit } from './unfit.ts'

/** What an operation proves itself by. The parameters that carry secrets are none of the model's. */
export interface OperationSecurity {
  readonly auth: readonly HttpAuth[]
  /** `header x-api-key`, `query key` */
  readonly carriers: ReadonlySet<string>
}

type Named = FromOpenApiOptions['auth']

/** The schemes of a document, and the secrets that the options name for them. */
export class SecuritySchemes {
  readonly #document: OpenApiDocument
  readonly #schemes: Node
  readonly #named: Named
  /** A document must not choose a secret of the program, and not who gets one. */
  readonly #isServiceKnown: boolean
  readonly #receivers: SecretReceivers

  constructor(document: OpenApiDocument, options: FromOpenApiOptions) {
    const { auth: named, server } = options
    const { components } = document.root
    this.#document = document
    this.#schemes = isRecord(components) && isRecord(components['securitySchemes']) ? components['securitySchemes'] : {}
    this.#named = named
    this.#isServiceKnown = server !== undefined
    this.#receivers = new SecretReceivers(options)
    if (named === undefined || named === false) return
    if (!isRecord(named))
      throw new ConfigurationError(
        'invalid_option',
        `'auth' of fromOpenApi must be an object by security scheme, or false, not ${quote(named)}.`,
      )
    // A mistake in one is told also where no operation uses it.
    for (const each of Object.values(named)) checkAuth(typeof each === 'string' ? { secret: each } : each, 'fromOpenApi')
    const unknown = Object.keys(named).find((name) => !Object.hasOwn(this.#schemes, name))
    if (unknown !== undefined)
      throw new ConfigurationError(
        'invalid_option',
        `'auth' of fromOpenApi names the security scheme '${unknown}', and the document has ${Object.keys(this.#schemes).map(quote).join(', ') || 'none'}.`,
      )
  }

  /** Of the operation of this node, whose service is at `server`. */
  of(node: Node, server: string): OperationSecurity {
    const carriers = new Set(Object.values(this.#schemes).flatMap((each) => this.#carrier(each)))
    const required: unknown = node['security'] ?? this.#document.root['security'] ?? []
    const ways = Array.isArray(required) ? required.filter(isRecord).map((way) => Object.keys(way)) : []
    if (this.#named === false || ways.length === 0) return { auth: [], carriers }
    const auth = this.#chosen(ways).map((name) => this.#reference(name))
    if (auth.length > 0) this.#receivers.check(server)
    return { auth, carriers: new Set([...carriers, ...auth.flatMap(carrierOf)]) }
  }

  /** One way of several is enough. */
  #chosen(ways: readonly (readonly string[])[]): readonly string[] {
    const named = this.#named
    const byName =
      named === undefined ? undefined : ways.find((way) => way.length > 0 && way.every((name) => Object.hasOwn(named as object, name)))
    const chosen = byName ?? ways.find(({ length }) => length === 0)
    if (chosen !== undefined) return chosen
    if (named !== undefined) throw new Unfit(`no secret is named for its security: add ${alternatives(ways)} to 'auth'`)
    const possible = ways.find((way) => way.every((name) => this.#problem(name) === undefined))
    if (possible === undefined) return ways[0] as readonly string[]
    if (!this.#isServiceKnown)
      throw new Unfit(
        `the document would choose both the secret and the service that gets it: set 'server', or name the secret for ${alternatives(ways)} in 'auth' and the host in 'allowHosts' of 'access'`,
      )
    return possible
  }

  #scheme(name: string): Node {
    if (!Object.hasOwn(this.#schemes, name)) throw new Unfit(`its security scheme '${name}' is not in the document`)
    return this.#document.follow(this.#schemes[name])
  }

  #problem(name: string): string | undefined {
    try {
      this.#reference(name)
      return undefined
    } catch (error) {
      if (error instanceof Unfit) return error.message
      throw error
    }
  }

  #reference(name: string): HttpAuth {
    const given = this.#named === undefined || this.#named === false ? undefined : this.#named[name]
    if (typeof given === 'object') return given
    return { secret: given ?? name, ...placeOf(this.#scheme(name), name) }
  }

  #carrier(scheme: unknown): readonly string[] {
    try {
      const { type, in: place, name } = this.#document.follow(scheme)
      return type === 'apiKey' ? [`${String(place)} ${String(name).toLowerCase()}`] : []
    } catch {
      return []
    }
  }
}

function alternatives(ways: readonly (readonly string[])[]): string {
  return ways.map((way) => way.join(' and ')).join(' or ')
}

function carrierOf({ header, query, cookie }: HttpAuth): readonly string[] {
  return Object.entries({ header, query, cookie }).flatMap(([place, name]) =>
    name === undefined ? [] : [`${place} ${name.toLowerCase()}`],
  )
}

function placeOf({ type, scheme, in: place, name }: Node, label: string): Omit<HttpAuth, 'secret'> {
  if (type === 'oauth2' || type === 'openIdConnect') return { as: 'bearer' }
  if (type === 'http') {
    const word = String(scheme).toLowerCase()
    if (word === 'basic' || word === 'bearer') return { as: word }
    throw new Unfit(`its security scheme '${label}' is HTTP '${word}', which is not supported`)
  }
  if (type === 'apiKey' && typeof name === 'string' && (place === 'header' || place === 'query' || place === 'cookie'))
    return { [place]: name }
  throw new Unfit(`its security scheme '${label}' is '${String(type)}', which is not supported`)
}
