import type { SchemaOutput } from '../../schema/schema-types.ts'
import { type AgentTool, identityOf } from '../agent-tool.ts'
import type { Behaviour } from '../behaviour.ts'
import type { Clock } from '../clock.ts'
import type { AskOptions, PartOptions, ToolContext } from '../context.ts'
import { declaresSecrets } from '../declares-secrets.ts'
import type { Duration } from '../duration.ts'
import type { CallInfo, Progress } from '../event.ts'
import { digest } from '../journal/hash.ts'
import type { Journal } from '../journal/journal.ts'
import type { Logger } from '../logger.ts'
import { MASK, mask, maskText, secretsIn } from '../mask.ts'
import type { Outcome } from '../errors/tool-error.ts'
import type { Effect } from '../metadata.ts'
import type { Model } from '../model.ts'
import type { Principal } from '../principal.ts'
import type { Provenance, ToolResult, Usage } from '../result.ts'
import type { ReviewDecision, ReviewQuestion } from '../review.ts'
import { isModelArguments } from '../input/arguments.ts'
import { announceNow } from './announce.ts'
import { askInCode, reviewInCode } from './ask-in-code.ts'
import { countableUsage } from './countable-usage.ts'
import { decide } from './decide.ts'
import { noting } from './fatal.ts'
import { patched } from './patched.ts'
import { LazyState, NO_CALLS } from './lazy-state.ts'
import { LabelCounts } from './path.ts'
import { recordedValue } from './recorded-values.ts'
import { readSecret } from './read-secret.ts'
import type { RootCall } from './root-call.ts'
import { type Closure, type Guard, NOT_GUARDING, type Scope } from './scope.ts'
import type { Finish } from './door.ts'
import { cutOff, type Ends } from './race.ts'
import { sleep } from './sleep.ts'
import type { Waiter } from './waiter.ts'

interface CallParts {
  readonly built: AgentTool
  readonly behaviour: Behaviour
  readonly scope: Scope
  readonly parent?: Call | undefined
  readonly label?: string | undefined
  readonly options?: PartOptions | undefined
  readonly journal?: Journal | undefined
}

/** What `console.log` and debuggers call, by its registered name: no module has to be loaded for it. */
const inspect = Symbol.for('nodejs.util.inspect.custom')

/** One invocation of one tool: the context that its function sees, and what the door keeps about it. */
export class Call implements ToolContext, CallInfo, Guard {
  readonly root: RootCall
  readonly built: AgentTool
  readonly behaviour: Behaviour
  readonly parent: Call | undefined
  readonly scope: Scope
  readonly label: string
  /** Records this call's own steps; undefined where nothing is recorded, and inside a leaf. */
  journal: Journal | undefined
  /** What the tool was given, before validation. */
  given: unknown
  result: ToolResult | undefined
  /** A configuration error or an exit that came up here or in a call inside; it passes this one too, caught or not. */
  fatal: unknown
  /** The calls inside, in the order in which they began. */
  children: Call[] | undefined
  /** Told of the end of this call, where its caller waits without a promise. */
  waiter: Waiter | undefined
  /** Where it stands among the parts of the waiter. */
  position = 0
  /** Where it stands among the guards of its scope. */
  place = NOT_GUARDING
  /** What is left to do with the result, and how to hand it to whoever holds the promise; while it is waited for. */
  finish: Finish | undefined
  ends: Ends | undefined
  /** What the caller waits for, or does not. */
  pending: Promise<unknown> | undefined
  /** Parts, sleeps and decisions that are under way. */
  inFlight = 0
  startedAt = 0
  endedAt = 0
  #rare: LazyState | undefined

  constructor(root: RootCall, { built, behaviour, scope, parent, label, options, journal }: CallParts) {
    this.root = root
    this.built = built
    this.behaviour = behaviour
    this.parent = parent
    this.scope = scope
    this.label = label ?? built.name
    this.journal = parent === undefined ? root.options.journal : parent.behaviour.leaf ? undefined : (journal ?? parent.journal)
    if (options !== undefined) this.#vary(options)
  }

