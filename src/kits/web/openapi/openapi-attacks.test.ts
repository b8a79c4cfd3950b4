import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type LocalSite, localSite } from '../../../../test/fixtures/web/local-site.ts'
import { fromOpenApi } from './from-openapi.ts'
import type { FromOpenApiOptions } from './openapi-options.ts'

let service: LocalSite
beforeAll(async () => {
  service = await localSite((_request, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'))
})
beforeEach(() => void (service.seen.length = 0))
afterAll(() => service.close())

const access = { privateHosts: ['127.0.0.1:*'] }
const secrets = { get: (name: string) => `value-of-${name}` }
const DATABASE = { components: { securitySchemes: { DATABASE_URL: { type: 'apiKey', in: 'query', name: 'key' } } } }

/** A document with one operation, `GET /x/{id}`. */
function document(operation: object, more: object = {}): object {
  const get = { operationId: 'op', responses: {}, ...operation }
  return { openapi: '3.1.0', info: { title: 'a', version: '1' }, servers: [{ url: service.url }], ...more, paths: { '/x/{id}': { get } } }
}

async function call(made: object, input: Readonly<Record<string, unknown>>, options: FromOpenApiOptions = {}) {
  const { tools, skipped } = await fromOpenApi(made, { access, ...options })
  expect(skipped).toEqual([])
  return tools[0]?.call({ id: '1', ...input }, { secrets })
}

describe('secrets', () => {
  test('are not chosen by a document that also chooses who gets them [T17]', async () => {
    const made = document({ security: [{ DATABASE_URL: [] }] }, DATABASE)
    const { tools, skipped } = await fromOpenApi(made, { access })
    expect(tools).toEqual([])
    expect(skipped[0]?.reason).toContain("set 'server', or name the secret for DATABASE_URL in 'auth' and the host in 'allowHosts'")
    for (const options of [{ server: service.url }, { auth: { DATABASE_URL: 'KEY' } }])
      expect(await call(made, {}, options)).toMatchObject({ ok: true })
    expect(service.seen.map(({ url }) => url)).toEqual(['/x/1?key=value-of-DATABASE_URL', '/x/1?key=value-of-KEY'])
  })

  describe('go to nobody whom the document alone has chosen [T17]', () => {
    const stranger = [{ url: 'https://stranger.example' }]
    const secured = { security: [{ DATABASE_URL: [] }] }
    const auth = { DATABASE_URL: 'KEY' }
    // The service is there only when a test runs.
    const made = (): Readonly<Record<string, object>> => ({
      operation: document({ ...secured, servers: stranger }, DATABASE),
      path: {
        ...document({}, DATABASE),
        paths: { '/x/{id}': { servers: stranger, get: { operationId: 'op', responses: {}, ...secured } } },
      },
      document: document(secured, { ...DATABASE, servers: stranger }),
      variable: document(secured, {
        ...DATABASE,
        servers: [{ url: 'https://{who}', variables: { who: { default: 'stranger.example' } } }],
      }),
      port: document(secured, { ...DATABASE, servers: [{ url: 'https://own.example:8443' }] }),
      optional: document({ security: [{}, { DATABASE_URL: [] }], servers: stranger }, DATABASE),
    })
    const own = { allowHosts: ['own.example:443', '*.own.example'], privateHosts: ['127.0.0.1:*'] }
    test.for(['operation', 'path', 'document', 'variable', 'port', 'optional'])('%s', async (name) => {
      const each = made()[name]
      for (const limits of [undefined, own]) {
        const { tools, skipped } = await fromOpenApi(each, { auth, access: limits })
        expect(tools).toEqual([])
        expect(skipped[0]?.reason).toMatch(/^the document alone would choose that https:\/\/\S+ gets the secret: set 'server'/)
      }
      expect((await fromOpenApi(each, { auth: false })).tools).toHaveLength(1)
      expect((await fromOpenApi(each, { auth, server: 'https://own.example' })).tools).toHaveLength(1)
    })

    test('a host that the program names gets them, and not without encryption', async () => {
      const at = async (url: string) => fromOpenApi(document(secured, { ...DATABASE, servers: [{ url }] }), { auth, access: own })
      expect((await at('https://own.example')).tools).toHaveLength(1)
      expect((await at('https://eu.own.example')).tools).toHaveLength(1)
      expect((await at('http://eu.own.example')).skipped[0]?.reason).toContain('without encryption')
      expect((await at('http://127.0.0.1:7')).tools).toHaveLength(1)
    })
  })

  test('have a place that no field of an input can take, also where the program has chosen it', async () => {
    const parameters = [{ name: 'filter', in: 'query', schema: { type: 'object', additionalProperties: { type: 'string' } } }]
    const made = document({ security: [{ DATABASE_URL: [] }], parameters }, DATABASE)
    for (const [options, field] of [
      [{ auth: { DATABASE_URL: 'KEY' } }, 'key'],
      [{ auth: { DATABASE_URL: { secret: 'KEY', query: 'token' } } }, 'Token'],
    ] as const)
      expect(await call(made, { filter: { [field]: 'mine' } }, options)).toMatchObject({ error: { code: 'invalid_input' } })
    expect(service.seen).toEqual([])
  })
})

describe('a value stays in its place [T17]', () => {
  const list = { type: 'array', items: { type: 'string' } }
  const open = { type: 'object' }
  test.for([
    ['a list of one item that holds the delimiter', { in: 'query', explode: false, schema: list }, ['a,b']],
    ['the same in a header', { in: 'header', schema: list }, ['a,b']],
    ['a name with the delimiter in a header', { in: 'header', explode: true, schema: open }, { 'a,b': 'c' }],
    ['a name with = in a header', { in: 'header', explode: true, schema: open }, { 'a=b': 'c' }],
    ['a name that leaves its brackets', { in: 'query', style: 'deepObject', schema: open }, { 'a][b': 'c' }],
    ['half of a surrogate pair in a query', { in: 'query', schema: { type: 'string' } }, '\ud800'],
    ['half of a surrogate pair in a cookie', { in: 'cookie', schema: { type: 'string' } }, '\ud800'],
    ['half of a surrogate pair in a name', { in: 'query', schema: open }, { 'a\ud800': 'b' }],
    ['a field that is another parameter', { in: 'query', schema: open }, { page: '9' }],
  ] as const)('%s is refused', async ([, parameter, value]) => {
    const made = document({
      parameters: [
        { name: 'value', ...parameter },
        { name: 'page', in: 'query', schema: { type: 'integer' } },
      ],
    })
    expect(await call(made, { value })).toMatchObject({ ok: false, error: { code: 'invalid_input', outcome: 'not_started' } })
    expect(service.seen).toEqual([])
  })

  test.for([
    ['a list', list, ['a.b']],
    ['a list of one item', list, ['.']],
    ['an object', open, { a: 'b.c' }],
    ['a name of an object', open, { 'a.b': 'c' }],
  ] as const)('a dot in %s of a path of labels is refused', async ([, schema, id]) => {
    const made = document({ parameters: [{ name: 'id', in: 'path', required: true, style: 'label', explode: true, schema }] })
    expect(await call(made, { id })).toMatchObject({ ok: false, error: { code: 'invalid_input', outcome: 'not_started' } })
    expect(await call(made, { id: schema === list ? ['a', 'b'] : { a: 'b' } })).toMatchObject({ ok: true })
    expect(service.seen.map(({ url }) => url)).toEqual([schema === list ? '/x/.a.b' : '/x/.a=b'])
  })

  test('the name of a cookie begins no other cookie', async () => {
    await call(document({ parameters: [{ name: 'c', in: 'cookie', schema: open }] }), { c: { 'a=b; session': 'x' } })
    expect(service.seen[0]?.headers['cookie']).toBe('a%3Db%3B%20session=x')
  })

  test('a text may hold commas, and a list without the delimiter is one', async () => {
    const parameters = [
      { name: 'text', in: 'header', schema: { type: 'string' } },
      { name: 'list', in: 'query', explode: false, schema: list },
    ]
    expect(await call(document({ parameters }), { text: 'a,b', list: ['c', 'd'] })).toMatchObject({ ok: true })
    expect(service.seen[0]).toMatchObject({ url: '/x/1?list=c%2Cd', headers: { text: 'a,b' } })
  })
})

test.for(['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__'])('a parameter may be named %s', async (name) => {
  const made = document({ parameters: [{ name, in: 'query', schema: { type: 'string' } }] })
  expect(await call(made, {})).toMatchObject({ ok: true })
  expect(service.seen[0]?.url).toBe('/x/1')
})

test.for(['http://', 'http://[', 'http://127.0.0.1:99999', 'https://exa mple', 'http://%zz', 'https://a*b.example', 'https://*.example'])(
  'the server %s is a reason, and no crash',
  async (url) => {
    const { tools, skipped } = await fromOpenApi(document({}, { servers: [{ url }] }))
    expect(tools).toEqual([])
    expect(skipped[0]?.reason).toContain("set 'server'")
  },
)

describe('a document of objects', () => {
  const nested = (levels: number, around: (inner: object) => object): object => {
    let schema: object = { type: 'string' }
    for (let level = 0; level < levels; level++) schema = around(schema)
    return schema
  }
  const itself: Record<string, unknown> = { type: 'object' }
  itself['properties'] = { again: itself }
  test.for([
    ['that holds itself', itself, /holds itself/],
    ['without an end', nested(20_000, (inner) => ({ items: inner })), /more than 500 levels/],
    ['that doubles at every level', nested(60, (inner) => ({ properties: { a: inner, b: inner } })), /more than 5000000 parts/],
  ] as const)('%s is refused at once', async ([, schema, why]) => {
    const made = document({ parameters: [{ name: 'a', in: 'query', schema }] })
    await expect(fromOpenApi(made)).rejects.toMatchObject({ code: 'invalid_option', message: expect.stringMatching(why) })
  })
})
