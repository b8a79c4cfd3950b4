import type * as Jose from 'jose'
import type { JSONWebKeySet, JWTPayload, JWTVerifyGetKey } from 'jose'
import { isRecord } from '../../../schema/json-schema.ts'
import { quote } from '../../../schema/quote.ts'
import { type Duration, toMilliseconds } from '../../../tool/duration.ts'
import { ConfigurationError } from '../../../tool/errors/configuration-error.ts'
import { missingPackage, usablePackage } from '../../../tool/missing-package.ts'
import { wrongOption } from '../../../tool/errors/wrong-option.ts'
import { checkOptionNames, optionNames } from '../../../tool/option-names.ts'
import { type Clock, systemClock } from '../../../tool/ports/clock.ts'
import type { Logger } from '../../../tool/ports/logger.ts'
import type { McpAuth, McpAuthRefusal, McpCaller } from '../../../tool/ports/mcp-auth.ts'
import type { Principal } from '../../../tool/principal.ts'
import { reasonOf } from '../../../tool/errors/message-of.ts'
import { isLoopback } from './loopback.ts'
import { RefusalLog } from './refusal-log.ts'

/** The claims of an access token whose signature, issuer, audience and times are right. */
export type TokenClaims = Readonly<Record<string, unknown>>

/** Which access tokens an endpoint takes. */
export interface BearerAuthOptions {
  /** The authorization server, as it stands in `iss`. */
  readonly issuer: string
  /** The public URL of the endpoint. Clients ask for tokens for it. */
  readonly resource: string
  /** What must stand in `aud`; the resource by default. */
  readonly audience?: string | readonly string[] | undefined
  /** Where the public keys of the issuer are. */
  readonly jwksUri?: string | undefined
  /** The keys themselves, instead. */
  readonly jwks?: { readonly keys: readonly object[] } | undefined
  /** The scopes that every request needs. */
  readonly scopes?: readonly string[] | undefined
  /** All scopes that there are, for clients that want to know; those that every request needs by default. */
  readonly scopesSupported?: readonly string[] | undefined
  /** The algorithms of signatures that are taken; all with a public key by default. */
  readonly algorithms?: readonly string[] | undefined
  /** How far the clocks of issuer and server may differ; 30 seconds by default. */
  readonly clockTolerance?: Duration | undefined
  /** On whose behalf the calls run. By default the id is `sub`, and the permissions are the scopes. */
  readonly principal?: ((claims: TokenClaims) => Principal) | undefined
  /** For people. */
  readonly name?: string | undefined
  readonly clock?: Clock | undefined
  readonly log?: Logger | undefined
}

const NAMES = optionNames<BearerAuthOptions>({
  issuer: true,
  resource: true,
  audience: true,
  jwksUri: true,
  jwks: true,
  scopes: true,
  scopesSupported: true,
  algorithms: true,
  clockTolerance: true,
  principal: true,
  name: true,
  clock: true,
  log: true,
})

/** With a secret that is shared, or with none, everybody who knows the public key could sign. */
const PUBLIC_KEY_ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
const WHAT = 'bearerAuth'
const SCOPE = /^[\x21\x23-\x5B\x5D-\x7E]+$/
const BEARER = /^bearer +([\w.~+/-]+=*)$/i
const MOST_TOKEN_LENGTH = 8192

/**
 * Takes the access tokens (JWT) of an authorization server, as the rules of MCP for protected resources have it: the caller of a request is
 * the subject of its token.
 * @example
 * const auth = bearerAuth({
 *   issuer: 'https://login.example.com',
 *   jwksUri: 'https://login.example.com/jwks',
 *   resource: 'https://tools.example.com/mcp',
 *   scopes: ['tools'],
 * })
 */
export function bearerAuth(options: BearerAuthOptions): McpAuth {
  checkOptionNames(options, NAMES, `The options of ${WHAT}`)
  const { issuer, resource, scopes = [], scopesSupported = scopes, name, principal } = options
  checkUrl('issuer', issuer)
  checkUrl('resource', resource)
  for (const each of [...scopes, ...scopesSupported])
    if (typeof each !== 'string' || !SCOPE.test(each))
      throw wrongOption('scopes', WHAT, `words without spaces and quotes, not ${quote(each)}`)
  const verify = tokenVerifier(options)
  const authenticate = async (request: Request): Promise<McpCaller | McpAuthRefusal> => {
    const header = request.headers.get('authorization')
    if (header === null) return { refused: 'missing', scopes }
    const token = header.length > MOST_TOKEN_LENGTH ? undefined : BEARER.exec(header)?.[1]
    if (token === undefined) return { refused: 'invalid', scopes, reason: 'the header Authorization has no bearer token' }
    const verified = await verify(token)
    if ('refused' in verified) return { ...verified, scopes }
    const { claims } = verified
    const held = scopesOf(claims)
    const lacking = scopes.filter((each) => !held.includes(each))
    if (lacking.length > 0) return { refused: 'scope', scopes, reason: `the token of '${claims.sub}' lacks the scope ${lacking.join(' ')}` }
    const { sub = '' } = claims
    const client = [claims['client_id'], claims['azp']].find((each) => typeof each === 'string')
    const caller: Principal | null | undefined = principal === undefined ? { id: sub, permissions: held } : principal(claims)
    // A function of the program that names nobody lets nobody in.
    if (caller === undefined || caller === null || caller.id === '')
      return { refused: 'invalid', scopes, reason: "'principal' of bearerAuth names nobody for this token" }
    return { principal: caller, client, scopes: held }
  }
  return {
    authenticate,
    resource: { url: resource, authorizationServers: [issuer], scopes: scopesSupported, name },
    // Scopes that stand for permissions of another name cannot be told.
    ...(principal === undefined ? { scopesFor: (permissions) => [...new Set([...scopes, ...permissions])] } : {}),
  }
}

