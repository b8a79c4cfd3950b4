import type { Alert } from '../../tool/alert.ts'
import type { Call } from '../../tool/engine/call.ts'
import { readEntry, writeEntry } from '../../tool/engine/journal-access.ts'
import { Scope } from '../../tool/engine/scope.ts'
import type { FailureDetails } from '../../tool/result/result.ts'
import { pathOf } from './saga-record.ts'

export interface Alarm {
  readonly kind: Alert['kind']
  readonly step: string
  readonly round: number
  readonly message: string
  readonly error?: FailureDetails | undefined
  /** It was to be expected: the plan has no way to undo it. */
  readonly isWarning: boolean
}

/** A hook that never comes back must not keep the saga from its end. */
const HOOK_DEADLINE_MS = 10_000

/** Logs what was not undone and tells whoever is on call: once in a run, also when the run is taken up again. */
export async function raiseAlarm(call: Call, alarm: Alarm): Promise<void> {
  const { journal } = call
  const path = `${pathOf(call)}.alert.${alarm.round}.${alarm.step}`
  if (readEntry(call, path) !== undefined) return
  journal?.inFlight?.(1)
  try {
    const { saga, step, message, error } = log(call, alarm)
    await tell(call, { kind: alarm.kind, saga, step, message, error, path: call.path, runId: call.root.runId, traceId: call.traceId })
    if (journal !== undefined) await writeEntry(call, { kind: 'decision', path, value: true }, 'unknown')
  } finally {
    journal?.inFlight?.(-1)
  }
}

function log(call: Call, { kind, step, message, error, isWarning }: Alarm): Omit<Alert, 'kind' | 'path' | 'runId' | 'traceId'> {
  const masked = call.maskText(message)
  const kept = error === undefined ? undefined : { ...error, message: call.maskText(error.message), hint: call.maskText(error.hint) }
  const fields = { saga: call.tool, path: call.path, step, kind, ...(error === undefined ? {} : { code: error.code }) }
  if (isWarning) call.log.warn(fields, masked)
  else if (call.log.fatal === undefined) call.log.error(fields, `CRITICAL: ${masked}`)
  else call.log.fatal(fields, masked)
  return { saga: call.tool, step, message: masked, ...(kept === undefined ? {} : { error: kept }) }
}

async function tell(call: Call, alert: Alert): Promise<void> {
  const hook = call.root.options.alert
  if (hook === undefined) return
  try {
    const told = hook(alert)
    if (told instanceof Promise) await new Scope(call.root.clock, HOOK_DEADLINE_MS).race(told)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    call.log.error(
      { saga: alert.saga, path: alert.path, step: alert.step },
      `The alert about step '${alert.step}' of '${alert.saga}' failed: ${call.maskText(why)}`,
    )
  }
}
