import type { SchemaOutput } from '../../schema/schema-types.ts'
import { type AgentTool, identityOf } from '../agent-tool.ts'
import type { Behaviour } from '../behaviour.ts'
import type { Clock } from '../ports/clock.ts'
import type { AskOptions, PartOptions, ToolContext } from '../context.ts'
import type { Duration } from '../duration.ts'
import type { Progress } from '../event.ts'
import type { Journal } from '../journal/journal.ts'
import { type Logger, silentLogger } from '../ports/logger.ts'
import type { KnownSecrets } from '../secrets/known-secrets.ts'
import { maskText } from '../secrets/mask-text.ts'
import type { Outcome } from '../errors/tool-error.ts'
import type { Effect } from '../metadata.ts'
import type { Model } from '../ports/model.ts'
import type { Principal } from '../principal.ts'
import { systemRandom } from '../ports/randomness.ts'
import type { Provenance, ToolResult, Usage } from '../result/result.ts'
import type { ReviewAnswer, ReviewQuestion, WithDecision } from '../review.ts'
import { announceNow } from './announce.ts'
import { askInCode, reviewInCode } from './ask-in-code.ts'
import type { Call, Finish, Resolve, Stage, Waiter } from './call.ts'
import { callLog } from './call-log.ts'
import { maskedInput, maskedOutput, secretsOf, viewOf } from './call-view.ts'
import { countableUsage } from './countable-usage.ts'
import type { Moment } from './deadline-pool.ts'
import { decide, patched, recordedValue } from './decide.ts'
import { noting } from './fatal.ts'
import { idempotencyKeyOf } from './idempotency-key.ts'
import { LazyState, NO_CALLS } from './lazy-state.ts'
import { LabelCounts } from '../path.ts'
import { readSecret } from './read-secret.ts'
import type { RootCall } from './root-call.ts'
import { type Closure, NOT_GUARDING, Scope } from './scope.ts'
import { cutOff } from './completion.ts'
import { sleep } from './sleep.ts'

/** The method that `console.log` and debuggers call. Its registered name needs no import. */
const inspect = Symbol.for('nodejs.util.inspect.custom')

/** The one class of calls. Verbs that need more than its state are functions beside it. */
export class CallContext implements Call {
  declare readonly root: RootCall
  declare readonly built: AgentTool
  declare readonly behaviour: Behaviour
  declare scope: Scope
  declare parent: Call | undefined
  declare label: string
  declare journal: Journal | undefined
  declare given: unknown
  declare result: ToolResult | undefined
  declare fatal: unknown
  declare children: Call[] | undefined
  declare waiter: Waiter | undefined
  declare position: number
  declare place: number
  declare stage: Stage
  declare finish: Finish | undefined
  declare resolve: Resolve | undefined
  declare pending: Promise<unknown> | undefined
  declare inFlight: number
  declare end: Moment | undefined
  declare rare: LazyState<Call> | undefined

  /** The call of a root. Fields are declared above and assigned here alone, since each would be written twice otherwise. */
  constructor(root: RootCall, built: AgentTool, behaviour: Behaviour, scope: Scope) {
    this.root = root
    this.built = built
    this.behaviour = behaviour
    this.scope = scope
    this.parent = undefined
    this.label = built.name
    this.journal = root.options.journal
    this.given = undefined
    this.result = undefined
    this.fatal = undefined
    this.children = undefined
    this.waiter = undefined
    this.position = 0
    this.place = NOT_GUARDING
    this.stage = 'entered'
    this.finish = undefined
    this.resolve = undefined
    this.pending = undefined
    this.inFlight = 0
    this.end = undefined
    this.rare = undefined
  }

  /** Makes it a part of another call. */
  belongTo(parent: Call, label: string): this {
    this.parent = parent
    this.label = label
    this.journal = parent.behaviour.leaf ? undefined : parent.journal
    return this
  }

  /** Applies what the caller of a part asks for. */
  vary({ attempt, generation, idempotencyKey, shielded }: PartOptions): void {
    if (shielded === true) this.lazily.isShielded = true
    if (attempt !== undefined) this.lazily.attempt = attempt
    if (generation !== undefined) this.lazily.generation = generation
    if (idempotencyKey !== undefined) this.lazily.keyedBy = idempotencyKey
  }

  get lazily(): LazyState<Call> {
    return (this.rare ??= new LazyState())
  }

  get startedAt(): number {
    return this.rare?.startedAt ?? 0
  }
  set startedAt(tick: number) {
    this.lazily.startedAt = tick
  }
  get endedAt(): number {
    return this.end?.at ?? 0
  }

  outliveScope(ms: number): void {
    const { signal } = this.root.options
    this.scope = new Scope(this.root.clock, ms, this.parent?.scope)
    if (this.parent === undefined && signal !== undefined) this.scope.follow(signal)
  }

