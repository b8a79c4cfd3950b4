import { quote } from '../../schema/quote.ts'
import { cryptoModule } from '../../tool/crypto-module.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import type { EncryptionOptions } from '../database-options.ts'

export interface EncryptionKey {
  /** Stands beside a sealed value, and tells nothing of the key. */
  readonly id: string
  readonly bytes: Uint8Array
}

const MAKE_ONE = 'Make one with: openssl rand -base64 32'

/** The keys that are given, the one that seals first; none where the option is absent. An option without a key is refused: it must not mean plain values. */
export function encryptionKeys(encryption: EncryptionOptions | undefined): readonly EncryptionKey[] {
  if (encryption === undefined) return []
  const { key, formerKeys = [] } = ((encryption as unknown) ?? {}) as Partial<EncryptionOptions>
  if (key === undefined || key === null) {
    throw new ConfigurationError(
      'invalid_option',
      'database.encryption has no key. If the key comes from a variable of the environment, that is not set. ' +
        `A key has 32 bytes, as they are or in base64. ${MAKE_ONE}. To keep values unsealed, leave database.encryption out.`,
    )
  }
  if (!Array.isArray(formerKeys))
    throw new ConfigurationError(
      'invalid_option',
      `database.encryption.formerKeys must be a list of keys, not ${quote(typeof formerKeys)}.`,
    )
  return [keyOf(key, 'key'), ...formerKeys.map((former: EncryptionOptions['key'], index) => keyOf(former, `formerKeys[${index}]`))]
}

/** No message shows what was given: it may be most of a key. */
function keyOf(given: string | Uint8Array, option: string): EncryptionKey {
  const isKey = typeof given === 'string' || given instanceof Uint8Array
  const bytes = typeof given === 'string' ? Buffer.from(given, 'base64') : given
  if (!isKey || bytes.length !== 32) {
    const found = isKey ? `this one has ${bytes.length}` : `this one is of type ${given === null ? 'null' : typeof given}`
    throw new ConfigurationError(
      'invalid_option',
      `An encryption key must be 32 bytes, as they are or in base64; ${found}: database.encryption.${option}. ${MAKE_ONE}`,
    )
  }
  return { bytes, id: cryptoModule().createHash('sha256').update(bytes).digest('hex').slice(0, 8) }
}
