/** Typed by a library and by JSON Schema, composed, and called in a runtime: the first lines of a user. */
export const FIRST_LINES = `import { createRuntime, jsonSchema, pipe, tool } from 'toolwright'
import { z } from 'zod'
const greet = tool({ name: 'greet', description: 'Greets.', effect: 'read', inputSchema: z.object({ name: z.string() }), execute: ({ name }) => \`Hello, \${name}!\` })
const text = jsonSchema({ type: 'string', minLength: 1 })
const shout = tool({ name: 'shout', description: 'Louder.', effect: 'read', inputSchema: text, execute: (said) => String(said).toUpperCase() })
const runtime = createRuntime({ tools: [greet, shout] })
console.log((await runtime.call(pipe(greet, shout), { name: 'Ada' })).text)
console.log((await shout.call('')).text)
`

export const FIRST_PRINTED = "HELLO, ADA!\nError: Invalid input for tool 'shout': must NOT have fewer than 1 characters.\n"

/** A durable run in the database of DATABASE_URL. */
export const DURABLE_RUN = `import { createRuntime, tool } from 'toolwright'
const pay = tool({ name: 'pay', description: 'Pays.', idempotent: 'keyed', execute: (order) => 'Paid ' + order + '.' })
const runtime = createRuntime({ tools: [pay], database: { url: process.env.DATABASE_URL } })
try {
  console.log((await (await runtime.start(pay, 'A-7')).result()).text)
} catch (error) {
  console.log(error.code)
} finally {
  await runtime.close()
}
`

export const DURABLE_PRINTED = 'Paid A-7.\n'
