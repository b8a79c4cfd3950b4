import { setImmediate as turn } from 'node:timers/promises'
import { isRecord } from '../schema/json-schema.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import { cryptoModule } from '../tool/crypto-module.ts'
import { type FileKind, readCheckedFile, writeCheckedFile } from './checked-file.ts'
import { type ToolText, toolText } from './tool-text.ts'
import { DIMENSIONS } from './vector-table.ts'
import type { TextVectors } from './word-vectors.ts'

const KIND: FileKind = { format: 'toolwright index', version: 2 }
/** Tools that are read before requests are answered again. */
const AT_ONCE = 200

/** A tool and where it comes from. */
export interface ListedTool {
  readonly tool: AgentTool
  readonly server: string | undefined
}

/** What a catalog knows of a tool: its words with their weights, and its vector. */
export interface IndexedTool extends Pick<ToolText, 'terms'> {
  readonly vector: Int8Array | undefined
  /** All of its words as one text, where they were made anew. */
  readonly whole?: string
}

/** Terms with their weights in turn, and the vector in base64. */
type Stored = readonly [terms: readonly (string | number)[], vector: string]

/**
 * The words and vectors of tools in a file, so that they need not be made again at each start. What the file holds of a tool counts only if
 * the tool says the same as then, and if texts are still read as then; all else is made anew: a catalog finds the same with the file as
 * without it.
 */
export class ToolIndex {
  readonly #path: string
  readonly #vectors: TextVectors | undefined
  /** How texts are read. */
  readonly #reading: string
  /** What the file holds and nobody has asked for yet. */
  readonly #stored = new Map<string, Stored>()
  #isMissing = false

  constructor(path: string, vectors: (TextVectors & { readonly fingerprint: string }) | undefined) {
    this.#path = path
    this.#vectors = vectors
    this.#reading = digest([vectors?.fingerprint ?? null, [...probe(vectors).terms]])
  }

  /** A file that is missing, damaged, foreign or of another version holds nothing. */
  async load(): Promise<void> {
    const read = await readCheckedFile(this.#path, KIND)
    const data = typeof read === 'object' ? read.data : undefined
    if (!isRecord(data) || data['reading'] !== this.#reading || !isRecord(data['tools'])) return
    for (const [key, stored] of Object.entries(data['tools'])) if (isStored(stored)) this.#stored.set(key, stored)
  }

  /** Whether a tool was asked for that the file did not hold. */
  get isMissing(): boolean {
    return this.#isMissing
  }

  /** What the file holds of a tool; undefined if it is to be made. */
  take(listed: ListedTool): IndexedTool | undefined {
    const key = keyOf(listed)
    const stored = this.#stored.get(key)
    if (stored === undefined) {
      this.#isMissing = true
      return undefined
    }
    this.#stored.delete(key)
    const [flat, vector] = stored
    const terms = new Map<string, number>()
    for (let at = 0; at < flat.length; at += 2) terms.set(flat[at] as string, flat[at + 1] as number)
    return { terms, vector: vector === '' ? undefined : new Int8Array(Buffer.from(vector, 'base64')) }
  }

  /** Makes the file hold these tools. */
  async save(tools: readonly ListedTool[]): Promise<void> {
    const stored: Record<string, Stored> = {}
    for (const [at, listed] of tools.entries()) {
      const { terms, vector } = indexed(listed, this.#vectors)
      stored[keyOf(listed)] = [[...terms].flat(), vector === undefined ? '' : Buffer.from(vector).toString('base64')]
      if (at % AT_ONCE === AT_ONCE - 1) await turn()
    }
    await writeCheckedFile(this.#path, KIND, { reading: this.#reading, tools: stored })
    this.#isMissing = false
  }
}

/** The words and the vector of a tool, made anew. */
export function indexed({ tool, server }: ListedTool, vectors: TextVectors | undefined): IndexedTool {
  const { terms, whole } = toolText(tool, { server, partsOf: (word) => vectors?.partsOf?.(word) })
  return { terms, whole, vector: vectors?.vectorOf(whole) }
}

/** All that the words and the vector of a tool are made of. */
function keyOf({ tool: { name, title, description, tags, specification }, server }: ListedTool): string {
  return digest([name, title ?? null, description, tags, specification.parameters, server ?? null])
}

/** If the reading of words changes, it most likely changes what this text gives; `version` is for the rest. */
function probe(vectors: TextVectors | undefined): IndexedTool {
  const description =
    'Companies searching translations: organizational happiness, generators, réservations of airqualityforecast, 必应搜索 x2.'
  const parameters = { type: 'object', properties: { userIds: { type: 'array', items: { description: 'The relational identities' } } } }
  const tool = { name: 'getHTTPUrls_by_weatherforecast', title: 'Batches', description, tags: ['studies'], specification: { parameters } }
  return indexed({ tool: tool as unknown as AgentTool, server: 'mailers' }, vectors)
}

function digest(value: unknown): string {
  return cryptoModule().createHash('sha256').update(JSON.stringify(value)).digest('base64url')
}

function isStored(value: unknown): value is Stored {
  if (!Array.isArray(value) || !Array.isArray(value[0]) || typeof value[1] !== 'string') return false
  const isPairs = value[0].every((each, at) => (at % 2 === 0 ? typeof each === 'string' : Number.isFinite(each)))
  return isPairs && (value[1] === '' || Buffer.from(value[1], 'base64').length === DIMENSIONS)
}
