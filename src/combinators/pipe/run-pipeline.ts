import { ShapeReader } from '../../schema/shape.ts'
import { adapt } from '../../tool/adapt.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import { type AnyGiven, GivenToStep } from '../../tool/given/step-given.ts'
import { ModelArguments } from '../../tool/input/arguments.ts'
import { withStep } from '../../tool/result/amendments.ts'
import type { ToolResult, ToolSuccess } from '../../tool/result/result.ts'
import type { SettledResult, SettledSuccess } from '../../tool/result/settled.ts'
import { textOf } from '../../tool/result/text-of.ts'
import { isFinal } from '../../tool/retry-rules.ts'
import { Sequence } from '../../tool/seam/sequence.ts'
import type { Whole } from '../../tool/seam/whole.ts'
import type { PipelineStep, StepAdapter } from './pipeline-step.ts'
import { type DeadlineSharing, stepLimit, type StepTime } from './step-deadline.ts'

/** A failed step ends the pipeline, or its message is passed to the next step. */
export type ErrorStrategy = 'FAIL_FAST' | 'CONTINUE_ON_FAILURE'

export interface Pipeline {
  readonly steps: readonly PipelineStep[]
  readonly strategy: ErrorStrategy
  readonly sharing: DeadlineSharing
  readonly expected: readonly number[] | undefined
  /** It has an adapter, which may read the input and all results. */
  readonly isAdapted: boolean
}

export function runPipeline(pipeline: Pipeline, given: unknown, whole: Whole): unknown {
  return new PipelineRun(pipeline, whole).begin(given)
}

interface Known {
  readonly input: unknown
  readonly results: Record<string, ToolSuccess>
}

class PipelineRun extends Sequence {
  readonly #pipeline: Pipeline
  #position = 0
  /** For adapters; undefined in a pipeline without one. */
  #known: Known | undefined
  /** The failure if later steps need all the remaining time. */
  #leftNothing: ToolError | undefined

  constructor(pipeline: Pipeline, whole: Whole) {
    super(whole)
    this.#pipeline = pipeline
  }

  begin(given: unknown): unknown {
    if (this.#pipeline.isAdapted) this.#known = { input: given, results: {} }
    return this.start(() => this.#advance(given))
  }

  partEnded(result: SettledResult): void {
    if (this.#leftNothing !== undefined && !result.ok && result.error.outcome === 'not_started' && result.error.class === 'deadline') {
      this.fail(this.#leftNothing)
      return
    }
    if (this.#isLast(result)) {
      this.#endWith(result)
      return
    }
    try {
      this.#advance(this.#handOn(result))
    } catch (error) {
      this.fail(error)
    }
  }

  /** Runs steps in a loop while they end at once, so that a long pipeline needs no deep stack. */
  #advance(given: unknown): void {
    let input = given
    for (;;) {
      const result = this.#start(input)
      if (result === undefined) return
      if (this.#isLast(result)) {
        this.#endWith(result)
        return
      }
      input = this.#handOn(result)
    }
  }

  /** The failure of a step is that of the pipeline, and says which step it was. */
  #endWith(result: SettledResult): void {
    this.end(result.ok ? result : withStep(result, (this.#pipeline.steps[this.#position] as PipelineStep).label))
  }

  #start(input: unknown): SettledResult | undefined {
    const { steps, sharing, expected } = this.#pipeline
    const step = steps[this.#position] as PipelineStep
    if (step.tool.estimates.p99Ms !== undefined) {
      refuseWhatCannotEnd(this.whole, step).then(
        () => this.#startApart(step, input),
        (error: unknown) => this.fail(error),
      )
      return undefined
    }
    return expected === undefined && sharing === 'reserve' ? this.startPart(step, input) : this.#startApart(step, input)
  }

  #startApart(step: PipelineStep, input: unknown): undefined {
    const { steps, sharing, expected } = this.#pipeline
    const time = { index: step.position, count: steps.length, expected, remainingMs: this.whole.remainingMs }
    const limit = stepLimit(sharing, time)
    this.#leftNothing = limit === 0 && time.remainingMs > 0 ? allIsReserved(step, time) : undefined
    this.startPartApart(step, input, limit === undefined ? undefined : { deadline: limit })
  }

  #isLast(result: ToolResult): boolean {
    if (this.#position === this.#pipeline.steps.length - 1) return true
    return !result.ok && (this.#pipeline.strategy === 'FAIL_FAST' || isFinal(result.error))
  }

  /** The input of the next step. */
  #handOn(result: SettledResult): unknown {
    const known = this.#known
    if (known !== undefined) return this.#handOnAdapted(result, known)
    const next = this.#pipeline.steps[++this.#position] as PipelineStep
    return result.ok ? handOff(result, next) : handOffAdapted(result.error.message, next)
  }

  #handOnAdapted(result: SettledResult, { input, results }: Known): unknown {
    const { steps } = this.#pipeline
    const { adapter, label } = steps[this.#position] as PipelineStep
    const next = steps[++this.#position] as PipelineStep
    if (!result.ok) return handOffAdapted(result.error.message, next)
    results[label] = result
    return adapter === undefined ? handOff(result, next) : handOffAdapted(adapted(adapter, new GivenToStep(input, result, results)), next)
  }
}

/** A step whose p99 exceeds the remaining time does not begin. The decision is recorded, because a replay has another clock. */
async function refuseWhatCannotEnd(whole: Whole, { label, tool }: PipelineStep): Promise<void> {
  const p99Ms = tool.estimates.p99Ms ?? 0
  const fits = await whole.decide(`${label.replace('#', '.')}.fits`, () => p99Ms <= whole.remainingMs)
  if (fits) return
  throw new ToolError(`The deadline leaves ${Math.round(whole.remainingMs)} ms, and step '${label}' may take ${p99Ms} ms (its p99).`, {
    code: 'deadline_exceeded',
    outcome: 'not_started',
  })
}

/** The step is called anyway: if it has run already, its result is in the journal. */
function allIsReserved({ label }: PipelineStep, { index, expected = [], remainingMs }: StepTime): ToolError {
  const later = expected.slice(index + 1).reduce((sum, each) => sum + each, 0)
  return new ToolError(
    `The deadline leaves ${Math.round(remainingMs)} ms, and the steps after '${label}' are expected to take ${Math.round(later)} ms: '${label}' was not begun.`,
    { code: 'deadline_exceeded', outcome: 'not_started' },
  )
}

function adapted({ name, adapt: apply }: StepAdapter, given: AnyGiven): unknown {
  return adapt(`The adapter ${name}`, () => apply(given))
}

/** The input of the next step: the text for a string step, the value for a typed one. */
function handOff(result: SettledSuccess, next: PipelineStep): unknown {
  if (takesText(next)) return result.bareText
  return typeof result.value === 'string' ? readable(result.value, next) : result.value
}

/** The same for the value of an adapter; null and undefined are the empty text. */
function handOffAdapted(value: unknown, next: PipelineStep): unknown {
  if (takesText(next)) return textOf(value)
  if (value === null || value === undefined) return readable('', next)
  return typeof value === 'string' ? readable(value, next) : value
}

/** If the next step accepts a string, pass it unchanged; otherwise parse it as JSON. */
function readable(text: string, { behaviour: { input } }: PipelineStep): unknown {
  return new ShapeReader(input.schema).allows(text, input.schema) ? text : ModelArguments.ofText(text)
}

function takesText(step: PipelineStep): boolean {
  return (step.takesText ??= step.behaviour.input.schema['type'] === 'string')
}
