import { type AgentTool, isTool } from '../tool/agent-tool.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import { wrongOption } from '../tool/errors/wrong-option.ts'
import { quote } from '../schema/quote.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'
import type { ToolEvent } from '../tool/event.ts'
import { missingPermissions, type Principal } from '../tool/principal.ts'
import { printable } from '../tool/printable.ts'
import { estimateTokens, type CountTokens } from '../context/tokens.ts'
import { Learner, type Scored } from './learner.ts'
import { type Allowed, type Evidence, highest, Ranking } from './ranking.ts'
import { relevanceOf } from './relevance.ts'
import { reasonsFor } from './reasons.ts'
import { toolText } from './tool-text.ts'
import { isTrace, readTraceFile, writeTraceFile, type LoadedTraces } from './trace-file.ts'
import { type ListenOptions, traceOf } from './trace-of-event.ts'
import type { Trace } from './traces.ts'
import { ownWordVectors, type TextVectors } from './word-vectors.ts'

/** Tools in an answer, unless `k` says otherwise. */
const USUAL_COUNT = 10
/** The relevance below which nothing fits, unless `threshold` says otherwise. */
const USUAL_THRESHOLD = 0.25

/** The options of a catalog. */
export interface CatalogOptions {
  /** Compares meanings with the word vectors of the package, about 2 MB, or with your own; true unless said otherwise. Without them only words count. */
  readonly vectors?: boolean | TextVectors | undefined
  /** Counts the tokens of a schema; an estimate unless given. */
  readonly countTokens?: CountTokens | undefined
  /** From 0 to 1: if no tool is as relevant as this, nothing fits. 0.25 unless given. */
  readonly threshold?: number | undefined
}

/** The options of `add` of a catalog. */
export interface AddOptions {
  /** Where the tools come from: they are found by it too, and can be replaced or removed together. */
  readonly server?: string | undefined
}

/** The options of `select` of a catalog. */
export interface SelectOptions {
  /** Tools in the answer at the most; 10 unless given. */
  readonly k?: number | undefined
  /** Tools that the principal may not call are in no answer and no count. */
  readonly principal?: Principal | undefined
  /** What the schemas of the answer may cost together. */
  readonly tokens?: number | undefined
  /** A rule of your own, asked before anything is ranked: a tool that it does not allow does not exist for this request. */
  readonly allows?: ((tool: AgentTool) => boolean) | undefined
}

/** A tool of an answer. */
export interface SelectedTool {
  readonly tool: AgentTool
  readonly server: string | undefined
  /** How well it fits, from 0 to 1. */
  readonly relevance: number
  /** What put it at its rank; higher is better. Comparable within one answer only. */
  readonly score: number
  /** Why it is here, in words. */
  readonly reasons: readonly string[]
  /** What its specification costs a model. */
  readonly schemaTokens: number
}

/** The tools that a catalog found for a request. */
export interface Selection {
  /** The best first. Empty if nothing fits. */
  readonly tools: readonly SelectedTool[]
  /** No tool is relevant enough: a gap in the catalog. */
  readonly nothingFits: boolean
  /** What the schemas of the answer cost together. */
  readonly tokens: number
  /** Tools left out because their schemas did not fit `tokens`. */
  readonly leftOut: number
}

interface Entry {
  readonly tool: AgentTool
  readonly server: string | undefined
  schemaTokens: number | undefined
}

const MADE_OF = optionNames<CatalogOptions & AddOptions>({ vectors: true, countTokens: true, threshold: true, server: true })
const ADD = optionNames<AddOptions>({ server: true })
const FORGET = optionNames<{ readonly principal?: string; readonly tool?: string }>({ principal: true, tool: true })
const LISTEN = optionNames<ListenOptions>({ textOf: true })
const SELECT = optionNames<SelectOptions>({ k: true, principal: true, tokens: true, allows: true })

/**
 * Many tools, of which a request needs few. It finds them by what they say about themselves and by what served earlier requests.
 * Tools may be added and removed while requests are answered.
 */
