// The operations of an OpenAPI document as tools, composed to one. Run it with `node examples/openapi-to-tools/main.ts`.
import { environmentSecrets, gate, type ReviewRequest, ToolPipeline } from 'toolwright'
import { fromOpenApi } from 'toolwright/kits/web'
import { LIBRARY, startLibrary } from './library-service.ts'

const library = await startLibrary()
const { tools, skipped } = await fromOpenApi(LIBRARY, {
  server: library.url,
  auth: { desk: 'DESK_KEY' },
  prefix: 'library_',
  // A service on loopback lies in a private network, which is closed unless it is named.
  access: { privateHosts: ['127.0.0.1:*'] },
})

for (const { name, effect, description } of tools) console.log(`${name} (${effect}): ${description}`)
for (const { operation, reason } of skipped) console.log(`no tool of ${operation.method} ${operation.path}: ${reason}`)

const [findBooks, lendBook] = tools
if (findBooks === undefined || lendBook === undefined) throw new Error('The document has lost an operation.')

/** One tool for the model: finds the book, asks a person, lends it. */
const lendByTitle = ToolPipeline.builder()
  .name('lend_by_title')
  .description('Lends the first book whose title has these words to Ada.')
  .step(findBooks)
  .adapter((result) => ({ id: (result.value as readonly { readonly id: number }[])[0]?.id, body: { reader: 'Ada' } }))
  .step(gate(lendBook, { approval: true }))
  .build()

const secrets = environmentSecrets(['DESK_KEY'], { DESK_KEY: 'key-of-the-desk' })
const review = {
  review: ({ tool, input }: ReviewRequest) => {
    console.log(`a person is asked: ${tool} ${JSON.stringify(input)}`)
    return { action: 'continue' as const }
  },
}
console.log((await lendByTitle.call({ words: ['compiler'] }, { secrets, review })).text)
console.log((await lendByTitle.call({ words: ['linker'] }, { secrets, review })).text)
console.log((await lendBook.call({ id: 'one', body: {} }, { secrets })).text)

library.close()
