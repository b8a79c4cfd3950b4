import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callOperations } from '../../../../test/openapi/call-operations.ts'
import { mockService } from '../../../../test/openapi/mock-service.ts'
import { SHOP } from '../../../../test/openapi/shop-document.ts'
import { compileJsonSchema } from '../../../schema/compile-json-schema.ts'
import { fromOpenApi } from './from-openapi.ts'
import type { FromOpenApiOptions } from './openapi-options.ts'

const ACCESS = { access: { privateHosts: ['127.0.0.1:*'] } }

interface Heard {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

const heard: Heard[] = []
let answer: { readonly status: number; readonly body?: unknown } = { status: 204 }
const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const { method = '', url = '', headers } = request
    heard.push({ method, url, headers, body: Buffer.concat(chunks).toString() })
    response.writeHead(answer.status, answer.body === undefined ? {} : { 'content-type': 'application/json' })
    response.end(answer.body === undefined ? undefined : JSON.stringify(answer.body))
  })
})
let url: string
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/base/`
})
afterAll(() => server.close())

const secrets = { get: (name: string) => `value-of-${name}` }

async function toolNamed(name: string, options: FromOpenApiOptions = {}) {
  const { tools } = await fromOpenApi(SHOP, { server: url, ...ACCESS, ...options })
  const found = tools.find((each) => each.name === name)
  if (found === undefined) throw new Error(`no tool ${name} among ${tools.map((each) => each.name).join(', ')}`)
  return found
}

async function sent(name: string, input: Readonly<Record<string, unknown>>, options: FromOpenApiOptions = {}): Promise<Heard> {
  const tool = await toolNamed(name, { outputs: 'none', ...options })
  answer = { status: 200 }
  heard.splice(0)
  expect(await tool.call(input, { secrets })).toMatchObject({ ok: true })
  return heard[0] as Heard
}

describe('every operation', () => {
  test('becomes a tool or is listed with a reason, and names are told where they had to change [T17]', async () => {
    const { tools, skipped, renamed } = await fromOpenApi(SHOP, { server: 'https://shop.example' })
    expect(tools.map(({ name, effect, idempotent }) => [name, effect, idempotent])).toEqual([
      ['products_list', 'read', true],
      ['products_list_2', 'irreversible', 'keyed'],
      ['get_product', 'read', true],
      ['put_product', 'write', false],
      ['delete_products_product_id', 'irreversible', false],
      ['points', 'read', true],
      ['order', 'irreversible', false],
      ['note', 'irreversible', false],
      ['pay', 'irreversible', false],
    ])
    expect(skipped.map(({ operation, reason }) => `${operation.operationId}: ${reason}`)).toEqual([
      'upload: its body is image/png, which cannot be made of an input of JSON',
      'events: its answer is a stream of events, which has no end',
      "digest: its security scheme 'digest' is HTTP 'digest', which is not supported",
      'away: the reference "./other.yaml#/a" leads out of the document. Bundle the document first',
    ])
    expect(renamed.map(({ name, reason }) => `${name}: ${reason}`)).toEqual([
      "products_list: it has characters that are no letters, digits or '_'",
      "products_list_2: another operation has the name 'products_list'",
      'delete_products_product_id: the document gives it no operationId',
    ])
  })

  test('has schemas that compile, without secrets in them, and cycles stay references', async () => {
    const { tools } = await fromOpenApi(SHOP, { server: 'https://shop.example' })
    for (const tool of tools) expect(() => compileJsonSchema(tool.specification.parameters, tool.name)).not.toThrow()
    const { parameters } = (await toolNamed('products_list')).specification
    expect(Object.keys(parameters['properties'] as object)).toEqual(['ids', 'tag', 'sizes', 'filter', 'where', 'limit', 'X-Trace', 'theme'])
    expect(parameters).toMatchObject({
      additionalProperties: false,
      properties: { limit: { type: 'integer', exclusiveMinimum: 0, maximum: 100, description: 'Default: 10.' } },
    })
    const made = (await toolNamed('products_list_2')).specification.parameters
    expect(made).toMatchObject({
      required: ['body'],
      properties: { body: { $ref: '#/$defs/Product' } },
      $defs: {
        Product: {
          required: ['name'],
          properties: {
            note: { type: ['string', 'null'], enum: ['a', 'b', null] },
            parts: { items: { $ref: '#/$defs/Product' } },
            related: { anyOf: [{ allOf: [{ $ref: '#/$defs/Product' }] }, { type: 'null' }] },
          },
        },
      },
    })
    expect(JSON.stringify(made)).not.toContain('"id"')
  })

  test('is called against a service that judges requests by the document [T17]', async () => {
    const mock = await mockService(SHOP)
    try {
      const { tools } = await fromOpenApi(SHOP, { server: mock.url, ...ACCESS, exclude: ['points'] })
      const called = await callOperations(tools as never, 20)
      expect(called.filter(({ ok }) => !ok)).toEqual([])
      expect(mock.problems).toEqual([])
      expect(called).toHaveLength(8)
    } finally {
      await mock.close()
    }
  })
})

describe('a request', () => {
  test('writes parameters of the query, of headers and of cookies in their styles [T17]', async () => {
    const { url: asked, headers } = await sent('products_list', {
      ids: [1, 2],
      tag: ['a b', 'c&d'],
      sizes: ['s', 'm'],
      filter: { price: { from: 5 } },
      where: { a: 1 },
      limit: 5,
      'X-Trace': ['x', 'y'],
      theme: 'a;b',
    })
    const query = new URLSearchParams(asked.split('?')[1])
    expect(asked.split('?')[0]).toBe('/base/products')
    expect([...query]).toEqual([
      ['ids', '1,2'],
      ['tag', 'a b'],
      ['tag', 'c&d'],
      ['sizes', 's|m'],
      ['filter[price][from]', '5'],
      ['where', '{"a":1}'],
      ['limit', '5'],
    ])
    expect(headers).toMatchObject({ 'x-trace': 'x,y', cookie: 'theme=a%3Bb', 'x-key': 'value-of-key' })
  })

  test('writes parameters of the path in their styles, and none leaves its place', async () => {
    const input = { simple: ['a/b', 'c,d'], label: ['x', 'y'], matrix: '..', exploded: { x: 1, y: 2 } }
    expect((await sent('points', input)).url).toBe('/base/points/a%2Fb,c%2Cd/.x.y/;matrix=../;x=1;y=2')
    const points = await toolNamed('points')
    expect(await points.call({ ...input, simple: ['..'] }, { secrets })).toMatchObject({
      ok: false,
      error: { code: 'invalid_input', outcome: 'not_started' },
    })
    expect(await points.call({ ...input, simple: [] }, { secrets })).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
  })

  test('refuses an item that would arrive as two', async () => {
    const list = await toolNamed('products_list')
    expect(await list.call({ sizes: ['a|b', 'c'] }, { secrets })).toMatchObject({
      ok: false,
      error: { code: 'invalid_input', outcome: 'not_started' },
    })
  })

  test('writes forms and parts', async () => {
    expect(await sent('order', { body: { items: ['a', 'b&'], address: { city: 'Ulm' } } })).toMatchObject({
      body: 'items=a&items=b%26&address%5Bcity%5D=Ulm',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    const { body, headers } = await sent('note', { body: { text: 'a\r\n--b', meta: { c: 1 } } })
    const form = await new Response(body, { headers: { 'content-type': String(headers['content-type']) } }).formData()
    expect([...form]).toEqual([
      ['text', 'a\r\n--b'],
      ['meta', '{"c":1}'],
    ])
  })

  test('carries the idempotency key where the document has a header for it, and nowhere else', async () => {
    expect((await sent('products_list_2', { body: { name: 'a' } })).headers['idempotency-key']).toMatch(/./)
    expect((await sent('order', { body: { items: [] } })).headers['idempotency-key']).toBeUndefined()
  })

  test('carries secrets by name, as the document says', async () => {
    expect((await sent('pay', { body: { kind: 'card' } })).headers).toMatchObject({ authorization: 'Bearer value-of-login' })
    const both = await sent('pay', { body: { kind: 'card' } }, { auth: { key: 'SHOP_KEY', basic: { secret: 'SHOP_LOGIN', as: 'basic' } } })
    expect(both.headers).toMatchObject({ 'x-key': 'value-of-SHOP_KEY', authorization: `Basic ${btoa('value-of-SHOP_LOGIN')}` })
    expect((await sent('get_product', { 'product-id': 'a' })).headers['x-key']).toBeUndefined()
    expect(
      (await sent('points', { simple: ['a'], label: ['b'], matrix: 'c', exploded: { x: 1 } }, { auth: false })).headers['x-key'],
    ).toBeUndefined()
  })

  test('takes one option of a union by its discriminator', async () => {
    const pay = await toolNamed('pay')
    answer = { status: 200, body: null }
    expect(await pay.call({ body: { kind: 'card' } }, { secrets })).toMatchObject({ ok: true, value: null })
    expect(await pay.call({ body: { kind: 'Transfer' } }, { secrets })).toMatchObject({ ok: true })
    expect(await pay.call({ body: { kind: 'cash' } }, { secrets })).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
  })

  test('with two parameters of one name has two fields', async () => {
    expect((await sent('get_product', { 'product-id': 'a', 'product-id_2': true })).url).toBe('/base/products/a?product-id=true')
  })
})

test('an answer that does not fit the document is a failure, unless outputs are not checked', async () => {
  answer = { status: 200, body: [{ id: 'a' }] }
  expect(await (await toolNamed('products_list')).call({}, { secrets })).toMatchObject({ ok: false, error: { code: 'invalid_output' } })
  expect(await (await toolNamed('products_list', { outputs: 'none' })).call({}, { secrets })).toMatchObject({ ok: true })
  answer = { status: 200, body: [{ id: 'a', name: 'b' }] }
  expect(await (await toolNamed('products_list')).call({}, { secrets })).toMatchObject({ ok: true, value: [{ id: 'a', name: 'b' }] })
})

describe('options', () => {
  test('choose operations and change their tools', async () => {
    const { tools } = await fromOpenApi(SHOP, {
      server: 'https://shop.example',
      include: ['tag:products', 'GET /products/*', 'pay'],
      exclude: (operation) => operation.deprecated,
      prefix: 'shop_',
      operation: ({ operationId }) =>
        operationId === 'pay' ? { name: 'pay_now', title: 'Pay', effect: 'write', permissions: ['pay'], requireApproval: true } : undefined,
    })
    expect(tools.map(({ name, effect, permissions }) => [name, effect, permissions])).toEqual([
      ['shop_products_list', 'read', []],
      ['pay_now', 'write', ['pay']],
    ])
    expect(tools[1]?.title).toBe('Pay')
    await expect(
      tools[1]?.call({ body: { kind: 'card' } }, { secrets, principal: { id: 'ada', permissions: ['pay'] } }),
    ).rejects.toMatchObject({ code: 'missing_review_handler' })
  })

  test('fill the variables of the server', async () => {
    const points = { include: ['points'], auth: { key: 'SHOP_KEY' }, access: { allowHosts: ['*.shop.example'] } }
    expect((await fromOpenApi(SHOP, points)).tools[0]?.source).toBe('eu.shop.example')
    expect((await fromOpenApi(SHOP, { ...points, serverVariables: { region: 'us' } })).tools[0]?.source).toBe('us.shop.example')
    expect((await fromOpenApi(SHOP, { ...points, serverVariables: { region: 'mars' } })).skipped[0]?.reason).toMatch(
      /must be one of "eu", "us"/,
    )
  })

  test.each([
    ['a document that is none', { info: {} }, {}],
    ['a text that is none', '{"openapi": ', {}],
    ['another version', { openapi: '4.0.0', paths: {} }, {}],
    ['an operation that is not there', SHOP, { include: ['pey'] }],
    ['a scheme that is not there', SHOP, { auth: { keys: 'A' } }],
    ['a secret without a name', { ...SHOP, paths: {} }, { auth: { key: '' } }],
    ['a secret that is none', { ...SHOP, paths: {} }, { auth: { key: 7 } }],
    ['an option that is none', SHOP, { includes: [] }],
    ['an option of an operation that is none', SHOP, { operation: () => ({ effects: 'read' }) }],
  ])('%s is a mistake in the program', async (_what, document, options) => {
    await expect(fromOpenApi(document, options as never)).rejects.toMatchObject({ name: 'ConfigurationError' })
  })
})

describe('other forms of documents', () => {
  test('YAML, by the optional package', async () => {
    const yaml =
      'openapi: 3.1.0\ninfo: { title: a, version: "1" }\nservers: [{ url: https://a.example }]\npaths:\n  /a:\n    get:\n      operationId: a\n      responses: {}\n'
    expect((await fromOpenApi(yaml)).tools.map(({ name }) => name)).toEqual(['a'])
  })

  test('Swagger 2.0, upgraded', async () => {
    const swagger = {
      swagger: '2.0',
      info: { title: 'a', version: '1' },
      host: 'a.example',
      schemes: ['https'],
      basePath: '/v2',
      paths: {
        '/pets': {
          post: {
            operationId: 'addPet',
            consumes: ['application/json'],
            parameters: [{ name: 'pet', in: 'body', required: true, schema: { $ref: '#/definitions/Pet' } }],
            responses: {},
          },
        },
      },
      definitions: { Pet: { type: 'object', properties: { name: { type: 'string' } } } },
    }
    const { tools, skipped } = await fromOpenApi(swagger)
    expect(skipped).toEqual([])
    expect(tools[0]?.specification.parameters).toMatchObject({ required: ['body'], properties: { body: { $ref: '#/$defs/Pet' } } })
    expect(tools[0]?.source).toBe('a.example')
  })
})

test('a document is not changed, and what is done to it later reaches no tool', async () => {
  const document = structuredClone(SHOP) as { paths: Record<string, unknown> }
  const before = JSON.stringify(document)
  const { tools } = await fromOpenApi(document)
  void tools.map(({ specification }) => specification.parameters)
  expect(JSON.stringify(document)).toBe(before)
  expect(Object.isFrozen(document.paths)).toBe(false)
})

test('references that multiply stay small: 2^60 ways through a document', async () => {
  const schemas = Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [
      `S${index}`,
      {
        type: 'object',
        properties: { a: { $ref: `#/components/schemas/S${index + 1}` }, b: { $ref: `#/components/schemas/S${index + 1}` } },
      },
    ]),
  )
  const document = {
    openapi: '3.1.0',
    info: {},
    servers: [{ url: 'https://a.example' }],
    paths: {
      '/a': {
        post: {
          operationId: 'a',
          requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/S0' } } } },
          responses: {},
        },
      },
    },
    components: { schemas: { ...schemas, S60: { $ref: '#/components/schemas/S0' } } },
  }
  const { tools } = await fromOpenApi(document)
  expect(JSON.stringify(tools[0]?.specification.parameters).length).toBeLessThan(10_000)
})