  get insideStep(): boolean {
    return this.journal === undefined && this.root.options.journal !== undefined
  }
  get generation(): number {
    return this.rare?.generation ?? 0
  }
  raiseGeneration(): void {
    this.lazily.generation++
  }
  get keyedBy(): string | undefined {
    return this.rare?.keyedBy
  }
  get hasNewKeys(): boolean {
    return this.rare?.hasNewKeys ?? false
  }
  get triedBefore(): number {
    return (this.rare?.attempt ?? 1) - 1 + (this.parent?.triedBefore ?? 0)
  }
  hide(parts: ReadonlySet<Call>): void {
    if (parts.size === 0) return
    this.lazily.hidden = [...this.lazily.hidden, ...parts]
    const shown = (this.children ?? []).filter((part) => !parts.has(part))
    this.children = shown.length === 0 ? undefined : shown
  }
  get allParts(): readonly Call[] {
    const { children = NO_CALLS } = this
    return this.rare === undefined || this.rare.hidden.length === 0 ? children : [...children, ...this.rare.hidden]
  }
  get isUndone(): boolean {
    return this.rare?.isUndone ?? false
  }
  markUndone(): void {
    this.lazily.isUndone = true
  }
  get fatalOutcome(): Outcome | undefined {
    return this.rare?.fatalOutcome
  }
  set fatalOutcome(outcome: Outcome | undefined) {
    this.lazily.fatalOutcome = outcome
  }
  get isShielded(): boolean {
    return this.rare?.isShielded === true || (this.parent?.isShielded ?? false)
  }
  get isRetried(): boolean {
    if (this.rare !== undefined && (this.rare.isRetried || this.rare.attempt > 1)) return true
    return this.parent?.layer !== undefined && this.parent.isRetried
  }
  get replayed(): boolean {
    return this.rare?.replayed ?? false
  }
  markReplayed(): void {
    this.lazily.replayed = true
  }
  set onIdle(callback: () => void) {
    this.lazily.onIdle = callback
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
    return (this.lazily.id ??= this.root.newId())
  }
  get parentId(): string | undefined {
    return this.parent?.invocationId
  }
  get traceId(): string {
    return this.root.traceId
  }
  get path(): string {
    const rarely = this.lazily
    return (rarely.path ??= `${this.parent === undefined ? '' : `${this.parent.path}/`}${this.label}${rarely.attempt > 1 ? `@${rarely.attempt}` : ''}`)
  }
  get idempotencyKey(): string {
    return idempotencyKeyOf(this)
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
    return this.root.principal
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
    const { log } = this.root.options
    return log === undefined ? silentLogger : (this.lazily.log ??= callLog(this, log))
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
    return () => recordedValue(this, 'random', this.root.options.random ?? systemRandom)
  }

  get input(): unknown {
    return maskedInput(this)
  }
  get output(): unknown {
    return maskedOutput(this)
  }
  get secrets(): KnownSecrets {
    return secretsOf(this)
  }
  maskText(text: string): string {
    return maskText(text, this.secrets)
  }

  get provenance(): Provenance {
    const known = this.rare?.provenance
    if (known !== undefined) return known
    const made = {
      tool: identityOf(this.built),
      invocationId: this.invocationId,
      timestamp: this.end === undefined ? this.root.clock.now() : this.endedAt,
      ...(this.built.source === undefined ? {} : { source: this.built.source }),
    }
    // Of a call that has not ended, the end is not known yet.
    if (this.end !== undefined) this.lazily.provenance = made
    return made
  }
  get used(): Usage | undefined {
    return this.rare?.usage
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
      this.addUsage(tokens, costUsd)
    }
  }
  addUsage(tokens: number, costUsd: number): void {
    const sum = (this.lazily.usage ??= { tokens: 0, costUsd: 0 })
    sum.tokens += tokens
    sum.costUsd += costUsd
    this.parent?.addUsage(tokens, costUsd)
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
      const patches = (this.lazily.patches ??= new Map<string, Promise<boolean>>())
      let isNew = patches.get(label)
      if (isNew === undefined) patches.set(label, (isNew = noting(this, patched(this, label))))
      return isNew
    }
  }
  get sleep(): ToolContext['sleep'] {
    return (duration: Duration, label = 'sleep') => noting(this, sleep(this, duration, { label }))
  }
  get review(): ToolContext['review'] {
    return <R extends WithDecision, E extends WithDecision>(question: ReviewQuestion<R, E>) =>
      noting(this, reviewInCode(this, question)) as Promise<ReviewAnswer<R, E>>
  }
  get ask(): ToolContext['ask'] {
    return <S>(options: AskOptions<S>) => noting(this, askInCode(this, options)) as Promise<SchemaOutput<S> | undefined>
  }

  /** Printed or sent as JSON, a call shows its masked view and nothing of what it holds. */
  toJSON(): object {
    return viewOf(this)
  }
  [inspect](): object {
    return this.toJSON()
  }

  attemptLabel(label: string, attempt: number): string {
    return (this.lazily.labels ??= new LabelCounts()).attempt(label, attempt)
  }

  nextLabel(label: string): string {
    return (this.lazily.labels ??= new LabelCounts()).next(label)
  }

  /** A leaf is not busy while it, or a part of it, waits for a person. */
  get isBusy(): boolean {
    return this.behaviour.leaf && (this.rare === undefined || this.rare.asking === 0)
  }

  get isAsking(): boolean {
    return this.rare !== undefined && this.rare.asking > 0
  }

  asks(): void {
    this.countAsking(1)
    this.scope.awaitPerson()
  }

  heard(): void {
    this.countAsking(-1)
    this.scope.heardPerson()
  }

  countAsking(change: 1 | -1): void {
    const wasBusy = this.isBusy
    this.lazily.asking += change
    if (wasBusy !== this.isBusy && this.place >= 0) this.scope.changeBusy(wasBusy ? -1 : 1)
    this.parent?.countAsking(change)
  }

  /** As a guard of its scope. */
  onClosed(closure: Closure): void {
    cutOff(this, closure)
  }

  began(): void {
    this.inFlight++
  }

  ended(): void {
    if (--this.inFlight === 0) this.rare?.onIdle?.()
  }
}