class OpenCatalog {
  readonly #ranking = new Ranking()
  readonly #entries: (Entry | undefined)[] = []
  readonly #places = new Map<string, number>()
  readonly #free: number[] = []
  readonly #servers = new Map<string, Set<string>>()
  readonly #options: CatalogOptions
  readonly #learner = new Learner({
    ranking: this.#ranking,
    nameAt: (place) => this.#entries[place]?.tool.name,
    placeOf: (name) => this.#places.get(name),
  })
  #vectors: TextVectors | undefined
  #loading: Promise<void> | undefined
  /** Raised by every change, so that what was computed before is not used after. */
  #version = 0
  #allowed: { readonly version: number; readonly key: string; readonly mask: Allowed } | undefined

  constructor(options: CatalogOptions = {}) {
    this.#options = options
    if (typeof options.vectors === 'object') this.#vectors = options.vectors
  }

  /** How many tools it has. */
  get size(): number {
    return this.#places.size
  }

  get(name: string): AgentTool | undefined {
    const place = this.#places.get(name)
    return place === undefined ? undefined : this.#entries[place]?.tool
  }

  /** A tool by name, if the caller may see it. */
  visible(name: string, viewer: Pick<SelectOptions, 'principal' | 'allows'>): AgentTool | undefined {
    const place = this.#places.get(name)
    return place !== undefined && this.#allowedFor(viewer)[place] === 1 ? this.#entries[place]?.tool : undefined
  }

  /** A tool by name as an answer would have it, if the caller may see it. */
  named(
    name: string,
    viewer: Pick<SelectOptions, 'principal' | 'allows'>,
  ): Pick<SelectedTool, 'tool' | 'server' | 'schemaTokens'> | undefined {
    const entry = this.visible(name, viewer) === undefined ? undefined : this.#entries[this.#places.get(name) as number]
    return entry && { tool: entry.tool, server: entry.server, schemaTokens: this.#tokensOf(entry) }
  }

  /** The names of all tools that the caller may see. */
  visibleNames(viewer: Pick<SelectOptions, 'principal' | 'allows'>): readonly string[] {
    const allowed = this.#allowedFor(viewer)
    return this.#entries.flatMap((entry, place) => (entry !== undefined && allowed[place] === 1 ? [entry.tool.name] : []))
  }

  /** Adds tools. Another tool of the same name is an error, and then none is added. */
  async add(tools: readonly AgentTool[], options: AddOptions = {}): Promise<void> {
    checkOptionNames(options, ADD, 'The options of add')
    const { server } = options
    await this.#ready()
    this.#check(tools, new Set())
    for (const tool of tools) this.#put(tool, server)
  }

  /** Removes tools by name; gives how many there were. */
  remove(...names: readonly string[]): number {
    let removed = 0
    for (const name of names) if (this.#drop(name)) removed++
    return removed
  }

  /** Makes these the tools of a server, at once: requests see the old ones or the new ones. An empty list removes the server. */
  async replaceServer(server: string, tools: readonly AgentTool[]): Promise<void> {
    await this.#ready()
    const old = this.#servers.get(server) ?? new Set<string>()
    this.#check(tools, old)
    for (const name of [...old]) this.#drop(name)
    for (const tool of tools) this.#put(tool, server)
  }

  /** The tools for a request, the best first, with the reasons. */
  async select(request: string, options: SelectOptions = {}): Promise<Selection> {
    checkOptionNames(options, SELECT, 'The options of a selection')
    const { k = USUAL_COUNT, tokens = Infinity } = options
    if (!Number.isInteger(k) || k < 1) throw wrongOption('k', 'a selection', `a whole number from 1 up, not ${quote(k)}`)
    if (!(tokens >= 0)) throw wrongOption('tokens', 'a selection', `a number from 0 up, not ${quote(tokens)}`)
    if (typeof request !== 'string') throw wrongOption('request', 'a selection', `a text, not ${quote(request)}`)
    await this.#ready()
    return this.#answer(request, { k, tokens, allowed: this.#allowedFor(options) })
  }

  /** Remembers which tool served a request, or did not; weights are fitted anew when enough is known. */
  async learn(traces: Iterable<Omit<Trace, 'at'> & { readonly at?: number }>): Promise<void> {
    await this.#ready()
    for (const given of traces) {
      const trace = { at: 0, ...given }
      if (!isTrace(trace))
        throw new ConfigurationError('invalid_option', 'A trace needs a text, the name of a tool, and served: true or false.')
      this.#learner.add(trace, this.#vectors)
    }
    if (this.#learner.isDue) void this.#learner.refit(this.#vectors)
  }

  /** Fits the weights to all traces now. Requests are answered meanwhile, with the weights before. */
  async refit(): Promise<void> {
    await this.#ready()
    await this.#learner.refit(this.#vectors)
  }

  /** All that it has learned from, such as for a file. */
  traces(): readonly Trace[] {
    return [...this.#learner.traces.all()]
  }

  /** Forgets the requests of a principal, or those about a tool; gives how many. */
  async forget(of: { readonly principal?: string; readonly tool?: string }): Promise<number> {
    checkOptionNames(of, FORGET, 'The options of forget')
    const { principal, tool } = of
    const forgotten = this.#learner.traces.forget(
      (trace) => (principal === undefined || trace.principal === principal) && (tool === undefined || trace.tool === tool),
    )
    this.#learner.reset()
    if (this.#learner.isDue) await this.refit()
    return forgotten
  }

  /** Writes what it has learned to a file, which is replaced at once. One process should write it: the last one wins. */
  async save(path: string): Promise<void> {
    const { isFitted, weights } = this.#learner
    await writeTraceFile(path, { traces: this.traces(), weights: isFitted ? weights : undefined })
  }

  /**
   * Learns from a file of `save`. A file that is missing, damaged or of another version changes nothing, and the answer says so: the catalog
   * then works without it, and the next `save` replaces it.
   */
  async load(path: string): Promise<LoadedTraces> {
    const read = await readTraceFile(path)
    if (read === undefined) return { traces: 0, problem: undefined }
    if (typeof read === 'string')
      return { traces: 0, problem: `The traces in '${printable(path)}' are left out. ${read} Remove the file, or save to it.` }
    await this.#ready()
    for (const trace of read.traces) this.#learner.add(trace, this.#vectors)
    if (read.weights === undefined) await this.refit()
    else this.#learner.restore(read.weights)
    return { traces: read.traces.length, problem: undefined }
  }

  /**
   * A listener for `on` of a runtime: it learns which tool served which task. A call that failed counts against its tool, except where the
   * caller was refused, the input was wrong or a server was busy. The text of a task is the option `task` of a call unless `textOf` gives another.
   */
  listen(options: ListenOptions = {}): (event: ToolEvent) => void {
    checkOptionNames(options, LISTEN, 'The options of listen')
    const { textOf = ({ task }) => task } = options
    return (event) => {
      const trace = traceOf(event, textOf)
      // If the vectors cannot be read, whoever selects is told.
      if (trace !== undefined && this.#places.has(trace.tool)) this.learn([trace]).catch(() => {})
    }
  }

  #answer(request: string, { k, tokens, allowed }: { k: number; tokens: number; allowed: Allowed }): Selection {
    const evidence = this.#ranking.rank(request, allowed, { vectors: this.#vectors, weigh: this.#learner.weigh(allowed) })
    const candidates = this.#scored(evidence, k, allowed)
    const threshold = this.#options.threshold ?? USUAL_THRESHOLD
    const found: SelectedTool[] = []
    let spent = 0
    let leftOut = 0
    for (const candidate of candidates) {
      if (found.length === k) break
      const relevance = relevanceOf(this.#ranking, evidence, candidate)
      if (relevance < threshold) continue
      const entry = this.#entries[candidate.place] as Entry
      const schemaTokens = this.#tokensOf(entry)
      if (spent + schemaTokens > tokens) {
        leftOut++
        continue
      }
      spent += schemaTokens
      const reasons = reasonsFor(this.#ranking, evidence, candidate)
      found.push({ tool: entry.tool, server: entry.server, relevance, score: candidate.score, reasons, schemaTokens })
    }
    return { tools: found, nothingFits: found.length === 0 && leftOut === 0, tokens: spent, leftOut }
  }

  /** The best first. */
  #scored(evidence: Evidence, k: number, allowed: Allowed): Scored[] {
    const count = Math.max(2 * k, 20)
    const scored =
      this.#learner.score(evidence, allowed, count) ??
      highest(evidence.score, allowed, { count, size: this.#ranking.size }).map((place) => ({
        place,
        score: evidence.score[place] as number,
        traces: undefined,
      }))
    scored.sort((a, b) => b.score - a.score)
    return scored.slice(0, count)
  }

  /** Which places the request may see. The last mask is kept: most requests come for the same permissions. */
  #allowedFor({ principal, allows }: SelectOptions): Allowed {
    const key = JSON.stringify(principal?.permissions ?? null)
    const kept = this.#allowed
    const mask = kept?.version === this.#version && kept.key === key ? kept.mask : this.#mask(principal)
    this.#allowed = { version: this.#version, key, mask }
    if (allows === undefined) return mask
    return mask.map((allowed, place) => (allowed === 1 && allows((this.#entries[place] as Entry).tool) === true ? 1 : 0))
  }

  #mask(principal: Principal | undefined): Allowed {
    return Uint8Array.from(this.#entries, (entry) => {
      if (entry === undefined) return 0
      const { permissions } = entry.tool
      return permissions.length === 0 || missingPermissions(permissions, principal).length === 0 ? 1 : 0
    })
  }

  #tokensOf(entry: Entry): number {
    const { countTokens = estimateTokens } = this.#options
    return (entry.schemaTokens ??= countTokens(JSON.stringify(entry.tool.specification)))
  }

  #check(tools: readonly AgentTool[], replaced: ReadonlySet<string>): void {
    const names = new Set<string>()
    for (const tool of tools) {
      if (!isTool(tool))
        throw new ConfigurationError('invalid_option', 'A catalog takes tools. Adopt the tools of other frameworks by `resolve` first.')
      const other = replaced.has(tool.name) ? undefined : this.get(tool.name)
      if (names.has(tool.name) || (other !== undefined && other !== tool))
        throw new ConfigurationError(
          'duplicate_name',
          `Duplicate tool name: '${printable(tool.name)}'. Remove the other one first, or give one a prefix.`,
        )
      names.add(tool.name)
    }
  }

  #put(tool: AgentTool, server: string | undefined): void {
    this.#drop(tool.name)
    const place = this.#free.pop() ?? this.#entries.length
    const vectors = this.#vectors
    const text = toolText(tool, { server, partsOf: (word) => vectors?.partsOf?.(word) })
    this.#entries[place] = { tool, server, schemaTokens: undefined }
    this.#places.set(tool.name, place)
    this.#ranking.set(place, text, vectors?.vectorOf(text.whole))
    this.#version++
    if (server === undefined) return
    const names = this.#servers.get(server) ?? new Set()
    this.#servers.set(server, names.add(tool.name))
  }

  #drop(name: string): boolean {
    const place = this.#places.get(name)
    if (place === undefined) return false
    const { server } = this.#entries[place] as Entry
    this.#entries[place] = undefined
    this.#places.delete(name)
    this.#free.push(place)
    this.#ranking.remove(place)
    this.#version++
    if (server !== undefined) {
      const names = this.#servers.get(server)
      names?.delete(name)
      if (names?.size === 0) this.#servers.delete(server)
    }
    return true
  }

  #ready(): Promise<void> | undefined {
    if (this.#options.vectors === false || this.#vectors !== undefined) return undefined
    return (this.#loading ??= ownWordVectors().then((vectors) => {
      this.#vectors = vectors
    }))
  }
}

/** A catalog, as a program sees it. `catalog` makes one. */
export interface Catalog extends Pick<OpenCatalog, keyof OpenCatalog> {}

/**
 * A catalog of tools for requests that need few of many.
 * @example
 * const tools = await catalog([shout])
 * const { tools: found } = await tools.select('say it louder')
 * console.log(found[0]?.tool.name) // shout
 */
export async function catalog(tools: readonly AgentTool[], options: CatalogOptions & AddOptions = {}): Promise<Catalog> {
  checkOptionNames(options, MADE_OF, 'The options of a catalog')
  const { server, ...rest } = options
  const made = new OpenCatalog(rest)
  await made.add(tools, { server })
  return made
}
