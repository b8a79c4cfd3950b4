/** A document of OpenAPI 3.0 with every way to write a parameter, cycles, `nullable`, unions with a discriminator, and operations that cannot be tools. */
export const SHOP = {
  openapi: '3.0.3',
  info: { title: 'Shop', version: '1.0.0' },
  servers: [
    {
      url: 'https://{region}.shop.example/{version}',
      variables: { region: { default: 'eu', enum: ['eu', 'us'] }, version: { default: 'v1' } },
    },
  ],
  security: [{ key: [] }],
  paths: {
    '/products': {
      get: {
        operationId: 'products/list',
        summary: 'Lists products',
        tags: ['products'],
        parameters: [
          { name: 'ids', in: 'query', style: 'form', explode: false, schema: { type: 'array', items: { type: 'integer' } } },
          { name: 'tag', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
          { name: 'sizes', in: 'query', style: 'pipeDelimited', explode: false, schema: { type: 'array', items: { type: 'string' } } },
          {
            name: 'filter',
            in: 'query',
            style: 'deepObject',
            explode: true,
            schema: { type: 'object', properties: { price: { type: 'object', properties: { from: { type: 'number' } } } } },
          },
          {
            name: 'where',
            in: 'query',
            content: { 'application/json': { schema: { type: 'object', properties: { a: { type: 'integer' } } } } },
          },
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 0, exclusiveMinimum: true, maximum: 100, default: 10 } },
          { name: 'X-Trace', in: 'header', schema: { type: 'array', items: { type: 'string' } } },
          { name: 'theme', in: 'cookie', schema: { type: 'string' } },
          { name: 'Authorization', in: 'header', schema: { type: 'string' } },
          { name: 'X-Key', in: 'header', schema: { type: 'string' } },
        ],
        responses: {
          200: {
            description: 'ok',
            content: { 'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Product' } } } },
          },
        },
      },
      post: {
        operationId: 'products-list',
        description: 'Makes a product.',
        parameters: [{ name: 'Idempotency-Key', in: 'header', required: true, schema: { type: 'string' } }],
        requestBody: { required: true, content: { 'application/json': { schema: { $ref: '#/components/schemas/Product' } } } },
        responses: { 201: { description: 'made', content: { 'application/json': { schema: { $ref: '#/components/schemas/Product' } } } } },
      },
    },
    '/products/{product-id}': {
      parameters: [{ name: 'product-id', in: 'path', required: true, schema: { type: 'string' } }],
      get: {
        operationId: 'get_product',
        deprecated: true,
        security: [],
        parameters: [{ name: 'product-id', in: 'query', schema: { type: 'boolean' } }],
        responses: { 200: { $ref: '#/components/responses/Product' }, 404: { description: 'none' } },
      },
      put: {
        operationId: 'put_product',
        requestBody: { content: { 'application/merge-patch+json': { schema: { $ref: '#/components/schemas/Product' } } } },
        responses: { 204: { description: 'done' } },
      },
      delete: { responses: { 204: { description: 'gone' } } },
    },
    '/points/{simple}/{label}/{matrix}/{exploded}': {
      get: {
        operationId: 'points',
        parameters: [
          { name: 'simple', in: 'path', required: true, schema: { type: 'array', items: { type: 'string' } } },
          {
            name: 'label',
            in: 'path',
            required: true,
            style: 'label',
            explode: true,
            schema: { type: 'array', items: { type: 'string' } },
          },
          { name: 'matrix', in: 'path', required: true, style: 'matrix', schema: { type: 'string' } },
          {
            name: 'exploded',
            in: 'path',
            required: true,
            style: 'matrix',
            explode: true,
            schema: { type: 'object', properties: { x: { type: 'integer' }, y: { type: 'integer' } } },
          },
        ],
        responses: { 200: { description: 'ok', content: { 'text/plain': { schema: { type: 'string' } } } } },
      },
    },
    '/orders': {
      post: {
        operationId: 'order',
        requestBody: {
          required: true,
          content: {
            'application/x-www-form-urlencoded': {
              schema: {
                type: 'object',
                required: ['items'],
                properties: {
                  items: { type: 'array', items: { type: 'string' } },
                  address: { type: 'object', properties: { city: { type: 'string' } } },
                },
              },
              encoding: { address: { style: 'deepObject', explode: true } },
            },
          },
        },
        responses: { 200: { description: 'ok' } },
      },
    },
    '/notes': {
      post: {
        operationId: 'note',
        requestBody: {
          content: {
            'multipart/form-data': {
              schema: {
                type: 'object',
                required: ['text'],
                properties: { text: { type: 'string' }, meta: { type: 'object' }, file: { type: 'string', format: 'binary' } },
              },
            },
          },
        },
        responses: { 200: { description: 'ok', content: { 'application/json': { schema: {} } } } },
      },
    },
    '/pay': {
      post: {
        operationId: 'pay',
        security: [{ login: ['pay'] }, { key: [], basic: [] }],
        requestBody: { required: true, content: { 'application/json': { schema: { $ref: '#/components/schemas/Payment' } } } },
        responses: { 200: { description: 'ok', content: { 'application/json': { schema: { type: 'object', nullable: true } } } } },
      },
    },
    '/upload': { put: { operationId: 'upload', requestBody: { required: true, content: { 'image/png': {} } }, responses: {} } },
    '/events': { get: { operationId: 'events', responses: { 200: { description: 'ok', content: { 'text/event-stream': {} } } } } },
    '/digest': { get: { operationId: 'digest', security: [{ digest: [] }], responses: {} } },
    '/away': { get: { operationId: 'away', parameters: [{ $ref: './other.yaml#/a' }], responses: {} } },
  },
  components: {
    securitySchemes: {
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
      basic: { type: 'http', scheme: 'basic' },
      login: { type: 'oauth2', flows: {} },
      digest: { type: 'http', scheme: 'digest' },
    },
    responses: { Product: { description: 'ok', content: { 'application/json': { schema: { $ref: '#/components/schemas/Product' } } } } },
    schemas: {
      Product: {
        type: 'object',
        required: ['id', 'name'],
        properties: {
          id: { type: 'string', readOnly: true },
          name: { type: 'string', minLength: 1 },
          secret: { type: 'string', writeOnly: true },
          note: { type: 'string', nullable: true, enum: ['a', 'b'] },
          parts: { type: 'array', items: { $ref: '#/components/schemas/Product' } },
          related: { nullable: true, allOf: [{ $ref: '#/components/schemas/Product' }] },
        },
      },
      Payment: {
        oneOf: [{ $ref: '#/components/schemas/Card' }, { $ref: '#/components/schemas/Transfer' }],
        discriminator: { propertyName: 'kind', mapping: { card: '#/components/schemas/Card' } },
      },
      Card: { type: 'object', required: ['kind'], properties: { kind: { type: 'string' }, number: { type: 'string' } } },
      Transfer: { type: 'object', required: ['kind'], properties: { kind: { type: 'string' }, iban: { type: 'string' } } },
    },
  },
} as const
