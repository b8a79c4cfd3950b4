import { excerpt, toJsonText } from '../../schema/quote.ts'
import { acceptApart } from '../../tool/accepted-input.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { behaviourOf } from '../../tool/behaviour.ts'
import { classifyError } from '../../tool/errors/classify-error.ts'
import { isToolError } from '../../tool/errors/tool-error.ts'
import { hashOf } from '../../tool/journal/hash.ts'
import { failureData } from '../../tool/result/failure-details.ts'
import type { FailureDetails, Usage } from '../../tool/result/result.ts'
import { KnownSecrets } from '../../tool/secrets/known-secrets.ts'
import { maskText, secretsIn } from '../../tool/secrets/mask.ts'
import { fatalIn } from '../../tool/seam/parts.ts'
import type { Whole } from '../../tool/seam/whole.ts'
import { repairByRules } from './repair-by-rules.ts'
import { repairRules } from './repair-rules.ts'
import type { ProposedInput, RepairContext, Repairer, RepairRequest } from './repairer.ts'

/** Why the loop ended without a success. */
export type StopReason = 'exhausted' | 'no_alternative_params' | 'repair_produced_invalid_schema'

/** A repairer under its name. */
export interface NamedRepairer {
  readonly name: string
  readonly repair: Repairer
  /** It is a model: for a tool that takes effect it may not change amounts, recipients, paths and ids. */
  readonly isModel: boolean
}

/** The recorded choice of the next input. */
export type RepairChoice =
  | {
      readonly kind: 'repaired'
      readonly input: unknown
      readonly by: string
      readonly why: string
      /** The input says something else now, and not the same in another notation; absent in older records. */
      readonly isTold?: boolean | undefined
      readonly cost: number
      readonly used: Usage | null
    }
  | { readonly kind: 'stopped'; readonly reason: StopReason; readonly why: string; readonly used: Usage | null }

export interface FailedInput {
  readonly tool: AgentTool
  readonly repairers: readonly NamedRepairer[]
  readonly input: unknown
  readonly error: FailureDetails
  /** The hashes of all inputs that were tried. */
  readonly tried: ReadonlySet<string>
}

/** Asks the rules, then the repairers in their order. The first input that the tool takes and that was not tried yet is the next one. */
export async function chooseRepair(failed: FailedInput, whole: Whole): Promise<RepairChoice> {
  const { tool, repairers, input, error } = failed
  let used: { tokens: number; costUsd: number } | null = null
  const context = contextOf(whole, ({ tokens = 0, costUsd = 0 }) => {
    used = { tokens: (used?.tokens ?? 0) + tokens, costUsd: (used?.costUsd ?? 0) + costUsd }
  })
  const { name, description } = tool
  const { schema } = behaviourOf(tool).input
  const request: RepairRequest = { input, error: failureData(error), tool: { name, description }, schema }
  const reasons: string[] = []
  let isInvalid = false
  const ruled = await repairByRules(request, tool)
  if (ruled.because !== undefined) reasons.push(`Rules: ${ruled.because}`)
  if (ruled.proposed !== undefined) {
    const verdict = await judged(ruled.proposed, failed)
    if (verdict.isUsable)
      return {
        kind: 'repaired',
        input: ruled.proposed.input,
        by: 'rules',
        why: ruled.proposed.why ?? '',
        isTold: ruled.proposed.isGuess,
        cost: ruled.proposed.cost,
        used,
      }
    isInvalid ||= verdict.isInvalid
    reasons.push(`Rules: ${verdict.problem}`)
  }
  for (const repairer of repairers) {
    const found = await ask(repairer, { request, failed, context })
    if ('proposed' in found) {
      const { input: next, why = `called with ${toJsonText(next)}` } = found.proposed
      const told = shown(why, tool, [input, next])
      return { kind: 'repaired', input: next, by: repairer.name, why: told, isTold: true, cost: 0, used }
    }
    isInvalid ||= found.isInvalid
    if (found.problem !== '') reasons.push(`${repairer.name}: ${found.problem}`)
  }
  const reason = isInvalid ? 'repair_produced_invalid_schema' : 'no_alternative_params'
  return { kind: 'stopped', reason, why: shown(reasons.join(' '), tool, [input]), used }
}

const LONGEST_REASON = 600

/** Reasons quote the input. Models read them, and its secrets are not for them. */
function shown(text: string, tool: AgentTool, inputs: readonly unknown[]): string {
  const { schema } = behaviourOf(tool).input
  const secrets = new KnownSecrets(inputs.flatMap((input) => secretsIn(decoded(input), schema)))
  return excerpt(maskText(text, secrets), LONGEST_REASON)
}

/** An object that was sent as a text has its secrets at their places too. */
function decoded(input: unknown): unknown {
  if (typeof input !== 'string') return input
  try {
    return JSON.parse(input)
  } catch {
    return input
  }
}

interface Asked {
  readonly request: RepairRequest
  readonly failed: FailedInput
  readonly context: RepairContext
}

type Answer = { readonly proposed: ProposedInput } | Pick<Verdict, 'isInvalid' | 'problem'>

/** One second chance, with the reason why the first proposal cannot be used. A repairer that fails has proposed nothing. */
async function ask(repairer: NamedRepairer, { request, failed, context }: Asked): Promise<Answer> {
  let problem: string | undefined
  let isInvalid = false
  for (let chance = 1; chance <= 2; chance++) {
    let proposed: ProposedInput | undefined
    try {
      proposed = await repairer.repair(problem === undefined ? request : { ...request, problem }, context)
    } catch (thrown) {
      if (fatalIn(thrown) !== undefined) throw thrown
      return { isInvalid, problem: classifyError(thrown).message }
    }
    if (proposed === undefined) break
    const verdict = await judged(proposed, failed, repairer.isModel)
    if (verdict.isUsable) return { proposed }
    isInvalid = verdict.isInvalid
    problem = verdict.problem
    if (!isInvalid) break
  }
  return { isInvalid, problem: problem ?? '' }
}

interface Verdict {
  readonly isUsable: boolean
  readonly isInvalid: boolean
  readonly problem: string
}

async function judged({ input }: ProposedInput, { tool, tried, input: before }: FailedInput, isModel = false): Promise<Verdict> {
  if (tried.has(hashed(input))) return { isUsable: false, isInvalid: false, problem: 'the same input was tried before.' }
  const { input: port } = behaviourOf(tool)
  try {
    await acceptApart(port, input, tool.name)
  } catch (error) {
    if (!isToolError(error)) throw error
    return { isUsable: false, isInvalid: true, problem: error.message }
  }
  if (isModel && tool.effect !== 'read') {
    const { protectedChanges } = await repairRules()
    const widened = protectedChanges(port.schema, { before, after: input })
    if (widened.length > 0) return { isUsable: false, isInvalid: false, problem: `a person must decide about ${widened.join(', ')}.` }
  }
  return { isUsable: true, isInvalid: false, problem: '' }
}

/** Inputs that are no data are compared by their kind only, so that the loop stops. */
export function hashed(input: unknown): string {
  try {
    return hashOf(input)
  } catch {
    return typeof input
  }
}

function contextOf({ model, signal, principal, services, log }: Whole, usage: RepairContext['usage']): RepairContext {
  return { model, signal, principal, services, log, usage }
}
