import { Ajv, type ValidateFunction } from 'ajv'
import { type } from 'arktype'
import { fastify } from 'fastify'
import { Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { search } from 'jmespath'
import { createLocalJWKSet, createRemoteJWKSet, decodeJwt, exportJWK, generateKeyPair, jwtDecrypt, jwtVerify, SignJWT } from 'jose'
import * as v from 'valibot'
import * as z from 'zod'
import type { MisbehavingServers } from './misbehaving-servers.ts'
import { type RealError, realErrors } from './real-error.ts'

const secret = new TextEncoder().encode('a secret of the tests, which is long enough')
const signed = (claims: object, expires: string | number = '1h'): Promise<string> =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256' }).setExpirationTime(expires).sign(secret)

async function signedByNobody(): Promise<string> {
  const { privateKey } = await generateKeyPair('ES256')
  return new SignJWT({}).setProtectedHeader({ alg: 'ES256', kid: 'unknown' }).sign(privateKey)
}

async function keySet(): Promise<ReturnType<typeof createLocalJWKSet>> {
  const { publicKey } = await generateKeyPair('ES256', { extractable: true })
  return createLocalJWKSet({ keys: [{ ...(await exportJWK(publicKey)), kid: 'known', alg: 'ES256' }] })
}

function issuesOf(validate: ValidateFunction): unknown {
  validate(5)
  return validate.errors
}

function thrown(error: unknown): never {
  throw error
}

/** What the error handler of an application in Fastify gets. */
async function fastened(payload: string, contentType = 'application/json'): Promise<never> {
  const app = fastify({ bodyLimit: 100 })
  let failed: unknown
  app.setErrorHandler((error, _request, reply) => {
    failed = error
    return reply.send('')
  })
  app.post('/', { schema: { body: { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } } } }, () => '')
  await app.inject({ method: 'POST', url: '/', payload, headers: { 'content-type': contentType } })
  throw failed
}

export function dataErrors({ http }: MisbehavingServers): readonly RealError[] {
  return [
    ...realErrors('zod', [
      ['input of another shape', 'invalid_request', 'failed', () => z.object({ n: z.number() }).parse({ n: 'x' })],
      ['the same with promises', 'invalid_request', 'failed', () => z.object({ n: z.number() }).parseAsync({ n: 'x' })],
      [
        'a check with promises, without waiting',
        'tool_crashed',
        'failed',
        () =>
          z
            .string()
            .refine(async () => true)
            .parse('a'),
      ],
    ]),
    ...realErrors('zod', [
      ['issues that were thrown', 'invalid_request', 'failed', () => thrown(z.string().safeParse(5).error?.issues)],
      [
        'issues in an error',
        'invalid_request',
        'failed',
        () => thrown(Object.assign(new Error('Refused.'), { issues: z.string().safeParse(5).error?.issues })),
      ],
      [
        'issues in words',
        'invalid_request',
        'failed',
        () => thrown(new Error(z.prettifyError(z.string().safeParse(5).error ?? new z.ZodError([])))),
      ],
      [
        'a transform backwards',
        'tool_crashed',
        'failed',
        () => z.encode(z.string().transform((text) => text.length) as unknown as z.ZodNumber, 1),
      ],
    ]),
    ...realErrors('valibot', [
      ['input of another shape', 'invalid_request', 'failed', () => v.parse(v.object({ n: v.number() }), { n: 'x' })],
    ]),
    ...realErrors('arktype', [
      ['input of another shape', 'invalid_request', 'failed', () => type({ n: 'number' }).assert({ n: 'x' })],
      ['issues that were thrown', 'invalid_request', 'failed', () => thrown(type({ n: 'number' })({ n: 'x' }))],
      ['a definition that is none', 'tool_failed', 'failed', () => type('nonsense' as never)],
    ]),
    ...realErrors('ajv', [
      ['a type that does not exist', 'tool_crashed', 'failed', () => new Ajv().compile({ type: 'none' })],
      ['a keyword that does not exist', 'tool_crashed', 'failed', () => new Ajv().compile({ none: 1 })],
      ['issues that were thrown', 'invalid_request', 'failed', () => thrown(issuesOf(new Ajv().compile({ type: 'string' })))],
      [
        'input of another shape',
        'invalid_request',
        'failed',
        () => new Ajv().compile({ $async: true, type: 'object', required: ['n'] })({}),
      ],
      ['a reference to nothing', 'tool_crashed', 'failed', () => new Ajv().compile({ $ref: '#/definitions/none' })],
    ]),
    ...realErrors('jmespath', [
      ['a query that ends early', 'invalid_request', 'failed', () => search({}, 'a[')],
      ['a query with an odd sign', 'invalid_request', 'failed', () => search({}, 'a ~ b')],
      ['a function that does not exist', 'tool_failed', 'failed', () => search({}, 'no_such(a)')],
      ['a function of another type', 'tool_failed', 'failed', () => search({ a: 'x' }, 'abs(a)')],
    ]),
    ...realErrors('jose', [
      ['a token that has expired', 'access_denied', 'failed', async () => jwtVerify(await signed({}, 1), secret)],
      [
        'a token of another audience',
        'access_denied',
        'failed',
        async () => jwtVerify(await signed({ aud: 'b' }), secret, { audience: 'a' }),
      ],
      [
        'a token that somebody else signed',
        'access_denied',
        'failed',
        async () => jwtVerify(await signed({}), new TextEncoder().encode('another secret, which is long enough')),
      ],
      [
        'a token of an algorithm that is not allowed',
        'access_denied',
        'failed',
        async () => jwtVerify(await signed({}), secret, { algorithms: ['HS512'] }),
      ],
      ['a text that is no token', 'invalid_request', 'failed', () => jwtVerify('no token', secret)],
      ['a text that cannot be decoded', 'invalid_request', 'failed', () => decodeJwt('a.b.c')],
      ['a text that is not encrypted', 'invalid_request', 'failed', () => jwtDecrypt('a.b.c.d.e', secret)],
      ['a key that nobody knows', 'access_denied', 'failed', async () => jwtVerify(await signedByNobody(), await keySet())],
      [
        'keys that do not come in time',
        'service_unavailable',
        'unknown',
        async () => jwtVerify(await signedByNobody(), createRemoteJWKSet(new URL('/silent', http), { timeoutDuration: 40 })),
      ],
    ]),
    ...realErrors('fastify', [
      ['a body of another shape', 'invalid_request', 'failed', () => fastened('{"n":"x"}')],
      ['a body that is no JSON', 'invalid_request', 'failed', () => fastened('{a')],
      ['a body that is too large', 'invalid_request', 'failed', () => fastened(JSON.stringify('x'.repeat(200)))],
      ['a body of an unknown type', 'invalid_request', 'failed', () => fastened('x', 'text/odd')],
    ]),
    ...realErrors('hono', [
      ['an exception with a status', 'access_denied', 'failed', () => thrownInside(new HTTPException(403, { message: 'No.' }))],
      [
        'an exception with a response',
        'rate_limited',
        'failed',
        () => thrownInside(new HTTPException(429, { res: new Response('', { status: 429, headers: { 'retry-after': '9' } }) })),
        9000,
      ],
    ]),
  ]
}

/** What the error handler of an application in Hono gets. */
async function thrownInside(error: Error): Promise<never> {
  let failed: unknown
  const app = new Hono()
  app.get('/', () => {
    throw error
  })
  app.onError((caught, context) => {
    failed = caught
    return context.text('')
  })
  await app.request('/')
  throw failed
}
