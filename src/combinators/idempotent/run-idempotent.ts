import { type AgentTool, identityOf } from '../../tool/agent-tool.ts'
import type { SettledResult, SettledSuccess } from '../../tool/result/settled.ts'
import type { IdempotencyStore } from '../../tool/ports/idempotency-store.ts'
import { layersOf } from '../../tool/layer.ts'
import { withIssue } from '../../tool/result/amendments.ts'
import { callsInside } from '../../tool/seam/judged-inside.ts'
import { callPart, partsOf } from '../../tool/seam/parts.ts'
import { beforeNew, hadBegun } from '../../tool/seam/recorded.ts'
import { mayRepeat } from '../../tool/metadata.ts'
import { isKeyedBy, mayHaveActedBefore } from '../../tool/seam/stand-in.ts'
import { leavesEffect, passOver } from '../../tool/seam/undoing.ts'
import { isDurable, settingsOf, type Whole } from '../../tool/seam/whole.ts'
import { claimKey, type KeyUse } from './claim-key.ts'
import { HeldKey, type Settling } from './held-key.ts'
import { repeatAnswer, type Repetition, toData } from './repeat-answer.ts'
import { type KeyRequest, type KeySource, keyRequest, LABEL } from './key-request.ts'
import { type Finding, holderOf, recordedFinding, recordFinding } from './recorded-claim.ts'
import { isStoreFailure, keyConflict, leftOpen, storeFailed, storeReason } from './refusals.ts'

export interface IdempotentPlan extends KeySource, Pick<Repetition, 'doorkeeper' | 'given'> {
  readonly keepMs: number
  readonly leaseMs: number
  readonly store: IdempotencyStore | undefined
  /** For calls that bring no store. */
  readonly memory: IdempotencyStore
}

export async function runIdempotent(plan: IdempotentPlan, input: unknown, whole: Whole): Promise<SettledResult> {
  const store = storeFor(plan, whole)
  const request = store === undefined ? undefined : await keyRequest(whole, input, plan)
  if (store === undefined || request === undefined) return callOnce(whole, plan.tool, { input })
  if (isKeyedBy(whole, request.key)) {
    // A layer around it holds the key, and one in between may call again.
    if (!mayRepeat(insideLayers(plan.tool)) && mayHaveActedBefore(whole)) throw leftOpen(plan.tool.name)
    return callOnce(whole, plan.tool, { input })
  }
  const recorded = recordedFinding(whole)
  if (recorded !== undefined) return follow(plan, recorded, { whole, input, key: request.key })
  // A new claim may take the key that another part of the run still needs to reach its record.
  if (!hadBegun(whole, LABEL)) await beforeNew(whole)
  const use: KeyUse = { store, key: request.key, claim: await claimFor(plan, whole, request) }
  const claimed = await claimKey(whole, use).catch((error: unknown) => recordRefusal(whole, error))
  if (claimed.state === 'mine') return runHeld(plan, new HeldKey(whole, use, claimed.fence), { whole, input, key: request.key })
  await recordFinding(whole, claimed)
  return follow(plan, claimed, { whole, input, key: request.key })
}

/** The result of an override must not be kept for calls of the real tool. */
function storeFor({ store, memory }: IdempotentPlan, whole: Whole): IdempotencyStore | undefined {
  const { overrides, stores = {} } = settingsOf(whole)
  const { idempotency } = stores
  return overrides === undefined ? (store ?? idempotency ?? memory) : idempotency
}

/** A durable run is always resumed, perhaps after days, so it holds its key for the whole time. */
async function claimFor({ tool, keepMs, leaseMs }: IdempotentPlan, whole: Whole, { inputHash }: KeyRequest): Promise<KeyUse['claim']> {
  return {
    tool: identityOf(tool),
    inputHash,
    keepMs,
    holder: await holderOf(whole),
    leaseMs: isDurable(whole) ? keepMs : leaseMs,
    takesOver: mayRepeat(insideLayers(tool)),
  }
}

/** An inner layer with the same key leaves it to the outer one, so only the tool inside all layers says whether it may be repeated. */
function insideLayers(tool: AgentTool): AgentTool {
  return layersOf(tool).at(-1) ?? tool
}

interface Asked {
  readonly whole: Whole
  readonly input: unknown
  readonly key?: string | undefined
}

/** The idempotency key of the tool is derived from this key, not from the caller. */
function callOnce(whole: Whole, tool: AgentTool, { input, key }: Omit<Asked, 'whole'>): Promise<SettledResult> {
  return callPart(whole, {
    label: LABEL,
    tool,
    input,
    isUnique: true,
    options: key === undefined ? undefined : { idempotencyKey: key },
  })
}

/** Follows the recorded answer without asking the store. */
async function follow({ tool, doorkeeper, given }: IdempotentPlan, finding: Finding, { whole, input, key }: Asked): Promise<SettledResult> {
  // Another call had taken over the key, so the records of this one no longer count.
  if (finding.state !== 'own') passOver(whole, LABEL)
  switch (finding.state) {
    case 'own':
      return callOnce(whole, tool, { input, key })
    case 'done':
      return repeatAnswer(whole, { doorkeeper, given, tool, input, data: finding.result })
    case 'conflict':
      throw keyConflict(tool.name)
    case 'abandoned':
      throw leftOpen(tool.name)
    case 'failed':
      throw storeFailed(tool.name, finding.message)
  }
}

/** Later records may depend on this failure: a resumed run must fail here too, even if the store answers again. */
async function recordRefusal(whole: Whole, error: unknown): Promise<never> {
  if (isStoreFailure(error)) await recordFinding(whole, { state: 'failed', message: storeReason(error) })
  throw error
}

async function runHeld({ tool }: IdempotentPlan, held: HeldKey, { whole, input, key }: Asked): Promise<SettledResult> {
  let result: SettledResult
  try {
    result = await callOnce(whole, tool, { input, key })
  } catch (fatal) {
    await (partsOf(whole).some(leavesEffect) ? held.leaveOpen() : held.settle(undefined))
    throw fatal
  }
  const settling = await settleAs(held, result, { whole, tool: tool.name })
  await recordFinding(whole, { state: 'own' })
  return result.ok && settling !== 'kept' ? withWarning(result, settling) : result
}

async function settleAs(held: HeldKey, result: SettledResult, { whole, tool }: { whole: Whole; tool: string }): Promise<Settling> {
  if (!result.ok) return result.error.outcome === 'unknown' ? held.leaveOpen() : held.settle(undefined)
  let data
  try {
    data = toData(result, tool, callsInside(whole))
  } catch (error) {
    await held.leaveOpen()
    throw error
  }
  return held.settle(data)
}

function withWarning(result: SettledSuccess, settling: Exclude<Settling, 'kept'>): SettledSuccess {
  const message =
    settling === 'lost'
      ? 'Another call took over the key: a repeated call gets the answer of that call.'
      : 'The answer could not be kept under its key: a repeated call may report an unknown outcome.'
  return withIssue(result, { severity: 'warning', message })
}
