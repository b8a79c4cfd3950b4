import type { AgentTool } from './agent-tool.ts'
import type { JsonData } from './journal/codec.ts'

type Form = (input: unknown) => JsonData

const forms = new WeakMap<object, Form>()

/**
 * Says what the record of a run keeps of the inputs of a tool, where their parts stand in the record already. Two inputs that differ must have
 * forms that differ: a replay compares them.
 */
export function recordInputAs<I, O, N extends string>(tool: AgentTool<I, O, N>, form: (input: I) => JsonData): AgentTool<I, O, N> {
  forms.set(tool, form as Form)
  return tool
}

/** Undefined for a tool whose inputs are kept as they are. */
export function recordedFormOf(tool: object): Form | undefined {
  return forms.get(tool)
}
