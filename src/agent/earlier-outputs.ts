import type { AgentTool } from '../tool/agent-tool.ts'
import { jsonSchema } from '../tool/contract.ts'
import { ToolError } from '../tool/errors/tool-error.ts'
import type { Provenance, ToolResult, ToolSuccess } from '../tool/result/result.ts'
import type { EarlierResult } from './agent-run.ts'
import type { TemplateVariables } from './template.ts'

/** The output of a task that has ended, for later ones. */
export interface EarlierOutput {
  /** The name of the task. */
  readonly task: string
  readonly text: string
  readonly value: unknown
  readonly provenance: Provenance
}

/** The input of a task. `inPhases` gives the outputs of earlier phases. */
export interface TaskInput {
  /** Values for `{{name}}` in the texts of the task and its agent. */
  readonly variables?: TemplateVariables | undefined
  readonly earlier?: readonly EarlierOutput[] | undefined
}

/** Finds the output of a task of an earlier phase: `earlier(load).value` has the type of what `load` gives. */
export type EarlierOutputs = <O>(task: AgentTool<never, O>) => { readonly text: string; readonly value: O }

export const TASK_INPUT = jsonSchema<TaskInput>({
  type: 'object',
  properties: {
    variables: {
      type: 'object',
      additionalProperties: { type: ['string', 'number', 'boolean'] },
      description: 'Values of the texts of the task.',
    },
    earlier: { type: 'array', description: 'The outputs of earlier tasks.' },
  },
  additionalProperties: false,
})

export function outputOf(task: string, { text, value, provenance }: ToolSuccess): EarlierOutput {
  return { task, text, value, provenance }
}

export function earlierOutputs(outputs: readonly EarlierOutput[], whose: string): EarlierOutputs {
  return <O>(task: AgentTool<never, O>) => {
    const found = outputs.find((each) => each.task === task.name)
    if (found !== undefined) return { text: found.text, value: found.value as O }
    const known = outputs.length === 0 ? 'there is none' : `there are ${outputs.map((each) => `'${each.task}'`).join(', ')}`
    throw new ToolError(`${whose} asks for the output of '${task.name}', which is not a task of an earlier phase: ${known}`)
  }
}

/** As results, so that a router treats them like those of tools. */
export function asResults(outputs: readonly EarlierOutput[]): readonly EarlierResult[] {
  return outputs.map(({ task, text, value, provenance }) => ({
    name: task,
    result: { ok: true, text, value, provenance } satisfies ToolResult,
  }))
}