type Verify = (token: string) => Promise<{ readonly claims: JWTPayload } | Pick<McpAuthRefusal, 'refused' | 'reason'>>

function tokenVerifier(options: BearerAuthOptions): Verify {
  const { issuer, resource, audience = [resource, resource.replace(/\/$/, '')], clock = systemClock, log } = options
  const { algorithms = PUBLIC_KEY_ALGORITHMS, clockTolerance = '30s' } = options
  const wrong = algorithms.find((each) => !PUBLIC_KEY_ALGORITHMS.includes(each))
  if (wrong !== undefined || algorithms.length === 0)
    throw wrongOption('algorithms', WHAT, `some of ${PUBLIC_KEY_ALGORITHMS.join(', ')}, not ${quote(wrong ?? algorithms)}`)
  const toleranceMs = toMilliseconds(clockTolerance, `'clockTolerance' of ${WHAT}`)
  const keys = keySource(options)
  const failures = new RefusalLog('warn', log, clock)
  const expected = {
    issuer,
    audience: [audience].flat(),
    algorithms: [...algorithms],
    clockTolerance: Math.ceil(toleranceMs / 1000),
    requiredClaims: ['exp', 'sub'],
  }
  return async (token) => {
    const jose = await loadJose()
    try {
      const { payload } = await jose.jwtVerify(token, keys(jose), { ...expected, currentDate: new Date(clock.now()) })
      const isNamed = typeof payload.sub === 'string' && payload.sub !== ''
      return isNamed ? { claims: payload } : { refused: 'invalid', reason: "'sub' of the token names nobody" }
    } catch (error) {
      if (isFaultOfToken(error)) return { refused: 'invalid', reason: faultOf(error) }
      const where = options.jwksUri === undefined ? '' : ` at ${options.jwksUri}`
      const reason = `the keys of ${issuer}${where} cannot be read: ${reasonOf(error)}${causeOf(error)}`
      if (log !== undefined) failures.add(`T${reason.slice(1)}`)
      return { refused: 'unavailable', reason }
    }
  }
}

function keySource({ jwks, jwksUri }: BearerAuthOptions): (jose: typeof Jose) => JWTVerifyGetKey {
  if ((jwks === undefined) === (jwksUri === undefined))
    throw new ConfigurationError('invalid_option', `${WHAT} needs the keys of the issuer: either 'jwksUri' or 'jwks'.`)
  if (jwksUri !== undefined) checkUrl('jwksUri', jwksUri)
  if (jwks !== undefined && (!isRecord(jwks) || !Array.isArray(jwks.keys))) throw wrongOption('jwks', WHAT, 'a JSON Web Key Set')
  let source: JWTVerifyGetKey | undefined
  return (jose) =>
    (source ??=
      jwksUri === undefined ? jose.createLocalJWKSet(jwks as unknown as JSONWebKeySet) : jose.createRemoteJWKSet(new URL(jwksUri)))
}

/** What is wrong with a token, without any of it but the names of claims. */
function faultOf(error: unknown): string {
  const { code, claim } = error as { readonly code: string; readonly claim?: unknown }
  if (code === 'ERR_JWT_CLAIM_VALIDATION_FAILED') return `'${String(claim)}' of the token is not the expected one`
  return FAULTS[code] ?? 'the token is not one that can be read'
}

const FAULTS: Readonly<Record<string, string>> = {
  ERR_JWT_EXPIRED: 'the token has expired',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'the signature of the token is wrong',
  ERR_JOSE_ALG_NOT_ALLOWED: 'the token is signed by an algorithm that is not taken',
  ERR_JWKS_NO_MATCHING_KEY: 'the token is signed with a key that the issuer does not publish',
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: 'several keys of the issuer could have signed the token: it has no key id',
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  const reason = cause === undefined ? '' : reasonOf(cause)
  return reason === '' || reasonOf(error).includes(reason) ? '' : ` (${reason})`
}

/** All other errors are those of fetching the keys. */
function isFaultOfToken(error: unknown): boolean {
  const code = isRecord(error) || error instanceof Error ? (error as { readonly code?: unknown }).code : undefined
  return typeof code === 'string' && /^ERR_(?:JWT_|JWS_|JOSE_ALG|JOSE_NOT_SUPPORTED|JWKS_NO_MATCHING|JWKS_MULTIPLE)/.test(code)
}

/** As one text (RFC 9068), or as a list, which some issuers use. */
function scopesOf(claims: JWTPayload): readonly string[] {
  const given = claims['scope'] ?? claims['scp'] ?? []
  const words: readonly unknown[] = typeof given === 'string' ? given.split(' ') : Array.isArray(given) ? given : []
  return words.filter((each) => typeof each === 'string' && each !== '') as readonly string[]
}

function checkUrl(option: string, given: unknown): void {
  const url = typeof given === 'string' && URL.canParse(given) ? new URL(given) : undefined
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))) return
  throw wrongOption(option, WHAT, `a URL with https (http for this machine only), not ${quote(given)}`)
}

async function loadJose(): Promise<typeof Jose> {
  const purpose = 'to check access tokens'
  try {
    return usablePackage(await import('jose'), 'jose', { purpose, needs: ['jwtVerify', 'createRemoteJWKSet'] })
  } catch (cause) {
    throw missingPackage(cause, 'jose', purpose)
  }
}
