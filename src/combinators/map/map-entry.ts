import type { Nesting } from '../../schema/nest-schema.ts'
import { type FailureData, failureData } from '../../tool/result/failure-details.ts'
import type { ToolResult } from '../../tool/result/result.ts'

/** The result of one item, as plain data. */
export type MapEntry<O> = { readonly ok: true; readonly value: O } | { readonly ok: false; readonly error: FailureData }

export function entryOf(result: ToolResult): MapEntry<unknown> {
  return result.ok ? { ok: true, value: result.value } : { ok: false, error: failureData(result.error) }
}

const TEXT = { type: 'string' }
const ERROR = {
  type: 'object',
  properties: {
    code: TEXT,
    class: TEXT,
    message: TEXT,
    retryable: { type: 'boolean' },
    hint: TEXT,
    outcome: TEXT,
    retryAfterMs: { type: 'number' },
  },
  required: ['code', 'class', 'message', 'retryable', 'hint', 'outcome'],
}

/** An entry as a schema. */
export const ENTRY: Nesting = {
  around: (value) => ({
    anyOf: [
      { type: 'object', properties: { ok: { const: true }, value }, required: ['ok', 'value'] },
      { type: 'object', properties: { ok: { const: false }, error: ERROR }, required: ['ok', 'error'] },
    ],
  }),
  pointer: '/anyOf/0/properties/value',
}
