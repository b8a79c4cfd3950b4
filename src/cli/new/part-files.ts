import type { PartName } from './part-name.ts'

/** What a project has, as far as the files that are written depend on it. */
export interface ProjectTraits {
  /** Schemas by zod; else by JSON Schema. */
  readonly hasZod: boolean
  readonly hasVitest: boolean
}

export interface PartFiles {
  readonly source: string
  readonly test: string
}

/** A tool, and its test. `sourcePath` is the path from the test to the tool. */
export function toolFiles({ tool, constant }: PartName, sourcePath: string, { hasZod, hasVitest }: ProjectTraits): PartFiles {
  const imports = hasZod
    ? "import { tool } from 'toolwright'\nimport { z } from 'zod'\n"
    : "import { jsonSchema, tool } from 'toolwright'\n"
  const [input, output] = hasZod
    ? ["z.object({ name: z.string().min(1).describe('Who is meant') })", 'z.object({ text: z.string() })']
    : [
        `jsonSchema<{ name: string }>({
    type: 'object',
    properties: { name: { type: 'string', minLength: 1, description: 'Who is meant' } },
    required: ['name'],
    additionalProperties: false,
  })`,
        `jsonSchema<{ text: string }>({ type: 'object', properties: { text: { type: 'string' } }, required: ['text'] })`,
      ]
  return {
    source: `${imports}
export const ${constant} = tool({
  name: '${tool}',
  description: 'Says in one sentence, for a model, what this tool does and when to use it.',
  inputSchema: ${input},
  outputSchema: ${output},
  effect: 'read', // 'write' or 'irreversible' if it changes something
  execute: ({ name }) => ({ text: \`Hello, \${name}!\` }),
})
`,
    test: `${testImports(hasVitest)}import { ${constant} } from '${sourcePath}'

test('${tool} answers', async () => {
  const result = await ${constant}.call({ name: 'Ada' })
  assert.deepEqual(result.ok && result.value, { text: 'Hello, Ada!' })
})

test('${tool} refuses an input that does not fit, and says why', async () => {
  const result = await ${constant}.call({ name: '' })
  assert.equal(!result.ok && result.error.code, 'invalid_input')
})
`,
  }
}

/** A pipeline of two steps with a person before the second, and its test. */
export function pipelineFiles({ tool, constant }: PartName, sourcePath: string, { hasZod, hasVitest }: ProjectTraits): PartFiles {
  const imports = hasZod
    ? "import { gate, tool, ToolPipeline } from 'toolwright'\nimport { z } from 'zod'\n"
    : "import { gate, jsonSchema, tool, ToolPipeline } from 'toolwright'\n"
  const schema = (field: string): string =>
    hasZod
      ? `z.object({ ${field}: z.string().min(1) })`
      : `jsonSchema<{ ${field}: string }>({ type: 'object', properties: { ${field}: { type: 'string', minLength: 1 } }, required: ['${field}'] })`
  const [first, second] = [partOf(tool, 'prepare'), partOf(tool, 'finish')]
  return {
    source: `${imports}
const prepare = tool({
  name: '${first}',
  description: 'Prepares the text.',
  inputSchema: ${schema('name')},
  outputSchema: ${schema('text')},
  effect: 'read',
  execute: ({ name }) => ({ text: \`Hello, \${name}!\` }),
})

const finish = tool({
  name: '${second}',
  description: 'Sends the text.',
  inputSchema: ${schema('message')},
  effect: 'write',
  idempotent: 'keyed', // pass context.idempotencyKey to the service, and a repeated call has one effect
  execute: ({ message }) => \`Sent: \${message}\`,
})

export const ${constant} = ToolPipeline.builder()
  .name('${tool}')
  .description('Says in one sentence, for a model, what this tool does and when to use it.')
  .step(prepare)
  .adapter(({ value }) => ({ message: value.text }))
  .step(gate(finish, { why: 'Something leaves the house.' })) // a person decides
  .build()
`,
    test: `${testImports(hasVitest)}import { check } from 'toolwright'
import { recordingReview } from 'toolwright/testing'
import { ${constant} } from '${sourcePath}'

test('${tool} asks a person, then ends', async () => {
  const review = recordingReview({ action: 'continue' })
  const result = await ${constant}.call({ name: 'Ada' }, { review })
  assert.equal(result.text, 'Sent: Hello, Ada!')
  assert.equal(review.requests.length, 1)
})

test('${tool} does nothing if the person says no', async () => {
  const result = await ${constant}.call({ name: 'Ada' }, { review: recordingReview({ action: 'reject', reason: 'not now' }) })
  assert.equal(result.ok, false)
})

test('${tool} has no mistakes that can be found before it runs', () => {
  assert.deepEqual(check(${constant}).filter(({ severity }) => severity === 'error'), [])
})
`,
  }
}

const LONGEST_NAME = 64

/** The name of a step. A long name of the pipeline is shortened, so that both fit. */
function partOf(tool: string, verb: string): string {
  return `${verb}_${tool}`.slice(0, LONGEST_NAME)
}

function testImports(hasVitest: boolean): string {
  return hasVitest
    ? "import { assert, test } from 'vitest'\n"
    : "import assert from 'node:assert/strict'\nimport { test } from 'node:test'\n"
}
