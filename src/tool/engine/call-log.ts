import type { Logger } from '../ports/logger.ts'
import type { Call } from './call.ts'

/** The logger of a call. Each line says which tool wrote it, where, and in which recorded run; fields that the tool names itself win. */
export function callLog(call: Call, log: Logger): Logger {
  const place = { tool: call.tool, path: call.path, ...runOf(call) }
  const writer =
    (write: Logger['info']) =>
    (fields: unknown, message?: string): void => {
      if (typeof fields === 'string') write.call(log, place, fields)
      else write.call(log, fields instanceof Error ? { ...place, err: fields } : { ...place, ...(fields as object) }, message as string)
    }
  return {
    trace: writer(log.trace),
    debug: writer(log.debug),
    info: writer(log.info),
    warn: writer(log.warn),
    error: writer(log.error),
    ...(log.fatal === undefined ? {} : { fatal: writer(log.fatal) }),
    isLevelEnabled: (level) => log.isLevelEnabled?.(level) ?? true,
  }
}

/** The recorded run to which a line belongs. */
export function runOf({ root }: Call): { readonly run?: string } {
  return root.options.journal === undefined ? {} : { run: root.runId }
}
