import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Ajv, type ValidateFunction } from 'ajv'
import { NoSample, sampleValue } from './sample-value.ts'

type Node = Readonly<Record<string, unknown>>

/** A service on loopback that is made of a document, knows nothing of the tools, and judges each request by the document. */
export interface MockService {
  readonly url: string
  /** What was wrong with requests, and the requests that were right. */
  readonly problems: string[]
  readonly served: string[]
  readonly close: () => Promise<void>
}

export async function mockService(document: Node): Promise<MockService> {
  const problems: string[] = []
  const served: string[] = []
  const judge = new Judge(document)
  const server: Server = createServer((request, response) => {
    void judge.judge(request).then(
      ({ label, answer }) => {
        served.push(label)
        response.writeHead(answer === undefined ? 204 : 200, answer === undefined ? {} : { 'content-type': answer.type })
        response.end(answer?.body)
      },
      (error: unknown) => {
        problems.push(`${request.method} ${request.url}: ${String(error)}`)
        response.writeHead(error instanceof NoSample ? 501 : 400, { 'content-type': 'text/plain' }).end(String(error))
      },
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, problems, served, close }
}

interface Answer {
  readonly type: string
  readonly body: string
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options']

class Judge {
  readonly #document: Node
  readonly #ajv = new Ajv({ strict: false, validateFormats: false, coerceTypes: 'array', logger: false, validateSchema: false })
  readonly #routes: readonly { readonly path: string; readonly pattern: RegExp; readonly names: readonly string[]; readonly item: Node }[]

  constructor(document: Node) {
    this.#document = document
    this.#ajv.addSchema(asJsonSchema(document) as object, 'doc')
    this.#routes = Object.entries(document['paths'] as Node).map(([path, item]) => {
      const names = Array.from(path.matchAll(/\{([^}]+)\}/g), ([, name = '']) => name)
      const pattern = new RegExp(`^${path.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replaceAll(/\{[^}]+\}/g, '([^/]+)')}$`)
      return { path, pattern, names, item: item as Node }
    })
  }

  async judge(request: IncomingMessage): Promise<{ readonly label: string; readonly answer: Answer | undefined }> {
    const url = new URL(request.url ?? '', 'http://mock')
    const method = (request.method ?? '').toLowerCase()
    const routes = this.#routes.filter(
      ({ pattern, item }) => pattern.test(url.pathname) && item[method] !== undefined && METHODS.includes(method),
    )
    // The path with the fewest placeholders is meant.
    const route = routes.toSorted((a, b) => a.names.length - b.names.length)[0]
    if (route === undefined) throw new Error('no such operation')
    const values = (route.pattern.exec(url.pathname) ?? []).slice(1).map(decodeURIComponent)
    const operation = route.item[method] as Node
    const parameters = [...((route.item['parameters'] ?? []) as Node[]), ...((operation['parameters'] ?? []) as Node[])].map((each) =>
      this.follow(each),
    )
    for (const parameter of parameters)
      this.#checkParameter(parameter, { url, request, inPath: Object.fromEntries(route.names.map((name, index) => [name, values[index]])) })
    const known = new Set(parameters.map(({ name }) => String(name)))
    const isLoose = parameters.some(
      ({ in: place, schema }) => place === 'query' && ['object', undefined].includes(String(this.follow((schema ?? {}) as Node)['type'])),
    )
    for (const name of url.searchParams.keys())
      if (!isLoose && !known.has(name.replace(/\[.*$/, '')) && !known.has(name))
        throw new Error(`the query has '${name}', which nobody declared`)
    await this.#checkBody(operation, request)
    return { label: `${method.toUpperCase()} ${route.path}`, answer: this.#answer(operation) }
  }

  follow(node: Node): Node {
    let found = node
    while (typeof found['$ref'] === 'string') found = this.at(found['$ref']) as Node
    return found
  }

  at(reference: string): unknown {
    return reference
      .slice(2)
      .split('/')
      .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<unknown>((found, part) => (found as Node)[part], this.#document)
  }

  #checkParameter(
    parameter: Node,
    where: { readonly url: URL; readonly request: IncomingMessage; readonly inPath: Readonly<Record<string, string | undefined>> },
  ): void {
    const name = String(parameter['name'])
    const { url, request, inPath } = where
    const schema = this.follow((parameter['schema'] ?? {}) as Node)
    const isList = schema['type'] === 'array'
    let value: unknown
    if (parameter['in'] === 'path') value = inPath[name]
    else if (parameter['in'] === 'header') value = request.headers[name.toLowerCase()]
    else if (parameter['in'] === 'query') value = queryValue(parameter, schema, url.searchParams)
    else value = new RegExp(`(?:^|; )${name}=([^;]*)`).exec(request.headers.cookie ?? '')?.[1]
    const isOfClient = parameter['in'] === 'header' && ['accept', 'content-type', 'authorization'].includes(name.toLowerCase())
    if (value === undefined) {
      if (parameter['required'] === true && !isOfClient) throw new Error(`the parameter '${name}' is missing`)
      return
    }
    if (isList && typeof value === 'string') value = value.split(',')
    if (parameter['content'] !== undefined) value = JSON.parse(String(value)) as unknown
    if (parameter['schema'] !== undefined) this.#fits(parameter['schema'], value, `the parameter '${name}'`)
  }

  async #checkBody(operation: Node, request: IncomingMessage): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const declared = operation['requestBody'] === undefined ? undefined : this.follow(operation['requestBody'] as Node)
    if (text === '') {
      if (declared?.['required'] === true) throw new Error('the body is missing')
      return
    }
    if (declared === undefined) throw new Error('a body that nobody declared')
    const type = (request.headers['content-type'] ?? '').split(';')[0] ?? ''
    const media = Object.entries(declared['content'] as Node).find(([each]) => each.split(';')[0] === type || each === '*/*')?.[1] as
      | Node
      | undefined
    if (media === undefined) throw new Error(`a body of type '${type}', which nobody declared`)
    if (type.endsWith('json')) this.#fits(media['schema'], JSON.parse(text), 'the body')
    else if (type === 'application/x-www-form-urlencoded') this.#fits(media['schema'], nested(new URLSearchParams(text)), 'the form')
  }

  #fits(schema: unknown, value: unknown, what: string): void {
    const validate = this.#compiled(schema)
    if (validate !== undefined && !validate({ value }))
      throw new Error(`${what} does not fit: ${this.#ajv.errorsText(validate.errors)}: ${JSON.stringify(value)?.slice(0, 200)}`)
  }

  /** References of the document are those of the schema that was added under its name. */
  #compiled(schema: unknown): ValidateFunction | undefined {
    const local = JSON.parse(JSON.stringify(asJsonSchema(schema ?? {})), (key, each: unknown) =>
      key === '$ref' && typeof each === 'string' && each.startsWith('#') ? `doc${each}` : each,
    ) as object
    try {
      return this.#ajv.compile({ type: 'object', properties: { value: local } })
    } catch (error) {
      // Boolean bounds of 3.0 are no JSON Schema.
      if (/keyword value is invalid/.test(String(error))) return undefined
      throw error
    }
  }

  #answer(operation: Node): Answer | undefined {
    const responses = operation['responses'] as Node
    const status = Object.keys(responses).find((each) => each.startsWith('2')) ?? 'default'
    const { content } = this.follow((responses[status] ?? {}) as Node)
    const [entry] = Object.entries((content ?? {}) as Node)
    if (entry === undefined) return undefined
    const [type, media] = entry
    if (!/json/.test(type)) return { type: type.includes('*') ? 'text/plain' : type, body: 'text' }
    return { type, body: JSON.stringify(sampleValue((media as Node)['schema'], (reference) => this.at(reference))) }
  }
}

