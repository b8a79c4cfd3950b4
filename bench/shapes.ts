import { type AgentTool, tool } from 'toolwright'
import { z } from 'zod'

type Fields = Record<string, string | number>

/** One tool of the fifty, and the same work by hand. */
interface Shape {
  readonly tool: AgentTool<Fields, unknown>
  readonly byHand: (given: unknown) => Promise<unknown>
  readonly input: Fields
}

/** What a tool gives: another kind of value for each of five. */
const OUTPUTS: readonly ((input: Fields) => unknown)[] = [
  (input) => String(input['field_0']),
  (input) => Object.keys(input).length,
  (input) => ({ ...input, done: true }),
  (input) => Object.values(input),
  () => null,
]

/** Fifty tools of different shapes: from one to ten fields, five kinds of outputs, at once or with a promise. One of them is hot, fifty are not. */
export const fiftyShapes: readonly Shape[] = Array.from({ length: 50 }, (_, index) => shapeOf(index))

function shapeOf(index: number): Shape {
  const fields = Array.from({ length: 1 + (index % 10) }, (_, field) => `field_${field}`)
  const schema = z.object(Object.fromEntries(fields.map((name, field) => [name, field % 2 === 0 ? z.string() : z.number()])))
  const input = Object.fromEntries(fields.map((name, field) => [name, field % 2 === 0 ? name : field]))
  const give = OUTPUTS[index % OUTPUTS.length] as (given: Fields) => unknown
  const execute = index % 3 === 0 ? give : async (given: Fields) => give(given)
  return {
    tool: tool({ name: `shape_${index}`, description: 'One of fifty.', inputSchema: schema, effect: 'read', execute }),
    byHand: async (given) => {
      const parsed = schema['~standard'].validate(given) as { readonly value: Fields }
      return await execute(parsed.value)
    },
    input,
  }
}
