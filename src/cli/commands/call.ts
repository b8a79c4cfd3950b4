import { autoReview } from '../../review/auto-review.ts'
import { consoleReview } from '../../review/console-review.ts'
import { createTrace } from '../../telemetry/trace.ts'
import { type Duration, toMilliseconds } from '../../tool/duration.ts'
import type { ReviewHandler } from '../../tool/review.ts'
import { callInput } from '../call-input.ts'
import { callPrincipal, type GivenPrincipal } from '../call-principal.ts'
import { CliError } from '../cli-error.ts'
import type { Command, CommonOptions } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { Interruption } from '../interruption.ts'
import { printResult } from '../print-result.ts'
import { liveProgress, plainProgress } from '../progress-display.ts'
import { callOptions, openWorkspace, pickTool } from '../workspace.ts'

interface CallCommandOptions extends CommonOptions, GivenPrincipal, GivenReview {
  readonly input?: string | undefined
  readonly deadline?: Duration | undefined
  readonly progress?: boolean | undefined
  readonly trace?: boolean | undefined
}

/** `toolwright call <tool>`: calls it once, shows its progress and prints its result. */
export const call: Command<CallCommandOptions> = async ({ words: [name = '', ...words], options, output }) => {
  checkReviewFlags(options)
  const deadline = options.deadline === undefined ? undefined : toMilliseconds(options.deadline, '--deadline')
  const workspace = await openWorkspace(options, output)
  const tool = pickTool(workspace, name)
  const shared = callOptions(workspace.config)
  const input = await callInput(tool, { input: options.input, words })
  const interruption = new Interruption(output)
  const trace = createTrace()
  const progress = process.stderr.isTTY ? liveProgress(output) : options.progress === true ? plainProgress(output) : undefined
  const calling = workspace.tools.call(tool.name, input, {
    ...shared,
    deadline: deadline ?? shared.deadline,
    principal: callPrincipal(options, shared.principal),
    review: callReview(options, shared.review),
    signal: interruption.signal,
    on: [...shared.on, trace, ...(progress === undefined ? [] : [progress])],
  })
  const result = await Promise.race([calling, interruption.overdue]).finally(() => progress?.end())
  if (options.trace === true || interruption.code !== undefined) {
    output.note(trace.draw({ width: process.stderr.columns, colors: output.paintNote('red', 'x') !== 'x' }))
  }
  if (result === undefined) output.note('The call did not stop in time.')
  else printResult(tool, result, { output, trace: options.trace === true ? trace : undefined })
  if (interruption.code !== undefined) {
    await interruption.cleanUp()
    return interruption.code
  }
  return result?.ok === true ? EXIT.ok : EXIT.failed
}

interface GivenReview {
  readonly yes?: boolean | undefined
  readonly noInput?: boolean | undefined
  readonly ask?: boolean | undefined
}

/** --yes and --no-input contradict each other. */
function checkReviewFlags({ yes = false, noInput = false }: GivenReview): void {
  if (yes && noInput)
    throw new CliError('usage', '--yes and --no-input exclude each other.', {
      hint: '--yes approves whatever asks, --no-input rejects it.',
    })
}

/** Who decides: the flags first, then the configured reviewer, then the person at the terminal. Without any of them, the request is rejected. */
function callReview({ yes = false, noInput = false, ask = false }: GivenReview, configured: ReviewHandler | undefined): ReviewHandler {
  if (yes) return autoReview()
  if (noInput) return rejecting('Nobody was asked, because of --no-input.')
  if (ask) return consoleReview()
  if (configured !== undefined) return configured
  if (process.stdin.isTTY && process.stderr.isTTY) return consoleReview()
  return rejecting('Nobody can be asked: this is no terminal. Run it in one, or approve with --yes.', NO_ANSWER)
}

const NO_ANSWER =
  'Nobody can be asked: this is no terminal, and --yes answers no question. Run it in one, or start it with toolwright run: it waits for toolwright approve <request> --answer <json>.'

/** A question cannot be answered by a flag. */
function rejecting(reason: string, ofQuestion = reason): ReviewHandler {
  return autoReview(({ kind }) => ({
    action: 'reject',
    cause: 'unreachable',
    by: 'cli',
    reason: kind === 'question' ? ofQuestion : reason,
  }))
}
