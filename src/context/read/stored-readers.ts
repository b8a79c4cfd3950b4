import { type OutputOwner, ownerKey, type OutputStore, type StoredOutput } from '../stored-outputs.ts'
import { OutputReader } from './output-reader.ts'

const MOST_READERS = 8

/** Readers of stored outputs. The latest ones keep what they have seen of their output. */
export class StoredReaders {
  readonly #store: OutputStore
  readonly #readers = new Map<string, OutputReader>()

  constructor(store: OutputStore) {
    this.#store = store
  }

  async put(
    pointer: string,
    reader: OutputReader,
    { output, owner }: { readonly output: StoredOutput; readonly owner: OutputOwner },
  ): Promise<void> {
    await this.#store.put(pointer, output, owner)
    this.#keep(keyOf(pointer, owner), reader)
  }

  /** Undefined for an output of somebody else too. */
  async get(pointer: string, owner: OutputOwner): Promise<OutputReader | undefined> {
    const key = keyOf(pointer, owner)
    const known = this.#readers.get(key)
    if (known !== undefined) return known
    const output = await this.#store.get(pointer, owner)
    if (output === undefined) return undefined
    const reader = new OutputReader(output)
    this.#keep(key, reader)
    return reader
  }

  #keep(key: string, reader: OutputReader): void {
    this.#readers.delete(key)
    this.#readers.set(key, reader)
    const [oldest] = this.#readers.keys()
    if (this.#readers.size > MOST_READERS && oldest !== undefined) this.#readers.delete(oldest)
  }
}

function keyOf(pointer: string, owner: OutputOwner): string {
  return `${pointer} ${ownerKey(owner)}`
}
