import { type AgentTool, identityOf } from '../../tool/agent-tool.ts'
import type { Call } from '../../tool/engine/call.ts'
import { catchUp, mustCatchUp } from '../../tool/engine/catch-up.ts'
import { leavesEffect } from '../../tool/engine/undo-call.ts'
import type { IdempotencyStore } from '../../tool/idempotency-store.ts'
import { withIssue } from '../../tool/result/amendments.ts'
import type { SettledResult, SettledSuccess } from '../../tool/result/settled.ts'
import { claimKey, isOwn, type KeyUse } from './claim-key.ts'
import { HeldKey, type Settling } from './held-key.ts'
import { toData } from './kept-answer.ts'
import { type KeyRequest, type KeySource, keyRequest, LABEL } from './key-request.ts'
import { type Finding, holderOf, isDurable, recordedFinding, recordFinding } from './recorded-claim.ts'
import { isStoreFailure, keyConflict, leftOpen, storeFailed, storeReason } from './refusals.ts'
import { repeatAnswer, type Repetition } from './repeat-answer.ts'

export interface IdempotentPlan extends KeySource, Pick<Repetition, 'doorkeeper' | 'given'> {
  readonly keepMs: number
  readonly leaseMs: number
  readonly store: IdempotencyStore | undefined
  /** For calls that bring no store. */
  readonly memory: IdempotencyStore
}

export async function runIdempotent(plan: IdempotentPlan, input: unknown, call: Call): Promise<SettledResult> {
  const store = storeFor(plan, call)
  const request = store === undefined ? undefined : await keyRequest(call, input, plan)
  if (store === undefined || request === undefined || isHeldAbove(call, request)) return callOnce(call, plan.tool, { input })
  const recorded = recordedFinding(call)
  if (recorded !== undefined) return follow(plan, recorded, { call, input, key: request.key })
  // A key that it claims anew might be the one by which another part of the run has still to come to what it did.
  if (!isOwn(call) && mustCatchUp(call, call.path)) await catchUp(call, call.path)
  const use: KeyUse = { store, key: request.key, claim: await claimFor(plan, call, request) }
  const claimed = await claimKey(call, use).catch((error: unknown) => recordRefusal(call, error))
  if (claimed.state === 'mine') return runHeld(plan, new HeldKey(call, use, claimed.fence), { call, input, key: request.key })
  await recordFinding(call, claimed)
  return follow(plan, claimed, { call, input, key: request.key })
}

/** What stands in for a tool in a test must not be kept for those who call the tool itself. */
function storeFor({ store, memory }: IdempotentPlan, { root: { options } }: Call): IdempotencyStore | undefined {
  return options.overrides === undefined ? (store ?? options.idempotency ?? memory) : options.idempotency
}

/** Inside a call that holds the same key, to wait for it would be to wait for oneself. */
function isHeldAbove(call: Call, { key }: KeyRequest): boolean {
  for (let above: Call | undefined = call; above !== undefined; above = above.parent) if (above.keyedBy === key) return true
  return false
}

/** A durable run is taken up again whatever happens, perhaps after days of waiting: it holds its key all the while. */
async function claimFor({ tool, keepMs, leaseMs }: IdempotentPlan, call: Call, { inputHash }: KeyRequest): Promise<KeyUse['claim']> {
  return {
    tool: identityOf(tool),
    inputHash,
    keepMs,
    holder: await holderOf(call),
    leaseMs: isDurable(call.journal) ? keepMs : leaseMs,
    takesOver: tool.effect === 'read' || tool.idempotent !== false,
  }
}

interface Asked {
  readonly call: Call
  readonly input: unknown
  readonly key?: string | undefined
}

/** The tool's own key follows from the key, not from who asks. */
function callOnce(call: Call, tool: AgentTool, { input, key }: Omit<Asked, 'call'>): Promise<SettledResult> {
  return call.root.callPart(call, {
    label: LABEL,
    tool,
    input,
    isUnique: true,
    options: key === undefined ? undefined : { idempotencyKey: key },
  })
}

/** Does what is known already: nothing of it touches the store. */
async function follow({ tool, doorkeeper, given }: IdempotentPlan, finding: Finding, { call, input, key }: Asked): Promise<SettledResult> {
  // Another call had taken the key over: what this one had begun under it stands for nothing any more.
  if (finding.state !== 'own') call.root.replay?.passOver(`${call.path}/${LABEL}`)
  switch (finding.state) {
    case 'own':
      return callOnce(call, tool, { input, key })
    case 'done':
      return repeatAnswer(call, { doorkeeper, given, input, data: finding.result })
    case 'conflict':
      throw keyConflict(tool.name)
    case 'abandoned':
      throw leftOpen(tool.name)
    case 'failed':
      throw storeFailed(tool.name, finding.message)
  }
}

/** What follows from it may be recorded: a run that is taken up when the store answers again must fail here too. */
async function recordRefusal(call: Call, error: unknown): Promise<never> {
  if (isStoreFailure(error)) await recordFinding(call, { state: 'failed', message: storeReason(error) })
  throw error
}

async function runHeld({ tool }: IdempotentPlan, held: HeldKey, { call, input, key }: Asked): Promise<SettledResult> {
  let result: SettledResult
  try {
    result = await callOnce(call, tool, { input, key })
  } catch (fatal) {
    await (call.children?.some(leavesEffect) === true ? held.leaveOpen() : held.settle(undefined))
    throw fatal
  }
  const settling = await settleAs(held, result, tool.name)
  await recordFinding(call, { state: 'own' })
  return result.ok && settling !== 'kept' ? withWarning(result, settling) : result
}

async function settleAs(held: HeldKey, result: SettledResult, tool: string): Promise<Settling> {
  if (!result.ok) return result.error.outcome === 'unknown' ? held.leaveOpen() : held.settle(undefined)
  let data
  try {
    data = toData(result, tool)
  } catch (error) {
    await held.leaveOpen()
    throw error
  }
  return held.settle(data)
}

function withWarning(result: SettledSuccess, settling: Exclude<Settling, 'kept'>): SettledSuccess {
  const message =
    settling === 'lost'
      ? 'Another call took the key over meanwhile: who asks again gets the answer of that one.'
      : 'The answer could not be kept under its key: who asks again may be told that the outcome is not known.'
  return withIssue(result, { severity: 'warning', message })
}
