import type { ModelMessage, ToolResultPart } from 'ai'
import type { Runtime } from '../../runtime/create-runtime.ts'
import { callerOf } from '../../runtime/door-runs.ts'
import { toJsonText } from '../../schema/quote.ts'
import type { ContentPart, ToolSuccess } from '../../tool/result/result.ts'
import { textOf } from '../../tool/result/text-of.ts'
import { checkOptionValues } from '../../tool/engine/check-call-options.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'
import type { SharedCallOptions } from '../../tool/shared-option-names.ts'
import type { CallEnd } from '../parked-call.ts'
import { ApprovalFlow } from '../approval-flow.ts'
import { BRIDGE_NAMES, type BridgeOptions, callOptionsOf } from '../bridge-options.ts'
import { LatestOf } from '../latest-of.ts'
import { RoutedResults } from '../routed-results.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import type { AiSdkReviews, ReviewedRuns } from './ai-sdk-reviews.ts'
import type { ApprovalSeals } from './approval-seals.ts'
import { rejectDeniedRuns } from './denied-runs.ts'
import type { ParkedRuns } from '../parked-runs.ts'

/** What all calls through the bridge share. */
export interface ToAiSdkOptions<P extends boolean = boolean> extends BridgeOptions {
  /** Where calls wait for approval. Share one over all requests of a process; without it the bridge has its own. */
  readonly reviews?: AiSdkReviews | undefined
  /** Reports of progress become preliminary results, `{ progress }`. Off by default, since the output type then names them. */
  readonly progress?: P | undefined
}

const NAMES = optionNames<ToAiSdkOptions>({
  ...BRIDGE_NAMES,
  reviews: true,
  progress: true,
})

export function checkToAiSdk(options: ToAiSdkOptions): void {
  checkOptionNames(options, NAMES, 'The options of toAiSdk')
  checkOptionValues(options)
}

const MOST_FINISHED = 1000
const MOST_DENIED = 10_000

/** What the tools of one `toAiSdk` share. */
export class Bridge {
  readonly options: ToAiSdkOptions
  /** The options that all calls share. */
  readonly shared: SharedCallOptions
  readonly parked: ParkedRuns
  readonly flow: ApprovalFlow
  /** Set where the approvals of an earlier process count. */
  readonly seals: ApprovalSeals | undefined
  readonly outputs = new ModelOutputs()
  readonly routed: RoutedResults
  readonly signals = new StepSignals()
  /** The program passes `toolApproval`: a person can be asked through the SDK. */
  asksThroughSdk = false
  /** The ends of durable calls, until they are asked for. */
  readonly ends = new LatestOf<CallEnd>(MOST_FINISHED)
  /** The call as which the requests of a durable run were shown. */
  readonly shown = new LatestOf<string>(MOST_FINISHED)
  /** Requests whose denial was heard. */
  readonly denied = new LatestOf<true>(MOST_DENIED)

  constructor(options: ToAiSdkOptions, { runs, seals }: ReviewedRuns) {
    this.options = options
    this.shared = callOptionsOf(options)
    this.parked = runs
    this.flow = new ApprovalFlow(runs, 'repeats')
    this.seals = seals
    this.routed = new RoutedResults(options, 'toAiSdk')
  }

  /** The value of a call for the program. What the model reads of it is kept until the SDK asks. */
  async output(success: ToolSuccess, { tool, toolCallId, messages }: FinishedCall): Promise<unknown> {
    this.outputs.keep(toolCallId, await this.routed.told(success, { tool, caller: this.shared, task: lastWords(messages) }))
    return success.value
  }

  /** Rejects the durable calls of the caller that a conversation denies. */
  rejectDeniedRuns(messages: readonly ModelMessage[], runtime: Runtime): Promise<void> {
    return rejectDeniedRuns(messages, { runtime, caller: callerOf(runtime, this.options), heard: this.denied })
  }
}

interface FinishedCall {
  readonly tool: AgentTool
  readonly toolCallId: string
  readonly messages: readonly ModelMessage[]
}

