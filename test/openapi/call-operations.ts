import type { AgentTool } from '../../src/index.ts'
import { NoSample, sampleValue } from './sample-value.ts'

type Schema = Readonly<Record<string, unknown>>

export interface CalledOperation {
  readonly name: string
  readonly input: unknown
  readonly text: string
  readonly ok: boolean
}

/** Calls tools with inputs that are made of their schemas, until `most` were called. Those for which no input can be made are passed over. */
export async function callOperations(tools: readonly AgentTool<never>[], most: number): Promise<readonly CalledOperation[]> {
  const called: CalledOperation[] = []
  // From all parts of the document.
  const step = Math.max(1, Math.floor(tools.length / (most * 2)))
  const spread = tools.toSorted((a, b) => (tools.indexOf(a) % step) - (tools.indexOf(b) % step))
  for (const tool of spread) {
    if (called.length >= most) break
    const schema = tool.specification.parameters as Schema
    let input: unknown
    try {
      input = sampleValue(schema, (reference) => (schema['$defs'] as Schema)[reference.replace('#/$defs/', '')])
    } catch (error) {
      if (error instanceof NoSample) continue
      throw error
    }
    const result = await tool.call(input as never, { deadline: '20s', secrets: { get: () => 'secret-of-the-test' } })
    if (!result.ok && result.error.message.includes('501')) continue
    called.push({ name: tool.name, input, text: result.text, ok: result.ok })
  }
  return called
}
