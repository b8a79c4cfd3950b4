import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a service publishes of itself. */
export const LIBRARY = {
  openapi: '3.1.0',
  info: { title: 'Library', version: '1.0.0' },
  paths: {
    '/books': {
      get: {
        operationId: 'findBooks',
        summary: 'Finds books by words of their titles',
        parameters: [{ name: 'words', in: 'query', required: true, schema: { type: 'array', items: { type: 'string' } } }],
        responses: {
          200: {
            description: 'The books',
            content: { 'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Book' } } } },
          },
        },
      },
    },
    '/books/{id}/loans': {
      post: {
        operationId: 'lendBook',
        summary: 'Lends a book to a reader',
        security: [{ desk: [] }],
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['reader'],
                properties: { reader: { type: 'string' }, days: { type: 'integer', default: 14 } },
              },
            },
          },
        },
        responses: {
          201: {
            description: 'The loan',
            content: { 'application/json': { schema: { type: 'object', required: ['loan'], properties: { loan: { type: 'integer' } } } } },
          },
        },
      },
    },
    '/covers/{id}': {
      put: {
        operationId: 'putCover',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        requestBody: { required: true, content: { 'image/png': {} } },
        responses: { 204: { description: 'Stored' } },
      },
    },
  },
  components: {
    securitySchemes: { desk: { type: 'apiKey', in: 'header', name: 'X-Desk-Key' } },
    schemas: {
      Book: {
        type: 'object',
        required: ['id', 'title'],
        properties: { id: { type: 'integer' }, title: { type: 'string' }, sequel: { $ref: '#/components/schemas/Book' } },
      },
    },
  },
} as const

const BOOKS = [
  { id: 1, title: 'The Compiler', sequel: { id: 2, title: 'The Linker' } },
  { id: 2, title: 'The Linker' },
]

/** The service itself, on loopback. */
export async function startLibrary(): Promise<{ readonly url: string; readonly close: () => void }> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://library')
    const answer = (status: number, body: unknown): unknown =>
      response
        .writeHead(status, { 'content-type': status < 400 ? 'application/json' : 'application/problem+json' })
        .end(JSON.stringify(body))
    if (pathname === '/books') {
      const words = searchParams.getAll('words')
      answer(
        200,
        BOOKS.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word.toLowerCase()))),
      )
    } else if (request.headers['x-desk-key'] !== 'key-of-the-desk') answer(401, { title: 'Only the desk lends books' })
    else if (pathname === '/books/1/loans') answer(201, { loan: 7 })
    else answer(404, { title: 'There is no such book' })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}
