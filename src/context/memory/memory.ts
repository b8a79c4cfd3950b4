import { checkOptionNames, optionNames } from '../../tool/option-names.ts'
import { type Clock, systemClock } from '../../tool/ports/clock.ts'
import type { Provenance } from '../../tool/result/result.ts'
import { type Duration, toMilliseconds } from '../../tool/duration.ts'
import { wordsOf } from '../facts/task-words.ts'
import { randomDigits } from '../random-digits.ts'
import type { OutputOwner } from '../stored-outputs.ts'
import { isNearDuplicate } from './shingles.ts'

/** How long and how far a memory reaches: one conversation for a while, one conversation, or all conversations of a principal. */
export type MemoryLayer = 'working' | 'session' | 'episodic'

/** Something that a memory holds. */
export interface MemoryEntry {
  readonly id: string
  readonly layer: MemoryLayer
  readonly text: string
  /** Where it comes from: the call whose output it was. */
  readonly provenance?: Provenance | undefined
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly until: number
}

/** Keeps memories. One that is past its time may be gone at any moment. */
export interface MemoryStore {
  readonly add: (entry: MemoryEntry, scope: string) => Promise<void>
  readonly list: (scope: string) => Promise<readonly MemoryEntry[]>
}

/** The options of `contextMemory`. */
export interface ContextMemoryOptions {
  /** How long each layer keeps what it is told; an hour, a day and 90 days by default. */
  readonly keep?: Readonly<Partial<Record<MemoryLayer, Duration>>> | undefined
  readonly store?: MemoryStore | undefined
  readonly clock?: Clock | undefined
}

/** The answer of a memory to a new entry. */
export interface Remembered {
  readonly id: string
  /** False if the same, or nearly the same, was there: nothing was written. */
  readonly isNew: boolean
}

/** An entry of a memory that was found by a query. */
export interface Recalled extends MemoryEntry {
  /** How near it comes to the query, above 0. */
  readonly score: number
}

const NAMES = optionNames<ContextMemoryOptions>({ keep: true, store: true, clock: true })
const OWNER_NAMES = optionNames<OutputOwner>({ principal: true, session: true })
const KEEP_NAMES = optionNames<Record<MemoryLayer, Duration>>({ working: true, session: true, episodic: true })
const KEEP: Readonly<Record<MemoryLayer, Duration>> = { working: '1h', session: '1d', episodic: '90d' }
const LAYERS: readonly MemoryLayer[] = ['working', 'session', 'episodic']
const LONGEST = 20_000
const ID_DIGITS = 18

/** What agents remember between turns, conversations and days. */
export interface ContextMemory {
  /** Writes a text unless the layer has it already, in these or nearly these words. */
  readonly remember: (text: string, layer: MemoryLayer, owner: OutputOwner, provenance?: Provenance) => Promise<Remembered>
  /** The memories of all layers that have words of the query, the nearest first. */
  readonly recall: (query: string, owner: OutputOwner, limit?: number) => Promise<readonly Recalled[]>
}

/**
 * Makes a memory for an output router.
 * @example
 * const memory = contextMemory({ keep: { session: '8h' } })
 * await memory.remember('Ada pays by invoice.', 'session', { principal: 'ada', session: 'chat-7' })
 */
export function contextMemory(options: ContextMemoryOptions = {}): ContextMemory {
  checkOptionNames(options, NAMES, 'The options of contextMemory')
  checkOptionNames(options.keep ?? {}, KEEP_NAMES, "The layers in 'keep' of contextMemory")
  const memory = new Memory(options)
  return {
    remember: async (text, layer, owner, provenance) => {
      checkOptionNames(owner, OWNER_NAMES, 'The fields of the owner of a memory')
      return memory.remember(text, layer, { owner, provenance })
    },
    recall: async (query, owner, limit) => {
      checkOptionNames(owner, OWNER_NAMES, 'The fields of the owner of a memory')
      return memory.recall(query, owner, limit)
    },
  }
}

class Memory {
  readonly #store: MemoryStore
  readonly #clock: Clock
  readonly #keep: Readonly<Record<MemoryLayer, number>>

  constructor({ keep = {}, store = memoriesInProcess(), clock = systemClock }: ContextMemoryOptions) {
    this.#store = store
    this.#clock = clock
    const of = (layer: MemoryLayer): number => toMilliseconds(keep[layer] ?? KEEP[layer], `keep.${layer}`)
    this.#keep = { working: of('working'), session: of('session'), episodic: of('episodic') }
  }

  async remember(
    text: string,
    layer: MemoryLayer,
    { owner, provenance }: { readonly owner: OutputOwner; readonly provenance: Provenance | undefined },
  ): Promise<Remembered> {
    const scope = scopeOf(layer, owner)
    const now = this.#clock.now()
    const shown = text.slice(0, LONGEST)
    const known = (await this.#open(scope)).find((entry) => isNearDuplicate(entry.text, shown))
    if (known !== undefined) return { id: known.id, isNew: false }
    const id = `mem_${randomDigits(ID_DIGITS)}`
    await this.#store.add(
      { id, layer, text: shown, at: now, until: now + this.#keep[layer], ...(provenance === undefined ? {} : { provenance }) },
      scope,
    )
    return { id, isNew: true }
  }

  async recall(query: string, owner: OutputOwner, limit = 5): Promise<readonly Recalled[]> {
    const entries = (await Promise.all(LAYERS.map((layer) => this.#open(scopeOf(layer, owner))))).flat()
    const wanted = new Set(wordsOf(query))
    const words = entries.map((entry) => wordsOf(entry.text))
    const frequency = new Map<string, number>()
    for (const own of words) for (const word of new Set(own)) frequency.set(word, (frequency.get(word) ?? 0) + 1)
    return entries
      .map((entry, at) => {
        const own = new Set(words[at])
        let score = 0
        for (const word of wanted)
          if (own.has(word)) score += Math.log(1 + entries.length / (frequency.get(word) ?? 1)) / Math.log(8 + own.size)
        return { ...entry, score }
      })
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score || b.at - a.at)
      .slice(0, limit)
  }

  async #open(scope: string): Promise<readonly MemoryEntry[]> {
    const now = this.#clock.now()
    return (await this.#store.list(scope)).filter(({ until }) => until > now)
  }
}

/** Episodes are of a principal, whatever the conversation. */
function scopeOf(layer: MemoryLayer, { principal, session }: OutputOwner): string {
  return JSON.stringify(layer === 'episodic' ? [layer, principal ?? null] : [layer, principal ?? null, session ?? null])
}

const MOST_OF_A_SCOPE = 2000
const MOST_SCOPES = 1000

/** Keeps memories in the process; the oldest make room. */
function memoriesInProcess(): MemoryStore {
  const scopes = new Map<string, MemoryEntry[]>()
  return {
    add: async (entry, scope) => {
      const entries = scopes.get(scope) ?? []
      scopes.delete(scope)
      scopes.set(scope, [...entries.filter(({ until }) => until > entry.at), entry].slice(-MOST_OF_A_SCOPE))
      const [oldest] = scopes.keys()
      if (scopes.size > MOST_SCOPES && oldest !== undefined) scopes.delete(oldest)
    },
    list: async (scope) => scopes.get(scope) ?? [],
  }
}
