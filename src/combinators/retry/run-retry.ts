import type { AgentTool } from '../../tool/agent-tool.ts'
import { mayRepeat } from '../../tool/metadata.ts'
import { withAttempts, withIssue } from '../../tool/result/amendments.ts'
import type { SettledResult } from '../../tool/result/settled.ts'
import { NOT_SAFE, type Waits } from '../../tool/retry-rules.ts'
import { type Attempted, attempts, type AttemptsEnd } from '../../tool/seam/attempts.ts'
import { partsOf } from '../../tool/seam/parts.ts'
import { type KnownPart, Sequence } from '../../tool/seam/sequence.ts'
import { isRecorded, type Whole } from '../../tool/seam/whole.ts'

export const LABEL = 'attempt'

export interface RetryPlan {
  readonly tool: AgentTool
  readonly part: KnownPart
  readonly backoff: Waits
  readonly mayRetry: Attempted['mayRetry']
}

export function runRetry(plan: RetryPlan, input: unknown, whole: Whole): unknown {
  if (!isRecorded(whole)) return new RetryRun(plan, whole).begin(input)
  return attempts(whole, { label: LABEL, ...plan, input }).then((end) => resultOf(plan, end))
}

/** Without a record the first attempt needs no promise: a success costs little more than the tool. */
class RetryRun extends Sequence {
  readonly #plan: RetryPlan
  #input: unknown

  constructor(plan: RetryPlan, whole: Whole) {
    super(whole)
    this.#plan = plan
  }

  begin(input: unknown): unknown {
    this.#input = input
    return this.startWith(this.#plan.part, input)
  }

  partEnded(result: SettledResult): void {
    if (result.ok) this.end(result)
    else void this.#goOn(result)
  }

  async #goOn(result: SettledResult): Promise<void> {
    const plan = this.#plan
    try {
      const first = { part: partsOf(this.whole)[0], result, fatal: undefined }
      this.end(resultOf(plan, await attempts(this.whole, { label: LABEL, ...plan, input: this.#input, first })))
    } catch (error) {
      this.fail(error)
    }
  }
}

function resultOf({ tool, backoff }: RetryPlan, { result, tried, fatal, attempts: count }: AttemptsEnd): SettledResult {
  if (fatal !== undefined) throw fatal.thrown
  const told = withAttempts(result, tried)
  if (told.ok || told.error.outcome !== 'unknown' || !told.error.retryable || mayRepeat(tool) || count === backoff.attempts) return told
  return withIssue(told, { severity: 'warning', message: NOT_SAFE })
}
