import { createRuntime, jsonSchema, tool } from 'toolwright'

const inputSchema = jsonSchema({ type: 'string', minLength: 1 })
const pay = tool({ name: 'pay', description: 'Pays.', idempotent: 'keyed', inputSchema, execute: (order) => `Paid ${order}.` })

export const dynamic = 'force-dynamic'

export async function GET() {
  const runtime = createRuntime({ tools: [pay], database: { url: process.env.DATABASE_URL } })
  try {
    const run = await runtime.start(pay, 'A-7')
    return new Response((await run.result()).text)
  } finally {
    await runtime.close()
  }
}
