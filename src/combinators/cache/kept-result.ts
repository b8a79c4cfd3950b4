import { SettledSuccess } from '../../tool/result/settled.ts'
import { decode, encode, type JsonData } from '../../tool/journal/codec.ts'
import type { Provenance, ToolSuccess } from '../../tool/result/result.ts'
import type { SuccessOptions } from '../../tool/result/returned.ts'

/** A result as it is kept. */
export interface KeptResult {
  readonly value: unknown
  readonly options: SuccessOptions
  readonly level: string | undefined
  /** Of the call that gave it, so that everybody can see how fresh it is. */
  readonly provenance: Provenance
}

/** As data, so that nobody who changes what he was given changes what others get; undefined for what data cannot hold. */
export function toData(result: ToolSuccess): JsonData | undefined {
  const { value, content, issues, confidence, level, provenance } = result
  const text = result instanceof SettledSuccess ? result.ownText : result.text
  try {
    return encode({ value, options: { text, content, issues, confidence }, level, provenance })
  } catch {
    return undefined
  }
}

export function fromData(data: JsonData): KeptResult {
  const { options, ...kept } = decode(data) as KeptResult
  const message = `Kept from a call that ended at ${new Date(kept.provenance.timestamp).toISOString()}.`
  return { ...kept, options: { ...options, issues: [...(options.issues ?? []), { severity: 'info', message }] } }
}

/** The result of the call that gave it, as if it were given now. */
export function resultOf({ value, options, level, provenance }: KeptResult): SettledSuccess {
  const result = new SettledSuccess({ provenance }, value, options)
  if (level !== undefined) result.add({ level })
  return result
}