/** What the user said last: outputs are shortened with a view to it. */
function lastWords(messages: readonly ModelMessage[]): string | undefined {
  const content = messages.findLast(({ role }) => role === 'user')?.content
  if (content === undefined || typeof content === 'string') return content
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

type ModelOutput = ToolResultPart['output']
type OutputPart = Extract<ModelOutput, { type: 'content' }>['value'][number]

interface Kept {
  readonly value: unknown
  readonly text: string
  readonly content: readonly ContentPart[] | undefined
}

const MOST_KEPT = 100

/** Results as the model reads them. The SDK returns the bare value: text and content of the latest results are kept here. */
class ModelOutputs {
  readonly #kept = new Map<string, Kept>()

  keep(toolCallId: string, { value, text, content }: ToolSuccess): void {
    this.#kept.delete(toolCallId)
    this.#kept.set(toolCallId, { value, text, content })
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MOST_KEPT) break
      this.#kept.delete(oldest)
    }
  }

  /** A value without a kept result, from a browser or from an old call, is shown by itself. */
  of(toolCallId: string, output: unknown): ModelOutput {
    const kept = this.#kept.get(toolCallId)
    const isKept = kept !== undefined && (Object.is(kept.value, output) || toJsonText(kept.value) === toJsonText(output))
    return isKept ? modelOutput(kept) : { type: 'text', value: textOf(output) }
  }
}

function modelOutput({ text, content }: Omit<Kept, 'value'>): ModelOutput {
  if (content === undefined || content.length === 0) return { type: 'text', value: text }
  const parts = content.map(outputPart)
  return { type: 'content', value: text === '' ? parts : [{ type: 'text', text }, ...parts] }
}

function outputPart(part: ContentPart): OutputPart {
  if (part.type === 'text') return { type: 'text', text: part.text }
  if (part.type !== 'resource') return { type: 'file', data: { type: 'data', data: part.data }, mediaType: part.mimeType }
  const { uri, mimeType, text, data } = part
  if (text !== undefined) return { type: 'text', text: `${uri}\n${text}` }
  // An address is written as text, and not passed as a file to fetch: only the tool has checked it.
  if (data === undefined) return { type: 'text', text: `Resource: ${uri}` }
  return { type: 'file', data: { type: 'data', data }, mediaType: mimeType ?? 'application/octet-stream', filename: uri }
}

/** What ends with a signal, until the returned function is called. */
interface Following {
  readonly follow: (signal: AbortSignal | undefined) => () => void
}

interface Step {
  signal: AbortSignal | undefined
  /** The runs that end with the step, each with what ends that. */
  readonly begun: Map<Following, () => void>
}

/**
 * The abort signals of the steps of a conversation. `toolApproval` gets no signal, but `onInputAvailable` does, for the same list of
 * messages, and before or after it.
 */
class StepSignals {
  readonly #steps = new WeakMap<readonly ModelMessage[], Step>()

  setSignal(messages: readonly ModelMessage[], signal: AbortSignal | undefined): void {
    const step = this.#step(messages)
    step.signal = signal
    for (const [run, stopFollowing] of step.begun) {
      stopFollowing()
      step.begun.set(run, run.follow(signal))
    }
  }

  /** The signal of the step, as far as it is known. */
  of(messages: readonly ModelMessage[]): AbortSignal | undefined {
    return this.#steps.get(messages)?.signal
  }

  /** The run ends with the step, until the returned function is called. */
  follow(messages: readonly ModelMessage[], run: Following): () => void {
    const { signal, begun } = this.#step(messages)
    begun.set(run, run.follow(signal))
    return () => {
      begun.get(run)?.()
      begun.delete(run)
    }
  }

  #step(messages: readonly ModelMessage[]): Step {
    const known = this.#steps.get(messages)
    if (known !== undefined) return known
    const step: Step = { signal: undefined, begun: new Map() }
    this.#steps.set(messages, step)
    return step
  }
}
