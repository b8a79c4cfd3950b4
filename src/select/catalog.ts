import type { AgentTool } from '../tool/agent-tool.ts'
import { wrongOption } from '../tool/errors/wrong-option.ts'
import { quote } from '../schema/quote.ts'
import { checkOptionNames } from '../tool/option-names.ts'
import type { ToolEvent } from '../tool/event.ts'
import { printable } from '../tool/printable.ts'
import { estimateTokens } from '../context/tokens.ts'
import { explained, type ExplainedTool } from './explained.ts'
import { ADD, checkMade, FORGET, LISTEN, SELECT, VIEWER } from './catalog-options.ts'
import { checkAdded } from './check-added.ts'
import { isEmbedder } from './embedder.ts'
import { ModelMeanings, type ModelRequest } from './model-meanings.ts'
import { Learner, type Scored } from './learner.ts'
import { type Allowed, type Evidence, highest, Ranking } from './ranking.ts'
import { relevanceOf } from './relevance.ts'
import { type BrowsedCategory, type CatalogTree, Hierarchy, type PlacedTool } from './hierarchy.ts'
import { reasonsFor } from './reasons.ts'
import type { AddOptions, CatalogOptions, Gap, SelectedTool, Selection, SelectOptions, Viewer } from './selection.ts'
import { SharedTraces } from './shared-traces.ts'
import { tellGap } from './tell-gap.ts'
import { indexed, type ListedTool, ToolIndex } from './tool-index.ts'
import { checkedTraces, readTraceFile, writeTraceFile, type LoadedTraces } from './trace-file.ts'
import { type ListenOptions, traceOf } from './trace-of-event.ts'
import type { Trace } from './traces.ts'
import { Visibility } from './visibility.ts'
import { ownWordVectors, type TextVectors } from './word-vectors.ts'

/** Tools in an answer, unless `k` says otherwise. */
const USUAL_COUNT = 10
/** The relevance below which nothing fits, unless `threshold` says otherwise. */
const USUAL_THRESHOLD = 0.25
/** Catalogs of more tools have categories that count, unless `categoriesFrom` says otherwise. */
const USUAL_CATEGORIES_FROM = 50

interface Asked {
  readonly k: number
  readonly tokens: number
  readonly allowed: Allowed
  readonly threshold?: number
  readonly model?: ModelRequest | undefined
}

interface Answer extends Pick<Gap, 'nearest'> {
  readonly selection: Selection
}

