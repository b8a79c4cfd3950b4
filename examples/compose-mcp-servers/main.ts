// Tools of two MCP servers of other people become one tool, with a person before its effect, and that tool is served over MCP again.
// Run it with `node examples/compose-mcp-servers/main.ts`.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { gate, ToolPipeline } from 'toolwright'
import { connectMcp, createMcpServer } from 'toolwright/mcp'
import { z } from 'zod'

const folder = await mkdtemp(join(tmpdir(), 'compose-'))
await writeFile(join(folder, 'invoice.txt'), 'rent 700\nfood 250\n')

const filesProgram = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'))
const everythingProgram = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'))

await using files = await connectMcp({
  name: 'files',
  command: process.execPath,
  args: [filesProgram, folder],
  include: ['read_text_file', 'write_file'],
  metadata: {
    read_text_file: { effect: 'read', outputSchema: z.object({ content: z.string() }) },
    write_file: { effect: 'write', idempotent: true },
  },
})
await using everything = await connectMcp({
  name: 'everything',
  command: process.execPath,
  args: [everythingProgram, 'stdio'],
  include: ['get-sum'],
  trustAnnotations: true,
})
for (const tool of [...files.tools(), ...everything.tools()]) console.log(`${tool.source}: ${tool.name} (${tool.effect})`)

const total = ToolPipeline.builder()
  .name('total_invoice')
  .description('Adds up an invoice, and writes the total beside it once a person agrees.')
  .step(files.tool('read_text_file'))
  .adapter(({ value }) => {
    const [a = 0, b = 0] = value.content.match(/\d+/g)?.map(Number) ?? []
    return { a, b }
  })
  .step(everything.tool('get-sum'))
  .adapter(({ text }) => ({ path: join(folder, 'total.txt'), content: text }))
  .step(gate(files.tool('write_file'), { approval: true, why: ({ content }) => `It writes: ${String(content)}` }))
  .build()

// Any MCP client may call it now. This one is in the same process, and its user approves.
const { newServer, close } = await createMcpServer({ tools: [total], name: 'invoices' })
const [near, far] = InMemoryTransport.createLinkedPair()
await newServer().connect(far)
const client = new Client({ name: 'example', version: '1.0.0' }, { capabilities: { elicitation: {} } })
client.setRequestHandler('elicitation/create', ({ params }) => {
  console.log(
    params.message
      .split('\n')
      .find((line) => line.includes('It writes'))
      ?.trim(),
  )
  return { action: 'accept', content: { decision: 'approve' } }
})
await client.connect(near)
const answer = await client.callTool({ name: 'total_invoice', arguments: { path: join(folder, 'invoice.txt') } })
console.log(answer.isError === true ? 'failed' : 'done')
console.log(await readFile(join(folder, 'total.txt'), 'utf8'))

await client.close()
close()
await rm(folder, { recursive: true })
