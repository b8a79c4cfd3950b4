import { type Logger, silentLogger } from '../ports/logger.ts'
import type { Call } from './call.ts'

type Level = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal'

/** The logger of a call. Each line says which tool wrote it, where, and in which recorded run; fields that the tool names itself win. */
export function callLog(call: Call): Logger {
  const { log, runId } = call.root
  if (log === silentLogger) return log
  const place = { tool: call.tool, path: call.path, ...(call.journal === undefined ? {} : { run: runId }) }
  const writer =
    (level: Level) =>
    (fields: unknown, message?: string): void => {
      const write = log[level] ?? log.error
      if (typeof fields === 'string') write.call(log, place, fields)
      else write.call(log, fields instanceof Error ? { ...place, err: fields } : { ...place, ...(fields as object) }, message as string)
    }
  return {
    trace: writer('trace'),
    debug: writer('debug'),
    info: writer('info'),
    warn: writer('warn'),
    error: writer('error'),
    fatal: writer('fatal'),
    isLevelEnabled: (level) => log.isLevelEnabled?.(level) ?? true,
  }
}
