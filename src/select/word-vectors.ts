import { cryptoModule } from '../tool/crypto-module.ts'
import { DIMENSIONS, packed } from './vector-table.ts'
import { wordParts } from './word-parts.ts'
import { isIgnored, wordsOf } from './words.ts'

const NOWHERE = -1
const MAX_ASKED = 5000
const STEP = 0.04
const SMALLEST = 0.001
const FACTORS = Float64Array.from({ length: 256 }, (_, step) => SMALLEST * Math.exp(step * STEP))

/** Makes vectors of texts: texts of a similar meaning get vectors that point the same way. */
export interface TextVectors {
  /** 64 signed bytes, of a vector of length 1 times 127; undefined for a text without a meaning that it knows. */
  readonly vectorOf: (text: string) => Int8Array | undefined
  /** The same of the words of a text, where they are known already. */
  readonly vectorOfWords?: (words: readonly string[]) => Int8Array | undefined
  /** The words of a word that is several written as one, such as `airquality`; undefined for any other. */
  readonly partsOf?: (word: string) => readonly string[] | undefined
}

/** Vectors for words: texts of a similar meaning get vectors that point the same way. */
export class WordVectors implements TextVectors {
  readonly #places: ReadonlyMap<string, number>
  readonly #bytes: Int8Array
  /** The places of words that were asked for; `NOWHERE` for words that say nothing. Few words make up most texts. */
  readonly #asked = new Map<string, number>()
  /** By place: the number of the last text with the word. A word counts once in a text, and a set of the words of each text would cost more than the sum. */
  readonly #lastText: Float64Array
  #texts = 0
  readonly #sum = new Float32Array(DIMENSIONS)

  constructor(words: readonly string[], bytes: Int8Array) {
    this.#places = new Map(words.map((word, place) => [word, place]))
    this.#bytes = bytes
    this.#lastText = new Float64Array(words.length)
  }

  /** The vector of a text, by its different words; undefined if it has no known one. */
  vectorOf(text: string): Int8Array | undefined {
    return this.vectorOfWords(wordsOf(text))
  }

  vectorOfWords(words: readonly string[]): Int8Array | undefined {
    const sum = this.#sum.fill(0)
    const bytes = this.#bytes
    const lastText = this.#lastText
    const text = ++this.#texts
    for (const word of words) {
      const place = this.#asked.get(word) ?? this.#placeOf(word)
      if (place === NOWHERE || lastText[place] === text) continue
      lastText[place] = text
      add(bytes, place * (DIMENSIONS + 1), sum)
    }
    return packed(sum)
  }

  #placeOf(word: string): number {
    const place = isIgnored(word) ? NOWHERE : (this.#places.get(word) ?? NOWHERE)
    if (this.#asked.size >= MAX_ASKED) this.#asked.clear()
    this.#asked.set(word, place)
    return place
  }

  /** Other vectors have another one. */
  get fingerprint(): string {
    return cryptoModule()
      .createHash('sha256')
      .update([...this.#places.keys()].join(' '))
      .update(this.#bytes)
      .digest('base64url')
  }

  partsOf(word: string): readonly string[] | undefined {
    return this.#places.has(word) ? undefined : wordParts(word, (part) => this.#places.get(part))
  }
}

function add(bytes: Int8Array, at: number, sum: Float32Array): void {
  // The first byte is the length, without a sign.
  const factor = FACTORS[(bytes[at] as number) & 255] as number
  for (let index = 0; index < DIMENSIONS; index++) sum[index] = (sum[index] as number) + factor * (bytes[at + 1 + index] as number)
}

let loaded: Promise<WordVectors> | undefined

/** The vectors of the package, about 2 MB: they are read when the first catalog needs them. */
export function ownWordVectors(): Promise<WordVectors> {
  return (loaded ??= import('./word-vectors-data.ts').then(({ WORDS, VECTORS }) => {
    const bytes = Buffer.from(VECTORS, 'base64')
    return new WordVectors(WORDS.split(' '), new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length))
  }))
}
