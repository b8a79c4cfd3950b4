import { createHash } from 'node:crypto'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import { classifyError } from '../tool/errors/classify-error.ts'
import { isExitEarly } from '../tool/errors/exit-early.ts'
import { encode, type JsonData } from '../tool/journal/codec.ts'
import type { ToolResult } from '../tool/result.ts'
import type { RunEnding } from './claimed-run.ts'
import type { KeptResult } from './run-row.ts'
import { artifactReference, type Values } from './values.ts'

const LARGE = 64 * 1024

/** The end of a run, and the text of its result where that is too large for the row. */
export interface KeptEnding extends RunEnding {
  readonly artifact?: { readonly id: string; readonly text: string } | undefined
}

/** A run ends with the result of its tool; one that was cancelled says so. */
export function endingOf(result: ToolResult, values: Values, isCancelled: boolean): KeptEnding {
  try {
    const status = result.ok ? 'completed' : isCancelled && result.error.class === 'cancelled' ? 'cancelled' : 'failed'
    return keep(status, keptOf(result), values)
  } catch (thrown) {
    const { code, class: errorClass, message, retryable, hint } = classifyError(thrown)
    const error = { code, class: errorClass, message, retryable, hint, outcome: 'unknown' as const }
    return keep('failed', { ok: false, text: `Error: ${message}`, error, provenance: result.provenance }, values)
  }
}

/** A reviewer's stop ends the run; a mistake in the program only blocks it. */
export function endingOfRejection(thrown: Error, tool: string, values: Values): KeptEnding {
  if (!isExitEarly(thrown)) return { status: 'blocked', result: null, why: reasonOf(thrown) }
  const { message, code } = thrown
  const error = { code, class: 'rejected' as const, message, retryable: false, hint: '', outcome: 'unknown' as const }
  const provenance = { tool, invocationId: '', timestamp: Date.now() }
  return keep('stopped', { ok: false, text: `Error: ${message}`, error, provenance }, values)
}

function keep(status: RunEnding['status'], result: KeptResult, values: Values): KeptEnding {
  const text = values.seal(encode(result))
  const why: JsonData = result.ok ? null : { code: result.error.code, ...(values.isSealing ? {} : { message: result.error.message }) }
  if (text.length <= LARGE) return { status, result: text, why }
  const id = createHash('sha256').update(text).digest('base64url')
  return { status, result: artifactReference(id), why, artifact: { id, text } }
}

/** Only what is data, and only what is there. */
function keptOf(result: ToolResult): KeptResult {
  const { issues, attempts, level, compensation, usage, text, provenance } = result
  const details = present({ issues, attempts, level, compensation, usage })
  if (!result.ok) {
    const { cause: _cause, ...error } = result.error
    return { ok: false, text, error: present(error), provenance, ...details }
  }
  const { value, content, confidence } = result
  return { ok: true, text, value, provenance, ...present({ content, confidence }), ...details }
}

function present<T extends object>(given: T): T {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as T
}

/** Why a run cannot go on, as data. */
export function reasonOf(thrown: unknown): JsonData {
  const code = thrown instanceof ConfigurationError ? thrown.code : String((thrown as { readonly code?: unknown }).code ?? 'unexpected')
  return { code, message: thrown instanceof Error ? thrown.message : String(thrown) }
}
