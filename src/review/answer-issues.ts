import { describeIssues } from '../schema/describe-issues.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { type Contract, contractOf } from '../tool/contract.ts'

/** Why a value does not answer the question, or undefined. */
export async function answerIssues(value: unknown, schema: JsonSchema): Promise<string | undefined> {
  let contract: Contract
  try {
    contract = contractOf(schema, 'answerSchema')
  } catch {
    // The tool validates the answer by its own schema in any case, also where this schema cannot be read here.
    return undefined
  }
  try {
    const { issues } = await contract.validate(value)
    return issues === undefined ? undefined : describeIssues(issues, value)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
