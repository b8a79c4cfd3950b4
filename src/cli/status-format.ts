import type { RunStatus } from '../run/state/run-state.ts'
import type { Format } from './output.ts'

const FORMATS: Readonly<Record<RunStatus, Format>> = {
  queued: 'dim',
  running: 'cyan',
  waiting: 'yellow',
  blocked: 'red',
  completed: 'green',
  failed: 'red',
  cancelled: 'dim',
  stopped: 'red',
}

export function statusFormat(status: RunStatus | undefined): Format {
  return status === undefined ? 'dim' : FORMATS[status]
}
