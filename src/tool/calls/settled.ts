import type { ToolError } from '../errors/tool-error.ts'
import type {
  Attempt,
  ContentPart,
  FailureDetails,
  Provenance,
  ResultDetails,
  ResultIssue,
  Step,
  ToolFailure,
  ToolSuccess,
  Usage,
} from '../result.ts'
import type { SuccessOptions } from '../returned.ts'
import { textOf } from '../text-of.ts'

/** Who can say where a result came from: the call, or a journal. */
export interface Origin {
  readonly provenance: Provenance
}

/** What few results carry; it is made when the first of it is set. */
interface More {
  steps?: readonly Step[] | undefined
  issues?: readonly ResultIssue[] | undefined
  attempts?: readonly Attempt[] | undefined
  level?: string | undefined
  compensation?: unknown
  usage?: Usage | undefined
  success?: SuccessOptions | undefined
}

abstract class Settled implements ResultDetails {
  readonly #origin: Origin
  #more: More | undefined

  constructor(origin: Origin, more?: More) {
    this.#origin = origin
    this.#more = more
  }

  get provenance(): Provenance {
    return this.#origin.provenance
  }
  get steps(): readonly Step[] | undefined {
    return this.#more?.steps
  }
  get issues(): readonly ResultIssue[] | undefined {
    return this.#more?.issues ?? this.#more?.success?.issues
  }
  get attempts(): readonly Attempt[] | undefined {
    return this.#more?.attempts
  }
  get level(): string | undefined {
    return this.#more?.level
  }
  get compensation(): unknown {
    return this.#more?.compensation
  }
  get usage(): Usage | undefined {
    return this.#more?.usage
  }
  protected get successOptions(): SuccessOptions | undefined {
    return this.#more?.success
  }

  /** Adds to what the result carries; for the door and for combinators, before anybody else sees it. */
  add(more: More): void {
    this.#more = this.#more === undefined ? more : { ...this.#more, ...more }
  }
}

export class SettledSuccess extends Settled implements ToolSuccess {
  readonly ok = true
  readonly value: unknown

  constructor(origin: Origin, value: unknown, options?: SuccessOptions) {
    super(origin, options === undefined ? undefined : { success: options })
    this.value = value
  }

  get text(): string {
    return this.ownText ?? textOf(this.value)
  }
  /** The author's own text, where there is one. */
  get ownText(): string | undefined {
    return this.successOptions?.text
  }
  get content(): readonly ContentPart[] | undefined {
    return this.successOptions?.content
  }
  get confidence(): number | undefined {
    return this.successOptions?.confidence
  }

  toJSON(): object {
    const { ok, text, value, content, confidence, provenance } = this
    return { ok, text, value, content, confidence, ...details(this), provenance }
  }
}

export class SettledFailure extends Settled implements ToolFailure {
  readonly ok = false
  readonly error: FailureDetails
  /** Thrown, not returned: metrics tell the two apart. */
  readonly thrown: boolean

  constructor(origin: Origin, error: FailureDetails, thrown: boolean) {
    super(origin)
    this.error = error
    this.thrown = thrown
  }

  get text(): string {
    return `Error: ${this.error.message}`
  }

  toJSON(): object {
    const { ok, text, provenance } = this
    const { cause: _cause, ...error } = this.error
    return { ok, text, error, ...details(this), provenance }
  }
}

export type SettledResult = SettledSuccess | SettledFailure

export function failureDetails(error: ToolError): FailureDetails {
  const { code, class: errorClass, message, retryable, hint, outcome, retryAfterMs, cause } = error
  return { code, class: errorClass, message, retryable, hint, outcome, retryAfterMs, cause }
}

function details({ steps, issues, attempts, level, compensation, usage }: Settled): ResultDetails {
  return { steps, issues, attempts, level, compensation, usage }
}
