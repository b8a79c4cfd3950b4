import { check } from 'toolwright'
import { z } from 'zod'
import { checkPlan } from './check-plan.ts'

/** For the processes that `check.ts` starts: what one of them measured, in milliseconds. */
export interface CheckSample {
  readonly nothing: number
  /** Nothing of the plan had been looked at before. */
  readonly first: number
  readonly again: readonly number[]
  /** Tools that the plan is made of, and schemas that they have. */
  readonly tools: number
  readonly schemas: number
}

const TIMES = 30

const [, , what] = process.argv
const { whole, schemas } = checkPlan()
const checkAll = (): void => {
  const [finding] = check(whole, { deadline: '1h' })
  if (finding !== undefined) throw new Error(`Nothing is wrong with the plan, but there is a finding: ${finding.message}`)
}
const describeAll = (): void => {
  for (const schema of schemas) z.toJSONSchema(schema)
}
const sample: CheckSample = {
  nothing: milliseconds(() => undefined),
  first: milliseconds(what === 'zod' ? describeAll : checkAll),
  again: what === 'again' ? Array.from({ length: TIMES }, () => milliseconds(checkAll)) : [],
  tools: toolsIn(),
  schemas: schemas.size,
}
console.log(JSON.stringify(sample))

function milliseconds(operation: () => void): number {
  const start = performance.now()
  operation()
  return performance.now() - start
}

function toolsIn(): number {
  const met = new Set([whole])
  for (const tool of met) for (const part of tool.plan().parts) met.add(part.tool)
  return met.size
}