  #vary({ attempt, generation, idempotencyKey, shielded }: PartOptions): void {
    if (shielded === true) this.#lazily.isShielded = true
    if (attempt !== undefined) this.#lazily.attempt = attempt
    if (generation !== undefined) this.#lazily.generation = generation
    if (idempotencyKey !== undefined) this.#lazily.keyedBy = idempotencyKey
  }

  get #lazily(): LazyState {
    return (this.#rare ??= new LazyState())
  }

  /** Somewhere above is a leaf of a recorded run: nobody may be asked here. */
  get insideStep(): boolean {
    return this.journal === undefined && this.root.options.journal !== undefined
  }
  get generation(): number {
    return this.#rare?.generation ?? 0
  }
  /** The input is another one now: so is the idempotency key. */
  raiseGeneration(): void {
    this.#lazily.generation++
  }
  /** What the caller wants the keys to be derived from. */
  get keyedBy(): string | undefined {
    return this.#rare?.keyedBy
  }
  /** How often it, or a call around it, was tried before. */
  get triedBefore(): number {
    return (this.#rare?.attempt ?? 1) - 1 + (this.parent?.triedBefore ?? 0)
  }
  /** Shows only these of its parts in its steps. What the others did is still part of what it did. */
  showOnly(labels: ReadonlySet<string>): void {
    const { children = [] } = this
    const hidden = children.filter(({ label }) => !labels.has(label))
    if (hidden.length === 0) return
    this.#lazily.hidden = [...this.#lazily.hidden, ...hidden]
    const shown = children.filter(({ label }) => labels.has(label))
    this.children = shown.length === 0 ? undefined : shown
  }
  /** The parts that its steps show, and then those that they do not. */
  get allParts(): readonly Call[] {
    const { children = NO_CALLS } = this
    return this.#rare === undefined || this.#rare.hidden.length === 0 ? children : [...children, ...this.#rare.hidden]
  }
  /** What it did has been undone, or it undid something itself: it leaves no effect behind. */
  get isUndone(): boolean {
    return this.#rare?.isUndone ?? false
  }
  markUndone(): void {
    this.#lazily.isUndone = true
  }
  /** Of a call that ended without a result, because of something fatal: whether its effect happened. */
  get fatalOutcome(): Outcome | undefined {
    return this.#rare?.fatalOutcome
  }
  set fatalOutcome(outcome: Outcome | undefined) {
    this.#lazily.fatalOutcome = outcome
  }
  /** It, or a call around it, goes on whatever has ended the run: it undoes. */
  get isShielded(): boolean {
    return this.#rare?.isShielded === true || (this.parent?.isShielded ?? false)
  }
  get replayed(): boolean {
    return this.#rare?.replayed ?? false
  }
  markReplayed(): void {
    this.#lazily.replayed = true
  }
  /** Called whenever nothing of this call is under way any more. */
  set onIdle(callback: () => void) {
    this.#lazily.onIdle = callback
  }

  get tool(): string {
    return this.built.name
  }
  get version(): string {
    return this.built.version
  }
  get description(): string {
    return this.built.description
  }
  get effect(): Effect {
    return this.built.effect
  }
  get layer(): string | undefined {
    return this.behaviour.layer
  }
  get invocationId(): string {
    return (this.#lazily.id ??= this.root.newId())
  }
  get parentId(): string | undefined {
    return this.parent?.invocationId
  }
  get traceId(): string {
    return this.root.traceId
  }
  get path(): string {
    const rarely = this.#lazily
    return (rarely.path ??= `${this.parent === undefined ? '' : `${this.parent.path}/`}${this.label}${rarely.attempt > 1 ? `@${rarely.attempt}` : ''}`)
  }
  get idempotencyKey(): string {
    return digest(this.#keyed)
  }
  get deadline(): number {
    return this.root.clock.now() + (this.scope.expiresAt - this.root.clock.tick())
  }
  get remainingMs(): number {
    return this.scope.remainingMs
  }
  get signal(): AbortSignal {
    return this.scope.signal
  }
  get principal(): Principal | undefined {
    return this.root.options.principal
  }
  get agent(): string | undefined {
    return this.root.options.agent
  }
  get task(): string | undefined {
    return this.root.options.task
  }
  get session(): string | undefined {
    return this.root.options.session
  }
  get model(): Model | undefined {
    return this.root.options.model
  }
  get log(): Logger {
    return this.root.log
  }
  get services(): Readonly<Record<string, unknown>> {
    return this.root.options.services ?? {}
  }
  get tokenBudget(): number | undefined {
    return this.root.options.tokenBudget
  }
  get clock(): Clock {
    return this.root.clock
  }
  get now(): () => number {
    return () => recordedValue(this, 'now', () => this.root.clock.now())
  }
  get ids(): () => string {
    return () => recordedValue(this, 'id', () => this.root.newId())
  }
  get random(): () => number {
    return () => recordedValue(this, 'random', this.root.options.random ?? Math.random)
  }

  get input(): unknown {
    const { given, behaviour } = this
    if (isModelArguments(given) && given.text !== undefined && declaresSecrets(behaviour.input.schema)) return MASK
    const value = isModelArguments(given) ? (given.text ?? given.value) : given
    return mask(value, behaviour.input.schema, this.secrets)
  }
  get output(): unknown {
    return this.result?.ok === true ? mask(this.result.value, this.behaviour.output?.output, this.secrets) : undefined
  }
  /** Every secret that a text about this call might repeat. */
  get secrets(): ReadonlySet<string> {
    return new Set([...(this.parent?.secrets ?? this.root.spoken), ...this.#ownSecrets])
  }
  /** Looked for once in what the tool was given: a list may be long, and each of its items may ask. */
  get #ownSecrets(): Iterable<string> {
    const { given } = this
    const known = this.#lazily.secrets
    if (known !== undefined && known.of === given) return known.found
    const found = secretsIn(isModelArguments(given) ? given.value : given, this.behaviour.input.schema)
    this.#lazily.secrets = { of: given, found }
    return found
  }
  maskText(text: string): string {
    return maskText(text, this.secrets)
  }

  get provenance(): Provenance {
    return (this.#lazily.provenance ??= {
      tool: identityOf(this.built),
      invocationId: this.invocationId,
      timestamp: this.endedAt,
      ...(this.built.source === undefined ? {} : { source: this.built.source }),
    })
  }
  get used(): Usage | undefined {
    return this.#rare?.usage
  }

  get secret(): ToolContext['secret'] {
    return (name) => noting(this, readSecret(this, name))
  }
  get progress(): ToolContext['progress'] {
    return (report: string | Progress) => {
      if (this.root.observed) announceNow(this, { type: 'call.progressed', ...(typeof report === 'string' ? { message: report } : report) })
    }
  }
  get usage(): ToolContext['usage'] {
    return (report) => {
      const { tokens, costUsd } = countableUsage(report, this)
      for (let call: Call | undefined = this; call !== undefined; call = call.parent) {
        const sum = (call.#lazily.usage ??= { tokens: 0, costUsd: 0 })
        sum.tokens += tokens
        sum.costUsd += costUsd
      }
    }
  }
  get metric(): ToolContext['metric'] {
    return (name, value, attributes = {}) => {
      if (this.root.observed) announceNow(this, { type: 'metric.recorded', name, value, attributes })
    }
  }
  get call(): ToolContext['call'] {
    return <I, O>(label: string, tool: AgentTool<I, O>, input: I, options?: PartOptions) =>
      this.root.callPart(this, { label, tool, input, options }) as Promise<ToolResult<O>>
  }
  get decide(): ToolContext['decide'] {
    return (label, choose) => noting(this, decide(this, label, choose))
  }
  get patched(): ToolContext['patched'] {
    return (label) => {
      const patches = (this.#lazily.patches ??= new Map<string, Promise<boolean>>())
      let isNew = patches.get(label)
      if (isNew === undefined) patches.set(label, (isNew = noting(this, patched(this, label))))
      return isNew
    }
  }
  get sleep(): ToolContext['sleep'] {
    return (duration: Duration, label = 'sleep') => noting(this, sleep(this, duration, { label }))
  }
  get review(): ToolContext['review'] {
    return (question: ReviewQuestion): Promise<ReviewDecision> => noting(this, reviewInCode(this, question))
  }
  get ask(): ToolContext['ask'] {
    return <S>(options: AskOptions<S>) => noting(this, askInCode(this, options)) as Promise<SchemaOutput<S> | undefined>
  }

  /** Printed or sent as JSON, a call shows its masked view and nothing of what it holds. */
  toJSON(): object {
    const { tool, version, layer, path, invocationId, traceId, parentId, agent, task, session, input, output } = this
    return { tool, version, layer, path, invocationId, traceId, parentId, agent, task, session, input, output }
  }
  [inspect](): object {
    return this.toJSON()
  }

  attemptLabel(label: string, attempt: number): string {
    return (this.#lazily.labels ??= new LabelCounts()).attempt(label, attempt)
  }

  nextLabel(label: string): string {
    return (this.#lazily.labels ??= new LabelCounts()).next(label)
  }

  /** A leaf that waits for a person, or for a part of its own that does, is not busy. */
  get isBusy(): boolean {
    return this.behaviour.leaf && (this.#rare === undefined || this.#rare.asking === 0)
  }

  /** A person is waited for, here or in a call inside. */
  get isAsking(): boolean {
    return this.#rare !== undefined && this.#rare.asking > 0
  }

  /** This call waits for a person, until `heard`. */
  asks(): void {
    for (let call: Call | undefined = this; call !== undefined; call = call.parent) {
      const wasBusy = call.isBusy
      call.#lazily.asking++
      if (wasBusy && call.place !== NOT_GUARDING) call.scope.changeBusy(-1)
    }
    this.scope.awaitPerson()
  }

  heard(): void {
    for (let call: Call | undefined = this; call !== undefined; call = call.parent) {
      call.#lazily.asking--
      if (call.isBusy && call.place !== NOT_GUARDING) call.scope.changeBusy(1)
    }
    this.scope.heardPerson()
  }

  /** As a guard of its scope. */
  told(closure: Closure): void {
    cutOff(this, closure)
  }

  began(): void {
    this.inFlight++
  }

  ended(): void {
    if (--this.inFlight === 0) this.#rare?.onIdle?.()
  }

  /** The run, or what a caller gave in its place, and the path from there without attempts: a retry goes by the same key. */
  get #keyed(): string {
    const own = this.label + (this.generation > 0 ? `!${this.generation}` : '')
    const { keyedBy } = this
    if (keyedBy !== undefined) return `${keyedBy}\n${own}`
    return this.parent === undefined ? `${this.root.runId}\n${own}` : `${this.parent.#keyed}/${own}`
  }
}
