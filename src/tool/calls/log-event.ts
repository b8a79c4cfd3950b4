import type { ToolEvent } from '../event.ts'
import type { Logger } from '../logger.ts'
import { excerpt, textOf } from '../text-of.ts'
import type { Call } from './call.ts'

const MOST_SHOWN = 200

/** One line for every call that ended: what went in, what came out, how long it took. */
export function logEvent(log: Logger, event: ToolEvent, call: Call): void {
  if (event.type !== 'call.finished' || call.layer !== undefined) return
  const { tool } = call
  const fields = {
    tool,
    path: call.path,
    durationMs: Math.round(event.durationMs * 1000) / 1000,
    outcome: event.outcome,
    ...(call.agent === undefined ? {} : { agent: call.agent }),
  }
  const shown = `${tool}(${excerpt(textOf(call.input), MOST_SHOWN)})`
  if (event.fatal) log.error(fields, `${shown} -> ${excerpt(event.text, MOST_SHOWN)}`)
  else if (event.outcome === 'success')
    log.info(fields, `${shown} -> ${excerpt(event.text, MOST_SHOWN)} [${Math.round(event.durationMs)} ms]`)
  else log.warn({ ...fields, code: event.error?.code }, `${shown} -> Error: ${excerpt(event.error?.message ?? '', MOST_SHOWN)}`)
  if (log.isLevelEnabled?.('debug') !== false)
    log.debug({ tool, path: call.path, input: call.input, output: call.output ?? event.text }, `${tool} in full`)
}
