import type { Alert } from '../../tool/alert.ts'
import { printable } from '../../tool/printable.ts'
import type { FailureDetails } from '../../tool/result/result.ts'
import { decided, record } from '../../tool/seam/recorded.ts'
import { forAtMost, underWay } from '../../tool/seam/waiting.ts'
import { maskedText, runIdOf, settingsOf, type Whole } from '../../tool/seam/whole.ts'
import { SAGA_MARK } from './saga-record.ts'

export interface Alarm {
  readonly kind: Alert['kind']
  readonly step: string
  readonly round: number
  readonly message: string
  readonly error?: FailureDetails | undefined
  /** Expected: the plan has no compensation for it. */
  readonly isWarning: boolean
}

/** A hook that never resolves must not block the saga. */
const HOOK_DEADLINE_MS = 10_000

/** Logs a step that was not undone and calls the alert hook: once in a run, even if the run is resumed. */
export async function raiseAlarm(saga: Whole, alarm: Alarm): Promise<void> {
  const place = `${SAGA_MARK}.alert.${alarm.round}.${alarm.step}`
  if (decided(saga, place) !== undefined) return
  await underWay(saga, async () => {
    await tell(saga, alertOf(saga, alarm))
    await record(saga, place, true, 'unknown')
  })
}

function alertOf(saga: Whole, { kind, step, message, error, isWarning }: Alarm): Alert {
  const masked = maskedText(saga, message)
  const kept = error === undefined ? undefined : { ...error, message: maskedText(saga, error.message), hint: maskedText(saga, error.hint) }
  const fields = { saga: saga.tool, path: saga.path, step, kind, ...(error === undefined ? {} : { code: error.code }) }
  const line = printable(masked)
  if (isWarning) saga.log.warn(fields, line)
  else if (saga.log.fatal === undefined) saga.log.error(fields, `CRITICAL: ${line}`)
  else saga.log.fatal(fields, line)
  return {
    kind,
    ...{ saga: saga.tool, step, message: masked, path: saga.path, runId: runIdOf(saga), traceId: saga.traceId },
    ...(kept === undefined ? {} : { error: kept }),
  }
}

async function tell(saga: Whole, alert: Alert): Promise<void> {
  const hook = settingsOf(saga).alert
  if (hook === undefined) return
  try {
    const delivery = hook(alert)
    if (delivery instanceof Promise) await forAtMost(saga, HOOK_DEADLINE_MS, delivery)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    saga.log.error(
      { saga: alert.saga, path: alert.path, step: alert.step },
      printable(`The alert about step '${alert.step}' of '${alert.saga}' failed: ${maskedText(saga, why)}`),
    )
  }
}
