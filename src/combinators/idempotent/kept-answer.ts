import { SettledSuccess } from '../../tool/result/settled.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import { decode, encode, type JsonData } from '../../tool/journal/codec.ts'
import type { Provenance, ToolSuccess } from '../../tool/result/result.ts'
import type { SuccessOptions } from '../../tool/result/returned.ts'

/** An answer as it is kept under its key. */
export interface KeptAnswer {
  readonly value: unknown
  readonly options: SuccessOptions
  readonly level: string | undefined
  /** Of the call that ran. */
  readonly provenance: Provenance
}

/** As data; what data cannot hold is a failure, and the tool has run by then. Each field by itself, so that a message gives the place in the value. */
export function toData(result: ToolSuccess, tool: string): JsonData {
  const { value, content, issues, confidence, level, provenance } = result
  const text = result instanceof SettledSuccess ? result.ownText : result.text
  try {
    const options = { text, content, issues, confidence }
    return { value: encode(value), options: encode(options), level: encode(level), provenance: encode(provenance) }
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new ToolError(`Tool '${tool}' has run, but its answer cannot be kept under its key: ${why}`, {
      code: 'not_serializable',
      outcome: 'unknown',
      cause,
    })
  }
}

export function fromData(data: JsonData): KeptAnswer {
  const { options, ...kept } = decode(data) as KeptAnswer
  const message = `Repeated: the answer of the call with the same key that ended at ${new Date(kept.provenance.timestamp).toISOString()}. Nothing was done again.`
  return { ...kept, options: { ...options, issues: [...(options.issues ?? []), { severity: 'info', message }] } }
}

/** The result of the call that ran, as if it were given now. */
export function resultOf({ value, options, level, provenance }: KeptAnswer): SettledSuccess {
  const result = new SettledSuccess({ provenance }, value, options)
  if (level !== undefined) result.add({ level })
  return result
}
