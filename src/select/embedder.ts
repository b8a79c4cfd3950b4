import { quote } from '../schema/quote.ts'
import { type Duration, toMilliseconds } from '../tool/duration.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'
import { tellListener } from './tell-listener.ts'

/** An embedding model of the AI SDK, of any version of its specification, as far as it is needed here. */
export interface EmbeddingModelLike {
  readonly modelId?: string | undefined
  readonly maxEmbeddingsPerCall?: number | PromiseLike<number | undefined> | undefined
  readonly doEmbed: (options: {
    readonly values: string[]
    readonly abortSignal?: AbortSignal | undefined
  }) => PromiseLike<{ readonly embeddings: readonly (readonly number[])[] }>
}

/** The options of `embedder`. */
export interface EmbedderOptions {
  /** How long a request may wait for its vector; 500 ms unless given. Tools have a hundred times as long. */
  readonly timeout?: Duration | undefined
  /** Texts whose vectors are kept, the newest; 10,000 unless given. */
  readonly keep?: number | undefined
  /** Told when the model did not answer in time, or failed: until it works again, the vectors of the package are used. */
  readonly onFailure?: ((failure: EmbedderFailure) => void) | undefined
}

/** Why the vectors of the package are used in place of those of a model. */
export interface EmbedderFailure {
  readonly message: string
  /** How many texts have no vector of the model. */
  readonly texts: number
}

/** A user's own model of meaning, for the option `vectors` of a catalog. Made by `embedder`. */
export interface Embedder {
  /** Vectors for these texts, from the model or from what is kept; undefined if the model cannot give all of them in time. */
  readonly vectorsFor: (
    texts: readonly string[],
    purpose: 'request' | 'tools',
  ) => Promise<readonly (Float32Array | undefined)[] | undefined>
}

const NAMES = optionNames<EmbedderOptions>({ timeout: true, keep: true, onFailure: true })
const USUAL_TIMEOUT_MS = 500
const USUAL_KEEP = 10_000
const TOOLS_FACTOR = 100
const MOST_AT_ONCE = 100
/** After a failure the model is left alone for so long: a model that is down must not cost every request its time-out. */
const REST_MS = 10_000
const MAX_TEXT = 2000

/**
 * Uses an embedding model of the AI SDK for meanings, in place of the word vectors of the package: `catalog(tools, { vectors: embedder(model) })`.
 * Vectors are kept; where the model fails or is late, the catalog uses its own, and says so by `onFailure` and in `vectors` of an answer.
 * @example
 * const tools = await catalog([shout], { vectors: embedder(embeddingModel) })
 * console.log((await tools.select('say it louder')).vectors) // model
 */
export function embedder(model: EmbeddingModelLike, options: EmbedderOptions = {}): Embedder {
  checkOptionNames(options, NAMES, 'The options of embedder')
  if (typeof model?.doEmbed !== 'function')
    throw new ConfigurationError('invalid_option', `embedder needs an embedding model of the AI SDK, not ${quote(model)}.`)
  const { keep = USUAL_KEEP, onFailure } = options
  const timeoutMs = toMilliseconds(options.timeout ?? USUAL_TIMEOUT_MS, "'timeout' of embedder")
  const kept = new Map<string, Float32Array | undefined>()
  let restingUntil = 0
  const remember = (text: string, vector: Float32Array | undefined): void => {
    kept.delete(text)
    kept.set(text, vector)
    for (const oldest of kept.keys()) {
      if (kept.size <= keep) break
      kept.delete(oldest)
    }
  }
  const fail = (message: string, texts: number): undefined => {
    restingUntil = performance.now() + REST_MS
    tellListener('The onFailure of an embedder', () => onFailure?.({ message, texts }))
    return undefined
  }
  return {
    vectorsFor: async (given, purpose) => {
      const texts = given.map((text) => text.slice(0, MAX_TEXT).toWellFormed())
      const missing = [...new Set(texts.filter((text) => text.trim() !== '' && !kept.has(text)))]
      if (missing.length > 0) {
        if (performance.now() < restingUntil) return undefined
        try {
          const found = await embedded(model, missing, AbortSignal.timeout(purpose === 'request' ? timeoutMs : timeoutMs * TOOLS_FACTOR))
          missing.forEach((text, at) => remember(text, found[at]))
        } catch (error) {
          const reason = error instanceof Error ? error.message : String(error)
          return fail(`The embedding model '${model.modelId ?? ''}' gave no vectors: ${reason}`, missing.length)
        }
      }
      return texts.map((text) => kept.get(text))
    },
  }
}

/** Whether a value was made by `embedder`, or is one of the user's own. */
export function isEmbedder(value: unknown): value is Embedder {
  return typeof value === 'object' && value !== null && 'vectorsFor' in value && typeof value.vectorsFor === 'function'
}

async function embedded(model: EmbeddingModelLike, texts: readonly string[], signal: AbortSignal): Promise<(Float32Array | undefined)[]> {
  const most = Math.max(1, Math.min(MOST_AT_ONCE, (await model.maxEmbeddingsPerCall) ?? MOST_AT_ONCE))
  const late = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('It did not answer in time.')), { once: true })
  })
  const vectors: (Float32Array | undefined)[] = []
  for (let at = 0; at < texts.length; at += most) {
    const values = texts.slice(at, at + most)
    // Not every model ends when it is told to.
    const { embeddings } = await Promise.race([model.doEmbed({ values, abortSignal: signal }), late])
    if (!Array.isArray(embeddings) || embeddings.length !== values.length)
      throw new Error(`It gave ${Array.isArray(embeddings) ? embeddings.length : 'no'} vectors for ${values.length} texts.`)
    for (const each of embeddings as readonly (readonly number[])[]) vectors.push(unit(each))
  }
  return vectors
}

/** The same direction with the length 1; undefined for a vector without a direction. */
function unit(vector: readonly number[]): Float32Array | undefined {
  if (!Array.isArray(vector) || vector.length === 0) throw new Error('It gave a vector without numbers.')
  let square = 0
  for (const number of vector) square += number * number
  if (!Number.isFinite(square)) throw new Error('It gave a vector with something that is no number.')
  return square === 0 ? undefined : Float32Array.from(vector, (number) => number / Math.sqrt(square))
}
