import { createTrace } from '../../telemetry/trace.ts'
import { type Duration, toMilliseconds } from '../../tool/duration.ts'
import { callInput } from '../call-input.ts'
import { callPrincipal, type GivenPrincipal } from '../call-principal.ts'
import { callReview, checkReviewFlags, type GivenReview } from '../call-review.ts'
import type { Command, CommonOptions } from '../command-request.ts'
import { EXIT } from '../exit-code.ts'
import { Interruption } from '../interruption.ts'
import { liveProgress, plainProgress } from '../progress-display.ts'
import { printResult } from '../print-result.ts'
import { sharedOptions } from '../shared-options.ts'
import { openWorkspace, pickTool } from '../workspace.ts'

interface CallCommandOptions extends CommonOptions, GivenPrincipal, GivenReview {
  readonly input?: string | undefined
  readonly deadline?: Duration | undefined
  readonly progress?: boolean | undefined
  readonly trace?: boolean | undefined
}

/** `toolwright call <tool>`: calls it once, shows what it does and prints what it gives. */
export const call: Command<CallCommandOptions> = async ({ words: [name = '', ...words], options, output }) => {
  checkReviewFlags(options)
  const deadline = options.deadline === undefined ? undefined : toMilliseconds(options.deadline, '--deadline')
  const workspace = await openWorkspace(options)
  const tool = pickTool(workspace, name)
  const shared = sharedOptions(workspace.config)
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
