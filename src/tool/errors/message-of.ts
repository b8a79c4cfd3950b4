import { isRecord } from '../../schema/json-schema.ts'

const PRINTABLE: ReadonlySet<string> = new Set(['string', 'number', 'bigint', 'boolean', 'symbol'])

/**
 * The message of a thrown value or a reason. Blank if there is none, or if it cannot be read. `fetch failed` is given with its cause.
 */
export function messageOf(thrown: unknown): string {
  try {
    return isRecord(thrown) ? messageIn(thrown) : PRINTABLE.has(typeof thrown) ? String(thrown) : ''
  } catch {
    return ''
  }
}

/** The same within a sentence. */
export function reasonOf(thrown: unknown): string {
  const message = messageOf(thrown)
  return message.trim() === '' ? 'it gave no reason' : message
}

function messageIn(thrown: Record<string, unknown>): string {
  const own = textIn(thrown['message'])
  if (own !== '' && own !== 'fetch failed') return own
  const cause = thrown['cause']
  const reason = isRecord(cause) ? textIn(cause['message']) || textIn(cause['code']) : textIn(cause)
  return [own || textIn(thrown['code']), reason].filter((part) => part !== '').join(': ')
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value.trim() : ''
}
