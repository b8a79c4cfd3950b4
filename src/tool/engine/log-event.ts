import { excerpt } from '../../schema/quote.ts'
import { isConfigurationError } from '../errors/configuration-error.ts'
import type { CallFinished, ToolEvent } from '../event.ts'
import type { Logger } from '../logger.ts'
import { textOf } from '../result/text-of.ts'
import type { Call } from './call.ts'

const MAX_SHOWN = 200

/** One line for every call that ended: what went in, what came out, how long it took. Nothing is put into words for a level that is off. */
export function logEvent(log: Logger, event: ToolEvent, call: Call): void {
  if (event.type !== 'call.finished' || !event.counts) return
  const { tool, path } = call
  const level = isConfigurationError(call.fatal) ? 'error' : event.outcome === 'success' ? 'info' : 'warn'
  if (log.isLevelEnabled?.(level) !== false) log[level](fieldsOf(event, call), lineOf(event, call))
  if (log.isLevelEnabled?.('debug') !== false)
    log.debug({ tool, path, input: call.input, output: call.output ?? event.text }, `${tool} in full`)
}

function fieldsOf(event: CallFinished, { tool, path, agent }: Call): object {
  return {
    tool,
    path,
    durationMs: Math.round(event.durationMs * 1000) / 1000,
    outcome: event.outcome,
    ...(agent === undefined ? {} : { agent }),
    ...(event.code === undefined ? {} : { code: event.code }),
  }
}

function lineOf(event: CallFinished, call: Call): string {
  const shown = `${call.tool}(${excerpt(textOf(call.input), MAX_SHOWN)})`
  if (event.outcome === 'success') return `${shown} -> ${excerpt(event.text, MAX_SHOWN)} [${Math.round(event.durationMs)} ms]`
  return `${shown} -> Error: ${excerpt(event.text.replace(/^Error: /, ''), MAX_SHOWN)}`
}
