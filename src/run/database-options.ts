import { isRecord } from '../schema/json-schema.ts'
import { type OpenStore, STORE_NAMES, type StoreOptions } from '../store/store-options.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'

/** Which database, and what it is trusted with. */
export interface DatabaseOptions extends StoreOptions {
  /** A store that is open already, in place of a url or a home; it stays the caller's to close. */
  readonly store?: OpenStore | undefined
  /** Seals inputs, results, requests and decisions in the database. */
  readonly encryption?: EncryptionOptions | undefined
}

/** Keys for what a database holds: the first one seals, all of them open. */
export interface EncryptionOptions {
  /** 32 bytes, as they are or in base64. */
  readonly key: string | Uint8Array
  /** Keys of former times, for what was sealed with them. */
  readonly formerKeys?: readonly (string | Uint8Array)[] | undefined
}

const NAMES = optionNames<DatabaseOptions>({ ...STORE_NAMES, store: true, encryption: true })
const ENCRYPTION_NAMES = optionNames<EncryptionOptions>({ key: true, formerKeys: true })

/** Catches misspelt options before anything is opened. A store that is open already is an object of its own kind. */
export function checkDatabase(database: unknown): void {
  if (database === undefined || (isRecord(database) && ('close' in database || 'openRuns' in database))) return
  checkOptionNames(database, NAMES, "The options of 'database'")
  checkEncryption((database as DatabaseOptions).encryption, 'a database')
}

/** Catches misspelt options of an encryption; `owner` is whose it is. */
export function checkEncryption(encryption: EncryptionOptions | undefined, owner: string): void {
  if (encryption !== undefined) checkOptionNames(encryption, ENCRYPTION_NAMES, `The options of 'encryption' of ${owner}`)
}
