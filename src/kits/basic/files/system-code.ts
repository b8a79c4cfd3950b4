import { isRecord } from '../../../schema/json-schema.ts'

/** The code of an error of the operating system: `ENOENT`. */
export function systemCode(error: unknown): string | undefined {
  const code: unknown = isRecord(error) ? error['code'] : undefined
  return typeof code === 'string' && /^E[A-Z0-9]+$/.test(code) ? code : undefined
}