function queryValue(parameter: Node, schema: Node, query: URLSearchParams): unknown {
  const name = String(parameter['name'])
  const style = parameter['style'] ?? 'form'
  if (style === 'deepObject') return nested(new URLSearchParams([...query].filter(([each]) => each.startsWith(`${name}[`))))[name]
  const all = query.getAll(name)
  if (all.length === 0) return undefined
  if (schema['type'] !== 'array') return all[0]
  if (parameter['explode'] ?? style === 'form') return all
  return all[0]?.split(style === 'pipeDelimited' ? '|' : style === 'spaceDelimited' ? ' ' : ',')
}

/** `a[b][0]=1` as an object; names without brackets that come again are lists. */
function nested(pairs: URLSearchParams): Record<string, unknown> {
  const made: Record<string, unknown> = {}
  for (const [name, value] of pairs) {
    const keys = name.split(/[[\]]+/).filter((key) => key !== '')
    let place: Record<string, unknown> = made
    for (const key of keys.slice(0, -1)) place = (place[key] ??= {}) as Record<string, unknown>
    const last = keys.at(-1) ?? ''
    const old = place[last]
    place[last] = old === undefined ? value : [...(Array.isArray(old) ? (old as unknown[]) : [old]), value]
  }
  return listed(made) as Record<string, unknown>
}

/** Objects whose names are 0, 1, 2 are lists. */
function listed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const entries = Object.entries(value)
  if (entries.length > 0 && entries.every(([key], index) => key === String(index))) return entries.map(([, each]) => listed(each))
  return Object.fromEntries(entries.map(([key, each]) => [key, listed(each)]))
}

/** An option of a union is chosen by its discriminator, which JSON Schema does not know; and it takes `nullable` beside a type only. */
function asJsonSchema(document: unknown): unknown {
  return JSON.parse(JSON.stringify(document), (_key, each: unknown) => {
    if (typeof each !== 'object' || each === null || Array.isArray(each)) return each
    const { nullable, oneOf, ...given } = each as Node
    const rest = withoutReadOnly(given)
    const kept = oneOf === undefined ? rest : rest['discriminator'] === undefined ? { ...rest, oneOf } : { ...rest, anyOf: oneOf }
    return nullable === undefined || (nullable === true && rest['type'] === undefined) ? kept : { ...kept, nullable }
  }) as unknown
}

/** What only the service may set is not required of a request. */
function withoutReadOnly(schema: Node): Node {
  const { required, properties } = schema
  if (!Array.isArray(required) || typeof properties !== 'object') return schema
  return { ...schema, required: required.filter((name) => ((properties as Node)[String(name)] as Node | undefined)?.['readOnly'] !== true) }
}
