import { cryptoModule } from '../../tool/crypto-module.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import type { JsonData } from '../../tool/journal/codec.ts'
import type { EncryptionOptions } from '../database-options.ts'
import type { RunReason } from '../state/run-state.ts'
import { type EncryptionKey, encryptionKeys } from './encryption-key.ts'
import { bindingOf, inRun, nameOf, type Place } from './place.ts'
import { storable } from './storable.ts'

const TAG = '$toolwright'
const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const AUTH_BYTES = 16

/** Values as the database holds them: JSON text, sealed where there is a key. */
export class Values {
  readonly #keys: readonly EncryptionKey[]
  #refusesPlain = false

  constructor(encryption?: EncryptionOptions) {
    this.#keys = encryptionKeys(encryption)
  }

  /** The database holds sealed values: without a key nothing is written to it. */
  refusePlain(): void {
    this.#refusesPlain = true
  }

  /** Throws where a value would be written plain to a database that holds sealed ones. */
  checkWritable(place: Place): void {
    if (this.isSealing || !this.#refusesPlain) return
    throw new ConfigurationError(
      'missing_encryption_key',
      `The database holds sealed values, and this process has no key: nothing was written to ${nameOf(place)}. ` +
        'Pass the key of the other processes as database.encryption.key.',
    )
  }

  /** What stands in clear text beside sealed values must tell nothing of them. */
  get isSealing(): boolean {
    return this.#keys.length > 0
  }

  seal(data: JsonData, place: Place): string {
    this.checkWritable(place)
    const text = JSON.stringify(data)
    const [key] = this.#keys
    if (key === undefined) return text
    const { createCipheriv, randomBytes } = cryptoModule()
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv(CIPHER, key.bytes, iv).setAAD(bindingOf(place))
    const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return JSON.stringify({ [TAG]: 'sealed', key: key.id, of: sealed.toString('base64') })
  }

  /** A word that is read back, and tells nothing to those without the key. */
  sealWord(word: string, place: Place): string {
    this.checkWritable(place)
    return this.isSealing ? this.seal(word, place) : word
  }

  unsealWord(text: string, place: Place): string {
    if (text.startsWith(`{"${TAG}"`)) return this.unseal(text, place) as string
    if (this.isSealing) throw unsealed(place)
    return text
  }

  /** Stands for a hash in clear text, with the id of its key before a dot: without the key nobody can tell of which value it is. */
  fingerprint(hash: string): string {
    return this.fingerprints(hash)[0] ?? hash
  }

  /** By which the same hash was known under any of the keys. */
  fingerprints(hash: string): readonly string[] {
    if (!this.isSealing) return [hash]
    const { createHmac } = cryptoModule()
    return this.#keys.map(({ id, bytes }) => `${id}.${createHmac('sha256', bytes).update(hash).digest('base64url')}`)
  }

  /** Throws where a stored fingerprint tells nothing: it was made with a key that is not given, or without one. */
  checkComparable(print: string, place: Place): void {
    const [id, sealed] = print.split('.')
    if (sealed === undefined) {
      if (this.isSealing) throw unsealed(place)
    } else if (!this.#keys.some((key) => key.id === id)) throw missingKey(id, place)
  }

  /** Why a run stands where it does: its code is in clear text for the database to look at, its message is kept as values are. */
  sealReason({ code, message }: RunReason, run: string): string {
    const told = { code: storable(code), message: storable(message) }
    if (!this.isSealing) return JSON.stringify(told)
    return JSON.stringify({ code: told.code, sealed: JSON.parse(this.seal(told.message, inRun(run, 'why'))) as JsonData })
  }

  /** If the message cannot be opened, the code still tells something, and the message says why not. */
  openReason(text: string, run: string): RunReason {
    const { sealed, ...reason } = JSON.parse(text) as RunReason & { readonly sealed?: JsonData }
    if (sealed === undefined && !this.isSealing) return reason
    try {
      return { code: reason.code, message: this.unseal(JSON.stringify(sealed ?? reason.message ?? null), inRun(run, 'why')) as string }
    } catch (error) {
      return { code: reason.code, message: error instanceof Error ? error.message : String(error) }
    }
  }

  /** With a key, only a value that was sealed for this place is opened. */
  unseal(text: string, place: Place): JsonData {
    const data = JSON.parse(text) as JsonData
    if (!isTagged(data, 'sealed')) {
      if (this.isSealing) throw unsealed(place)
      return data
    }
    const { key: id, of } = data as unknown as { readonly key: unknown; readonly of: unknown }
    const key = this.#keys.find((each) => each.id === id)
    if (key === undefined) throw missingKey(id, place)
    return JSON.parse(decrypt(key, Buffer.from(String(of), 'base64'), place)) as JsonData
  }
}

function missingKey(id: unknown, place: Place): ConfigurationError {
  return new ConfigurationError(
    'missing_encryption_key',
    `A value in the database is sealed with the key '${String(id)}', which is not among the given ones: ${nameOf(place)}. Pass it as encryption.key, or among encryption.formerKeys.`,
  )
}

function unsealed(place: Place): ConfigurationError {
  return new ConfigurationError(
    'unsealed_value',
    `A value in the database is not sealed, although an encryption key is set: ${nameOf(place)}. Nothing was read from it. ` +
      'If the values were written before the key was set, seal them once with: toolwright seal. Otherwise somebody has put it there.',
  )
}

function decrypt({ bytes }: EncryptionKey, sealed: Buffer, place: Place): string {
  try {
    if (sealed.length < IV_BYTES + AUTH_BYTES) throw new RangeError('It is too short.')
    const decipher = cryptoModule().createDecipheriv(CIPHER, bytes, sealed.subarray(0, IV_BYTES), { authTagLength: AUTH_BYTES })
    decipher.setAAD(bindingOf(place)).setAuthTag(sealed.subarray(-AUTH_BYTES))
    return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES, -AUTH_BYTES)), decipher.final()]).toString('utf8')
  } catch (cause) {
    throw new ConfigurationError(
      'seal_broken',
      `A sealed value cannot be opened: ${nameOf(place)}. It was changed, or it was sealed for another place and moved to this one. ` +
        `Nothing was read from it. Restore the row from a backup, or ${place.run === null ? 'delete it' : 'cancel and remove the run'}.`,
      { cause },
    )
  }
}

/** No value of a program looks like this: the codec never writes such a tag. */
function isTagged(data: JsonData, tag: 'sealed' | 'artifact'): boolean {
  return typeof data === 'object' && data !== null && !Array.isArray(data) && (data as Record<string, JsonData>)[TAG] === tag
}

/** Stands in a column for a text that lies among the artifacts. */
export function artifactReference(id: string): string {
  return JSON.stringify({ [TAG]: 'artifact', of: id })
}

/** The id of the artifact that a column's text stands for. */
export function artifactId(text: string): string | undefined {
  if (!text.startsWith(`{"${TAG}":"artifact"`)) return undefined
  return (JSON.parse(text) as { readonly of: string }).of
}
