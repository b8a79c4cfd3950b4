import { KnownSecrets } from '../tool/secrets/known-secrets.ts'
import { maskText } from '../tool/secrets/mask-text.ts'

const NONE = new KnownSecrets()

/** A message that may repeat what was typed: somebody may have put the address of a database, with its password, in a place for something else. */
export function withoutCredentials(message: string): string {
  return maskText(message, NONE)
}
