import { describeIssues } from '../schema/describe-issues.ts'
import { isRecord, type JsonSchema } from '../schema/json-schema.ts'
import { modelParameters } from '../schema/model-parameters.ts'
import { type Contract, contractOf } from '../tool/contract.ts'

/** The form of the final answer. */
export interface AnswerForm {
  readonly contract: Contract
  /** For the model: always an object at the root. */
  readonly schema: JsonSchema
  readonly read: (text: string) => Promise<ReadAnswer>
}

type ReadAnswer = { readonly value: unknown } | { readonly problem: string }

export function answerForm(output: unknown, whose: string): AnswerForm {
  const contract = contractOf(output, `The output of ${whose}`)
  const { parameters, wrapped } = modelParameters(structuredClone(contract.exactInput) as JsonSchema)
  return {
    contract,
    schema: parameters,
    read: async (text) => {
      const parsed = jsonIn(text)
      if (parsed === undefined) return { problem: 'it is not JSON' }
      const given = wrapped && isRecord(parsed.value) && 'input' in parsed.value ? parsed.value['input'] : parsed.value
      const result = await contract.validate(given)
      return result.issues === undefined ? { value: result.value } : { problem: describeIssues(result.issues, given) }
    },
  }
}

const FENCED = /^\s*```(?:json)?\s*\n([\s\S]*?)\n\s*```\s*$/

function jsonIn(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(FENCED.exec(text)?.[1] ?? text) as unknown }
  } catch {
    return undefined
  }
}