interface Entry extends ListedTool {
  schemaTokens: number | undefined
}

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
  readonly #visibility = new Visibility(this.#entries)
  readonly #hierarchy: Hierarchy
  #vectors: TextVectors | undefined
  #model: ModelMeanings | undefined
  #index: ToolIndex | undefined
  #isReady = false
  #loading: Promise<void> | undefined
  readonly #shared: SharedTraces | undefined

  constructor(options: CatalogOptions = {}) {
    this.#options = options
    const reader = { add: (trace: Trace) => this.#learner.add(trace, this.#vectors), clear: () => this.#forgetAll() }
    this.#shared = options.store && new SharedTraces(options.store, reader)
    this.#hierarchy = new Hierarchy((allowed) => this.#placed(allowed), options.categoriesFrom ?? USUAL_CATEGORIES_FROM)
    if (isEmbedder(options.vectors)) this.#model = new ModelMeanings(options.vectors)
    else if (typeof options.vectors === 'object') this.#vectors = options.vectors
  }

  static async of(tools: readonly AgentTool[], { server, ...options }: CatalogOptions & AddOptions): Promise<OpenCatalog> {
    if (options.index !== undefined && typeof options.vectors === 'object')
      throw wrongOption('index', 'a catalog', 'left out with vectors of your own: it is for those of the package')
    const made = new OpenCatalog(options)
    await made.add(tools, { server })
    if (made.#index?.isMissing === true) await made.saveIndex()
    await made.sync()
    return made
  }

  /** How many tools it has. */
  get size(): number {
    return this.#places.size
  }

  /** The names of all tools. */
  names(): readonly string[] {
    return [...this.#places.keys()]
  }

  get(name: string): AgentTool | undefined {
    const place = this.#places.get(name)
    return place === undefined ? undefined : this.#entries[place]?.tool
  }

  /** A tool by name, if the caller may see it. */
  visible(name: string, viewer: Viewer): AgentTool | undefined {
    const place = this.#places.get(name)
    if (place === undefined || this.#visibility.of({ principal: viewer.principal })[place] !== 1) return undefined
    const { tool } = this.#entries[place] as Entry
    return viewer.allows === undefined || viewer.allows(tool) === true ? tool : undefined
  }

  /** A tool by name as an answer would have it, if the caller may see it. */
  named(name: string, viewer: Viewer): Pick<SelectedTool, 'tool' | 'server' | 'schemaTokens'> | undefined {
    const entry = this.visible(name, viewer) === undefined ? undefined : this.#entries[this.#places.get(name) as number]
    return entry && { tool: entry.tool, server: entry.server, schemaTokens: this.#tokensOf(entry) }
  }

  /** The names of all tools that the caller may see. */
  visibleNames(viewer: Viewer): readonly string[] {
    const allowed = this.#visibility.of(viewer)
    return this.#entries.flatMap((entry, place) => (entry !== undefined && allowed[place] === 1 ? [entry.tool.name] : []))
  }

  /** Adds tools. Another tool of the same name is an error, and then none is added. */
  async add(tools: readonly AgentTool[], options: AddOptions = {}): Promise<void> {
    checkOptionNames(options, ADD, 'The options of add')
    const { server } = options
    await this.#ready()
    checkAdded(tools, (name) => this.get(name))
    for (const tool of tools) this.#put(tool, server)
    await this.#model?.read()
  }

  /** Removes tools by name; gives how many there were. */
  remove(...names: readonly string[]): number {
    return names.filter((name) => this.#drop(name)).length
  }

  /** Makes these the tools of a server, at once: requests see the old ones or the new ones. An empty list removes the server. */
  async replaceServer(server: string, tools: readonly AgentTool[]): Promise<void> {
    await this.#ready()
    const old = this.#servers.get(server) ?? new Set<string>()
    checkAdded(tools, (name) => (old.has(name) ? undefined : this.get(name)))
    for (const name of [...old]) this.#drop(name)
    for (const tool of tools) this.#put(tool, server)
    await this.#model?.read()
  }

  /** With `index`: makes the file hold the tools that there are now. */
  async saveIndex(): Promise<void> {
    await this.#ready()
    await this.#index?.save(this.#entries.filter((entry) => entry !== undefined))
  }

  /** The tools for a request, the best first, with the reasons. */
  async select(request: string, options: SelectOptions = {}): Promise<Selection> {
    checkOptionNames(options, SELECT, 'The options of a selection')
    const { k = USUAL_COUNT, tokens = Infinity } = options
    if (!Number.isInteger(k) || k < 1) throw wrongOption('k', 'a selection', `a whole number from 1 up, not ${quote(k)}`)
    if (!(tokens >= 0)) throw wrongOption('tokens', 'a selection', `a number from 0 up, not ${quote(tokens)}`)
    if (typeof request !== 'string') throw wrongOption('request', 'a selection', `a text, not ${quote(request)}`)
    await this.#ready()
    const model = await this.#model?.request(request)
    const { selection, nearest } = this.#answer(request, { k, tokens, allowed: this.#visibility.of(options), model })
    if (selection.nothingFits) tellGap(this.#options.onGap, { request, principal: options.principal?.id, nearest })
    return this.#model === undefined ? selection : { ...selection, vectors: model === undefined ? 'own' : 'model' }
  }

  /** Why a tool is found for a request, or why not; undefined if the caller may not see it. */
  async explain(request: string, name: string, options: SelectOptions = {}): Promise<ExplainedTool | undefined> {
    checkOptionNames(options, SELECT, 'The options of explain')
    await this.#ready()
    if (this.visible(name, options) === undefined) return undefined
    const { k = USUAL_COUNT, tokens = Infinity } = options
    const model = await this.#model?.request(request)
    const allowed = this.#visibility.of(options)
    const found = this.#answer(request, { k, tokens, allowed, model }).selection.tools.some(({ tool }) => tool.name === name)
    const all = this.#answer(request, { k: this.size, tokens: Infinity, allowed, model, threshold: -1 }).selection.tools
    return explained(name, all, { k, found, threshold: this.#options.threshold ?? USUAL_THRESHOLD })
  }

  /** The categories of the tools that the caller may see: by server, by tag, or by what they are about. They are for looking around: a search looks at all. */
  async tree(viewer: Viewer = {}): Promise<CatalogTree> {
    checkOptionNames(viewer, VIEWER, 'The options of tree')
    await this.#ready()
    return this.#hierarchy.tree(this.#visibility.of(viewer))
  }

  /** The tools of a category, a line each; undefined if the caller may see no tool of it. */
  async browse(category: string, viewer: Viewer = {}): Promise<BrowsedCategory | undefined> {
    checkOptionNames(viewer, VIEWER, 'The options of browse')
    await this.#ready()
    return this.#hierarchy.browse(category, this.#visibility.of(viewer))
  }

  /** Remembers which tool served a request, or did not; weights are fitted anew when enough is known. */
  async learn(given: Iterable<Omit<Trace, 'at'> & { readonly at?: number }>): Promise<void> {
    await this.#ready()
    const traces = checkedTraces(given)
    for (const trace of traces) this.#learner.add(trace, this.#vectors)
    if (this.#learner.isDue) void this.#learner.refit(this.#vectors)
    await this.#shared?.write(traces)
  }

  /** With a store: writes what could not be written before, and learns what other processes have written. Call it from time to time. */
  async sync(): Promise<void> {
    await this.#ready()
    await this.#shared?.sync()
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
    const inStore = await this.#shared?.forget(of)
    const forgotten = this.#learner.traces.forget(
      (trace) => (principal === undefined || trace.principal === principal) && (tool === undefined || trace.tool === tool),
    )
    this.#learner.reset()
    if (this.#learner.isDue) await this.refit()
    return inStore ?? forgotten
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

  #forgetAll(): void {
    this.#learner.traces.forget(() => true)
    this.#learner.reset()
  }

  #answer(request: string, { k, tokens, allowed, model, threshold = this.#options.threshold ?? USUAL_THRESHOLD }: Asked): Answer {
    const evidence = this.#ranking.rank(request, allowed, { vectors: this.#vectors, weigh: this.#learner.weigh(allowed) })
    if (model !== undefined) this.#model?.apply(model, evidence)
    const candidates = this.#scored(evidence, k, allowed)
    const found: SelectedTool[] = []
    let spent = 0
    let leftOut = 0
    let nearest: Gap['nearest']
    for (const candidate of candidates) {
      if (found.length === k) break
      const relevance = relevanceOf(this.#ranking, evidence, candidate)
      if (relevance < threshold) {
        if (relevance > (nearest?.relevance ?? 0)) nearest = { tool: (this.#entries[candidate.place] as Entry).tool.name, relevance }
        continue
      }
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
    const nothingFits = found.length === 0 && leftOut === 0
    return { selection: { tools: found, nothingFits, tokens: spent, leftOut }, nearest }
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
    return this.#hierarchy.weigh(scored.slice(0, count), allowed, (place) => this.#tagAt(place))
  }

  /** The server of a tool counts in its rank already. */
  #tagAt(place: number): string | undefined {
    const { server, tool } = this.#entries[place] as Entry
    return server === undefined ? tool.tags[0] : undefined
  }

  #placed(allowed: Allowed): PlacedTool[] {
    return this.#entries.flatMap((entry, place) => {
      if (entry === undefined || allowed[place] !== 1) return []
      const { tool, server } = entry
      return [{ place, tool, server, vector: this.#ranking.vectorAt(place), schemaTokens: () => this.#tokensOf(entry) }]
    })
  }

  #tokensOf(entry: Entry): number {
    const { countTokens = estimateTokens } = this.#options
    return (entry.schemaTokens ??= countTokens(JSON.stringify(entry.tool.specification)))
  }

  #put(tool: AgentTool, server: string | undefined): void {
    this.#drop(tool.name)
    const place = this.#free.pop() ?? this.#entries.length
    const entry: Entry = { tool, server, schemaTokens: undefined }
    const { terms, vector, whole = '' } = this.#index?.take(entry) ?? indexed(entry, this.#vectors)
    this.#entries[place] = entry
    this.#places.set(tool.name, place)
    this.#ranking.set(place, { terms, server }, vector)
    this.#model?.set(place, whole)
    this.#visibility.changed()
    if (server !== undefined) this.#servers.set(server, (this.#servers.get(server) ?? new Set()).add(tool.name))
  }

  #drop(name: string): boolean {
    const place = this.#places.get(name)
    if (place === undefined) return false
    const { server } = this.#entries[place] as Entry
    this.#entries[place] = undefined
    this.#places.delete(name)
    this.#free.push(place)
    this.#ranking.remove(place)
    this.#model?.remove(place)
    this.#visibility.changed()
    const names = this.#servers.get(server ?? '')
    if (names?.delete(name) === true && names.size === 0) this.#servers.delete(server ?? '')
    return true
  }

  #ready(): Promise<void> | undefined {
    return this.#isReady ? undefined : (this.#loading ??= this.#load())
  }

  async #load(): Promise<void> {
    const { index, vectors } = this.#options
    const own = vectors === false || this.#vectors !== undefined ? undefined : await ownWordVectors()
    this.#vectors ??= own
    if (index !== undefined) await (this.#index = new ToolIndex(index, own)).load()
    this.#isReady = true
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
  checkMade(options)
  return OpenCatalog.of(tools, options)
}
