import type { OpenStore, StoreOptions } from '../store/store-options.ts'

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
