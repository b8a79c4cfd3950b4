import { ToolError } from '../errors/tool-error.ts'
import { type JsonData, decode, encode } from '../journal/codec.ts'
import { hashOf } from '../journal/hash.ts'
import type { CallEntry, Journal, JournalEntry } from '../journal/journal.ts'
import type { FailureDetails, Provenance, Usage } from '../result.ts'
import type { SuccessOptions } from '../returned.ts'
import type { Call } from './call.ts'
import { diverged } from './decide.ts'
import type { Attempt, Finish } from './door.ts'
import { settleThrown } from './settle.ts'
import { SettledFailure, type SettledResult, SettledSuccess } from './settled.ts'

interface Door {
  readonly attempt: (call: Call, options: Attempt) => SettledResult | Promise<SettledResult>
  readonly conclude: (call: Call, result: SettledResult) => SettledResult
}

/** Runs a leaf as one step of a recorded run: its key is written before it is dispatched, its result before anybody sees it. */
export async function runRecorded(call: Call, journal: Journal, { attempt, conclude }: Door): Promise<SettledResult> {
  const { path } = call
  let inputHash: string
  try {
    inputHash = hashForRecord(call.given)
    const past = pastOf(journal.read(path), path, inputHash)
    if (past?.result !== undefined) {
      call.markReplayed()
      return conclude(call, revive(decode(past.result) as Recorded))
    }
    if (past !== undefined && !mayRepeat(call))
      return conclude(call, await record(call, journal, { entry: past, result: interrupted(call) }))
  } catch (thrown) {
    if (thrown === call.fatal) throw thrown
    return conclude(call, settleThrown(call, thrown, false))
  }
  let dispatched = false
  const dispatch = async (): Promise<void> => {
    dispatched = true
    journal.inFlight?.(1)
    await write(journal, { kind: 'call', path, inputHash, key: call.idempotencyKey })
  }
  const finish: Finish = async (_call, result) => {
    if (call.fatal !== undefined) return conclude(call, result)
    const kept = await record(call, journal, { entry: { kind: 'call', path, inputHash, key: call.idempotencyKey }, result })
    return conclude(call, kept)
  }
  try {
    return await attempt(call, { finish, dispatch })
  } finally {
    if (dispatched) journal.inFlight?.(-1)
  }
}

function pastOf(entry: JournalEntry | undefined, path: string, inputHash: string): CallEntry | undefined {
  if (entry === undefined) return undefined
  if (entry.kind !== 'call') throw diverged(path, 'a call', `a ${entry.kind}`)
  if (entry.inputHash !== inputHash) throw diverged(path, 'a call with this input', 'a call with another input')
  return entry
}

/** After a crash in the middle of a call, it may run again only if repeating it does no harm. */
function mayRepeat({ built }: Call): boolean {
  return built.effect === 'read' || built.idempotent !== false
}

function interrupted(call: Call): SettledFailure {
  const message = `Tool '${call.tool}' was interrupted, and it is not known whether it took effect.`
  return settleThrown(call, new ToolError(message, { code: 'outcome_unknown', outcome: 'unknown' }), false)
}

interface Ended {
  readonly entry: CallEntry
  readonly result: SettledResult
}

async function record(call: Call, journal: Journal, { entry, result }: Ended): Promise<SettledResult> {
  call.endedAt = call.root.clock.now()
  let kept = result
  let data: JsonData
  try {
    data = encode(recordOf(result, call))
  } catch (error) {
    kept = settleThrown(call, error, false)
    data = encode(recordOf(kept, call))
  }
  try {
    await write(journal, { ...entry, result: data })
  } catch (error) {
    kept = settleThrown(call, error, false)
  }
  return kept
}

async function write(journal: Journal, entry: JournalEntry): Promise<void> {
  try {
    await journal.write(entry)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new ToolError(`The journal could not record '${entry.path}': ${why}`, { code: 'journal_failed', outcome: 'unknown', cause })
  }
}

function hashForRecord(input: unknown): string {
  try {
    return hashOf(input)
  } catch (cause) {
    throw new ToolError(cause instanceof Error ? cause.message : String(cause), { code: 'not_serializable', outcome: 'not_started', cause })
  }
}

interface Recorded {
  readonly provenance: Provenance
  readonly usage: Usage | undefined
  readonly success?: { readonly value: unknown; readonly options: SuccessOptions } | undefined
  readonly failure?: { readonly error: FailureDetails; readonly thrown: boolean } | undefined
}

function recordOf(result: SettledResult, call: Call): Recorded {
  const shared = { provenance: result.provenance, usage: call.used }
  if (!result.ok) {
    const { cause: _cause, ...error } = result.error
    return { ...shared, failure: { error, thrown: result.thrown } }
  }
  const { value, ownText: text, content, issues, confidence } = result
  return { ...shared, success: { value, options: { text, content, issues, confidence } } }
}

function revive({ provenance, usage, success, failure }: Recorded): SettledResult {
  const origin = { provenance }
  const result =
    failure === undefined
      ? new SettledSuccess(origin, success?.value, success?.options)
      : new SettledFailure(origin, failure.error, failure.thrown)
  if (usage !== undefined) result.add({ usage })
  return result
}
