import type { BenchOutput } from '../bench-output.ts'
import { all, question } from '../outputs/shared.ts'
import { randomOf } from '../random.ts'
import { absent, coined, countBy, filler, inside, tally, times } from './shared.ts'

/** The description of a web API, as JSON. */
export function apiDescription(seed: number): BenchOutput {
  const random = randomOf(seed)
  const resources = [...new Set(times(60, () => `${coined(random, 2)}s`))]
  const scopes = ['read', 'write', 'admin']
  const paths: Record<string, Record<string, unknown>> = {}
  const operations: { id: string; path: string; method: string; scope: string; limit: number; isDeprecated: boolean }[] = []
  const add = (path: string, method: string, id: string): void => {
    const each = { id, path, method, scope: random.pick(scopes), limit: random.int(20, 100), isDeprecated: false }
    operations.push(each)
    paths[path] ??= {}
    paths[path][method] = {
      operationId: id,
      summary: filler(random, 8),
      parameters: [
        { name: 'limit', in: 'query', schema: { type: 'integer', maximum: each.limit, default: 20 } },
        { name: 'X-Request-Id', in: 'header', schema: { type: 'string', format: 'uuid' } },
      ],
      security: [{ oauth: [each.scope] }],
      responses: { 200: { description: 'OK' }, 404: { description: 'Not found' }, 429: { description: 'Too many requests' } },
    }
  }
  for (const name of resources) {
    const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}`
    add(`/v2/${name}`, 'get', `list${title}`)
    add(`/v2/${name}`, 'post', `create${title}`)
    add(`/v2/${name}/{id}`, 'get', `get${title}`)
    if (random.chance(0.5)) add(`/v2/${name}/{id}`, 'delete', `delete${title}`)
  }
  const old = inside(random, operations)
  old.isDeprecated = true
  Object.assign(paths[old.path]?.[old.method] ?? {}, { deprecated: true, 'x-sunset': '2026-12-05' })
  const wide = inside(random, operations)
  wide.limit = random.int(1200, 5000)
  Object.assign(paths[wide.path]?.[wide.method] ?? {}, {
    parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer', maximum: wide.limit } }],
  })
  const asked = inside(random, operations)
  const schemas = Object.fromEntries(
    resources.map((name) => [
      name,
      {
        type: 'object',
        required: ['id', 'createdAt'],
        properties: {
          id: { type: 'string' },
          createdAt: { type: 'string', format: 'date-time' },
          [coined(random, 3)]: { type: 'number' },
          state: { type: 'string', enum: ['draft', 'live', 'gone'] },
        },
      },
    ]),
  )
  const owner = random.pick(resources)
  const property = Object.keys(schemas[owner]?.properties ?? {})[2] ?? ''
  const methods = countBy(operations, (each) => each.method)
  const tokenUrl = `https://login.example/${random.hex(8)}/token`
  const mail = `api-${random.hex(4)}@maker.example`
  return {
    name: 'api description',
    task: 'Work out how to call this API.',
    value: {
      openapi: '3.1.0',
      info: { title: 'Depot API', version: '2.19.4', contact: { email: mail } },
      servers: [{ url: 'https://eu.depot.example/api' }, { url: 'https://sandbox.depot.example/api', description: 'Sandbox' }],
      paths,
      components: {
        schemas,
        securitySchemes: {
          oauth: { type: 'oauth2', flows: { clientCredentials: { tokenUrl, scopes: { read: 'Read', write: 'Write', admin: 'All' } } } },
        },
      },
    },
    questions: [
      question('needle', 'Which version of the API is this?', all('2.19.4'), [{ path: 'info' }, { query: 'version' }]),
      question('needle', 'Where does one get a token?', all(tokenUrl), [{ query: 'tokenUrl' }]),
      question('needle', 'What is the address of the sandbox?', all('https://sandbox.depot.example/api'), [
        { query: 'sandbox' },
        { path: 'servers' },
      ]),
      question(
        'needle',
        'Which operation is deprecated, and when does it go?',
        [[old.id, old.path], ['2026-12-05']],
        [{ query: 'deprecated' }],
      ),
      question(
        'extreme',
        'Which operation allows the largest limit?',
        [[wide.id, wide.path], [String(wide.limit)]],
        [{ query: String(wide.limit) }, { aggregate: { top: 'maximum' } }, { aggregate: { top: 'schema.maximum' } }],
      ),
      question(
        'needle',
        `Which scope does ${asked.id} need?`,
        [[asked.id], [`"${asked.scope}"`, `oauth ${asked.scope}`, `oauth: ${asked.scope}`]],
        [{ query: asked.id }],
      ),
      question(
        'total',
        'How many paths does the API have?',
        [
          [
            ...tally('paths', Object.keys(paths).length),
            `${Object.keys(paths).length} paths`,
            `${Object.keys(paths).length} keys`,
            `${Object.keys(paths).length} entries`,
            `${Object.keys(paths).length} items`,
            String(Object.keys(paths).length) + ' values',
          ],
        ],
        [{ path: 'length(keys(paths))' }, { aggregate: { table: 'paths', count: true } }],
      ),
      question(
        'group',
        'How many delete operations are there?',
        [tally('delete', methods['delete'] ?? 0)],
        [{ query: '"delete"' }, { query: 'delete' }],
      ),
      question('needle', `Which property besides id, createdAt and state has the schema ${owner}?`, all(property), [
        { path: `components.schemas.${owner}` },
      ]),
      question('needle', 'Which states can a resource have?', all('draft', 'live', 'gone'), [{ query: 'enum' }, { query: 'state' }]),
      question('needle', 'Whom can one write to about the API?', all(mail), [{ path: 'info' }, { query: 'contact' }]),
      { ...question('absence', 'Is there a patch operation?', [], [{ query: '"patch"' }, { query: 'patch' }]), ...absent(methods) },
    ],
  }
}
