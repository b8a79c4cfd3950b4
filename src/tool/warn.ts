import type { Logger } from './ports/logger.ts'
import { printable } from './printable.ts'

/** Reports something that a developer should mend: to the logger, else as a warning of the process. It stays on one line. */
export function warn(log: Logger | undefined, message: string, fields: object = {}): void {
  const line = printable(message)
  if (log === undefined) process.emitWarning(line, 'ToolwrightWarning')
  else log.warn(fields, line)
}
