import { failureData, failureMessage } from './failure-details.ts'
import type {
  Attempt,
  ContentPart,
  FailureDetails,
  Provenance,
  ResultDetails,
  ResultIssue,
  SagaReport,
  Step,
  ToolFailure,
  ToolSuccess,
  Usage,
  Validation,
} from './result.ts'
import type { SuccessOptions } from './returned.ts'
import { textOf } from './text-of.ts'

/** The method that `console.log` and debuggers call. Its registered name needs no import. */
const inspect = Symbol.for('nodejs.util.inspect.custom')

/** The source of the provenance: the call, or a journal. */
export interface Origin {
  readonly provenance: Provenance
}

/**
 * Successes and failures have no common base, though they share the lines about details: a promise looks for `then` along the whole
 * prototype chain of what it resolves to, and every call resolves to one of the two.
 */
export class SettledSuccess implements ToolSuccess {
  readonly ok = true
  readonly value: unknown
  readonly #origin: Origin
  readonly #options: SuccessOptions | undefined
  /** Few results carry any. */
  #more: ResultDetails | undefined

  constructor(origin: Origin, value: unknown, options?: SuccessOptions) {
    this.#origin = origin
    this.#options = options
    this.value = value
  }

  get text(): string {
    return noted(this, this.bareText)
  }
  /** The text without the notes of a validation: the next step gets the output, not the judgement. */
  get bareText(): string {
    return this.ownText ?? textOf(this.value)
  }
  /** The author's own text, where there is one. */
  get ownText(): string | undefined {
    return this.#options?.text
  }
  /** The author's details besides the value; undefined if there are none. */
  get said(): SuccessOptions | undefined {
    const issues = this.#more?.issues
    return issues === undefined ? this.#options : { text: this.ownText, content: this.content, issues, confidence: this.confidence }
  }
  get content(): readonly ContentPart[] | undefined {
    return this.#options?.content
  }
  get confidence(): number | undefined {
    return this.#options?.confidence
  }
  get issues(): readonly ResultIssue[] | undefined {
    return this.#more?.issues ?? this.#options?.issues
  }
  get provenance(): Provenance {
    return this.#origin.provenance
  }
  get steps(): readonly Step[] | undefined {
    return this.#more?.steps
  }
  get attempts(): readonly Attempt[] | undefined {
    return this.#more?.attempts
  }
  get level(): string | undefined {
    return this.#more?.level
  }
  get compensation(): SagaReport | undefined {
    return this.#more?.compensation
  }
  get validation(): Validation | undefined {
    return this.#more?.validation
  }
  get usage(): Usage | undefined {
    return this.#more?.usage
  }

  /** Adds details; only for the door, before the caller sees the result. */
  add(more: ResultDetails): void {
    this.#more = joined(this.#more, more)
  }
  /** A copy of the same origin with more details, or other details of the author. */
  amended(more: ResultDetails, options: SuccessOptions | undefined = this.#options): SettledSuccess {
    const copy = new SettledSuccess(this.#origin, this.value, options)
    copy.#more = joined(this.#more, more)
    return copy
  }

  /** A copy of the same origin and details that holds a copy of the value. */
  holding(value: unknown): SettledSuccess {
    const copy = new SettledSuccess(this.#origin, value, this.#options)
    copy.#more = this.#more
    return copy
  }

  /** The failure of an output that was judged and refused: of the same origin, with all its details. */
  refused(error: FailureDetails): SettledFailure {
    const failure = new SettledFailure(this.#origin, error, false)
    failure.add(details(this))
    return failure
  }
  toJSON(): object {
    const { ok, text, value, content, confidence, provenance } = this
    return { ok, text, value, content, confidence, ...details(this), provenance }
  }
  /** A printed result shows all its fields and getters. */
  [inspect](): object {
    return present(this.toJSON())
  }
}

export class SettledFailure implements ToolFailure {
  readonly ok = false
  readonly error: FailureDetails
  /** Thrown, not returned: metrics distinguish the two. */
  readonly thrown: boolean
  readonly #origin: Origin
  #more: ResultDetails | undefined

  constructor(origin: Origin, error: FailureDetails, thrown: boolean) {
    this.#origin = origin
    this.error = error
    this.thrown = thrown
  }

  get text(): string {
    return `Error: ${failureMessage(this.error)}`
  }
  get issues(): readonly ResultIssue[] | undefined {
    return this.#more?.issues
  }
  get provenance(): Provenance {
    return this.#origin.provenance
  }
  get steps(): readonly Step[] | undefined {
    return this.#more?.steps
  }
  get attempts(): readonly Attempt[] | undefined {
    return this.#more?.attempts
  }
  get level(): string | undefined {
    return this.#more?.level
  }
  get compensation(): SagaReport | undefined {
    return this.#more?.compensation
  }
  get validation(): Validation | undefined {
    return this.#more?.validation
  }
  get usage(): Usage | undefined {
    return this.#more?.usage
  }

  /** Adds details; only for the door, before the caller sees the result. */
  add(more: ResultDetails): void {
    this.#more = joined(this.#more, more)
  }
  /** A copy of the same origin with more details, or another error. */
  amended(more: ResultDetails, error: FailureDetails = this.error): SettledFailure {
    const copy = new SettledFailure(this.#origin, error, this.thrown)
    copy.#more = joined(this.#more, more)
    return copy
  }

  toJSON(): object {
    const { ok, text, provenance } = this
    return { ok, text, error: failureData(this.error), ...details(this), provenance }
  }
  /** A printed result shows all its fields and getters, and the cause. */
  [inspect](): object {
    return present({ ...this.toJSON(), error: present(this.error) })
  }
}

// Every call resolves a promise with one of the two. The promise looks for `then`, and finds here that there is none.
// oxlint-disable-next-line unicorn/no-thenable -- so that it is none
for (const { prototype } of [SettledSuccess, SettledFailure]) Object.defineProperty(prototype, 'then', { value: undefined })

export type SettledResult = SettledSuccess | SettledFailure

function details({ steps, issues, attempts, level, compensation, validation, usage }: ResultDetails): ResultDetails {
  return { steps, issues, attempts, level, compensation, validation, usage }
}

/** The text of an output, with the faults that a validation found in it, and with what its reader must know. */
export function noted({ validation, issues = [] }: Pick<ResultDetails, 'validation' | 'issues'>, text: string): string {
  if (issues.length === 0) return text
  const isFault = ({ severity }: ResultIssue): boolean => validation !== undefined && severity !== 'info'
  const notes = issues.filter((issue) => issue.told === true || isFault(issue))
  return [text, ...notes.map(({ severity, message }) => `${NOTES[severity]}: ${message}`)].join('\n')
}

const NOTES = { info: 'Note', warning: 'Warning', critical: 'Caution' } as const

function joined(before: ResultDetails | undefined, more: ResultDetails): ResultDetails {
  return before === undefined ? more : { ...details(before), ...more }
}

/** Without absent fields. */
function present(given: object): object {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}
