import { quote } from '../schema/quote.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import type { RunStatus } from './run-status.ts'

const ALL: Readonly<Record<RunStatus, true>> = {
  queued: true,
  running: true,
  waiting: true,
  blocked: true,
  completed: true,
  failed: true,
  cancelled: true,
  stopped: true,
}

/** Refuses what is no status, and where only some make sense, the others. */
export function checkStatuses(given: readonly RunStatus[], allowed: ReadonlySet<RunStatus> = new Set(statuses())): RunStatus[] {
  const wrong = given.find((each) => !allowed.has(each))
  if (wrong === undefined) return [...given]
  throw new ConfigurationError('invalid_option', `A status must be one of ${[...allowed].join(', ')}, not ${quote(wrong)}.`)
}

function statuses(): readonly RunStatus[] {
  return Object.keys(ALL) as RunStatus[]
}
