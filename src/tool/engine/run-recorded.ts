import { ToolError } from '../errors/tool-error.ts'
import { encode, type JsonData } from '../journal/codec.ts'
import { hashOfData } from '../journal/hash.ts'
import type { CallEntry, Journal, JournalEntry } from '../journal/journal.ts'
import { withError } from '../result/amendments.ts'
import { decodeResult, encodeResult } from '../result/result-codec.ts'
import { mayRepeat } from '../metadata.ts'
import type { Call, Finish } from './call.ts'
import { madeSecretsOf } from './call-view.ts'
import { catchUp, mustCatchUp } from './catch-up.ts'
import { diverged } from './decide.ts'
import { readEntry, writeEntry } from './journal-access.ts'
import { secretNamesOf } from './read-secret.ts'
import { Cut } from './scope.ts'
import { settleThrown } from './settle.ts'
import type { SettledFailure, SettledResult } from '../result/settled.ts'

/** How a call that was let in is run. */
export interface Attempt {
  readonly finish: Finish
  /** The last thing before the tool's own function. */
  readonly dispatch?: (() => Promise<void>) | undefined
}

interface Door {
  readonly attempt: (call: Call, options: Attempt) => SettledResult | Promise<SettledResult>
  readonly conclude: (call: Call, result: SettledResult) => SettledResult
}

/** Runs a leaf as one step of a recorded run: its key is written before it is dispatched, its result before any later effect. */
export async function runRecorded(call: Call, journal: Journal, { attempt, conclude }: Door): Promise<SettledResult> {
  const { path } = call
  let input: JsonData
  let inputHash: string
  let hadBegun = false
  try {
    input = dataForRecord(call.given)
    inputHash = hashOfData(input)
    const past = pastOf(call, readEntry(call, path), inputHash)
    if (past?.result !== undefined) {
      call.markReplayed()
      return conclude(call, revive(call, past.result))
    }
    hadBegun = past !== undefined
    if (past !== undefined && !mayRepeat(call.built))
      return conclude(call, await record(call, journal, { entry: past, result: interrupted(call) }))
  } catch (thrown) {
    if (thrown === call.fatal) throw thrown
    return conclude(call, settleThrown(call, thrown, false))
  }
  const begun = (): CallEntry => ({ kind: 'call', path, tool: call.tool, inputHash, input, key: call.idempotencyKey })
  let dispatched = false
  const dispatch = async (): Promise<void> => {
    dispatched = true
    journal.inFlight?.(1)
    if (!hadBegun && mustCatchUp(call, path)) {
      await catchUp(call, path)
      if (call.scope.closed !== undefined) throw new Cut(call.scope.closed)
    }
    await writeEntry(call, { ...begun(), repeatable: call.built.effect === 'read' }, 'not_started')
  }
  const finish: Finish = async (_call, settled) => {
    const result = hadBegun ? perhapsDone(call, settled) : settled
    if (call.fatal !== undefined || isUnrecorded(result)) return conclude(call, result)
    return conclude(call, await record(call, journal, { entry: { ...begun(), repeatable: mayRepeat(call.built) }, result }))
  }
  try {
    return await attempt(call, { finish, dispatch })
  } finally {
    if (dispatched) journal.inFlight?.(-1)
  }
}

/** It had begun before, and was not begun again: it is not known whether it took effect. */
function perhapsDone(call: Call, result: SettledResult): SettledResult {
  if (result.ok || result.error.outcome !== 'not_started' || call.effect === 'read') return result
  return withError(result, { ...result.error, outcome: 'unknown' })
}

/** The step never began because its beginning could not be recorded: it is still to be done, and has no result to keep. */
function isUnrecorded(result: SettledResult): boolean {
  return !result.ok && result.error.code === 'journal_failed'
}

function pastOf(call: Call, entry: JournalEntry | undefined, inputHash: string): CallEntry | undefined {
  const { path, tool } = call
  if (entry === undefined) return undefined
  if (entry.kind !== 'call') throw diverged(call, path, 'a call', `a ${entry.kind}`)
  if (entry.tool !== tool) throw diverged(call, path, `a call of '${tool}'`, `a call of '${entry.tool}'`)
  if (entry.inputHash !== inputHash) throw diverged(call, path, 'a call with this input', 'a call with another input')
  return entry
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
  call.end = { at: call.root.clock.now() }
  let kept = result
  let data: JsonData
  const secrets = { names: secretNamesOf(call), made: madeSecretsOf(call) }
  try {
    data = encodeResult(result, call.used, secrets)
    journal.accept?.(data)
  } catch (error) {
    kept = settleThrown(call, error, false)
    data = encodeResult(kept, call.used, secrets)
  }
  try {
    await writeEntry(call, { ...entry, result: data }, 'unknown')
  } catch (error) {
    kept = settleThrown(call, error, false)
  }
  return kept
}

function dataForRecord(input: unknown): JsonData {
  try {
    return encode(input)
  } catch (cause) {
    throw new ToolError(cause instanceof Error ? cause.message : String(cause), { code: 'not_serializable', outcome: 'not_started', cause })
  }
}

/** The recorded usage counts for its callers again. */
function revive(call: Call, data: JsonData): SettledResult {
  const result = decodeResult(data, `in the journal at '${call.path}'`)
  if (result.usage !== undefined) call.usage(result.usage)
  return result
}
