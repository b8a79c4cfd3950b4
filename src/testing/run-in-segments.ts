import type { AgentTool } from '../tool/agent-tool.ts'
import type { CallOptions } from '../tool/context.ts'
import { checkCallOptions } from '../tool/engine/check-call-options.ts'
import { type JournalEntry, memoryJournal } from '../tool/journal/journal.ts'
import type { ReviewDecision, ReviewRequest } from '../tool/review.ts'
import { type FakeClock, fakeClock, settled } from './fake-clock.ts'
import { endOf, type RunEnd } from './replay-from-every-prefix.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'

/** The options of `runInSegments`. */
export interface SegmentOptions {
  /** Decides an open request; called when nothing else can move. With several open, `pick` says which comes first. */
  readonly decide: (request: ReviewRequest) => ReviewDecision
  readonly pick?: ((open: readonly ReviewRequest[]) => ReviewRequest | undefined) | undefined
  readonly options?: Omit<CallOptions, 'journal' | 'clock' | 'idempotencyKey' | 'review'> | undefined
  readonly mostSegments?: number | undefined
}

/** A run that was taken up again after every pause. */
export interface SegmentedRun {
  readonly end: RunEnd
  /** How often the run was taken up. */
  readonly segments: number
  readonly entries: readonly JournalEntry[]
}

const NAMES = optionNames<SegmentOptions>({ decide: true, pick: true, options: true, mostSegments: true })

/**
 * Runs a tool as a durable engine does: at a gate the run parks, its closures are dropped, and the decision starts the next segment, which
 * replays from the journal.
 * @example
 * const run = await runInSegments(gate(issueRefund), { orderId: 'o1', amount: 900 }, { decide: () => ({ action: 'continue' }) })
 * console.log(run.segments) // 2
 */
export async function runInSegments<I, O>(tool: AgentTool<I, O>, input: NoInfer<I>, given: SegmentOptions): Promise<SegmentedRun> {
  checkOptionNames(given, NAMES, 'The options of runInSegments')
  const { decide, pick = (open) => open[0], options, mostSegments = 100 } = given
  if (options !== undefined) checkCallOptions(options)
  let entries: readonly JournalEntry[] = []
  const clock = fakeClock()
  for (let segments = 1; segments <= mostSegments; segments++) {
    const segment = await runSegment(clock, entries, (parts) =>
      tool.call(input, { ...options, ...parts, clock, idempotencyKey: 'segmented-run' }),
    )
    entries = segment.entries
    if (segment.end !== undefined) return { end: segment.end, segments, entries }
    const request = pick(segment.open)
    if (request === undefined) throw new Error('The run is parked, but there is no request to decide.')
    entries = [...entries, { kind: 'review', path: request.path, request, decision: decide(request) }]
  }
  throw new Error(`The run did not end within ${mostSegments} segments.`)
}

interface Segment {
  readonly end: RunEnd | undefined
  readonly open: readonly ReviewRequest[]
  readonly entries: readonly JournalEntry[]
}

type Start = (parts: Pick<CallOptions, 'journal' | 'review'>) => ReturnType<AgentTool['call']>

async function runSegment(clock: FakeClock, past: readonly JournalEntry[], start: Start): Promise<Segment> {
  const journal = memoryJournal(past)
  const open = new Map<string, ReviewRequest>()
  let inFlight = 0
  let end: RunEnd | undefined
  const running = start({
    journal: {
      ...journal,
      inFlight: (change) => {
        inFlight += change
      },
    },
    review: {
      review: (request, { signal }) => {
        open.set(request.id, request)
        signal.addEventListener('abort', () => open.delete(request.id))
        return new Promise(() => {})
      },
    },
  })
  void endOf({ ...clock, until: (promise) => promise }, running).then((reached) => {
    end = reached
  })
  for (;;) {
    await settled()
    if (end !== undefined || (inFlight === 0 && open.size > 0)) break
    if (!(await clock.next())) throw new Error('The run waits for something other than a tool, a sleep or a person.')
  }
  return { end, open: [...open.values()], entries: [...journal.entries] }
}
