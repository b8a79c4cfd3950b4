import type { StandardSchema } from '../../schema/standard-schema.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { compound } from '../../tool/compound.ts'
import { type Duration, toMilliseconds } from '../../tool/duration.ts'
import { ExitEarly } from '../../tool/errors/exit-early.ts'
import { isToolError } from '../../tool/errors/tool-error.ts'
import { success } from '../../tool/result/returned.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'

/** The options of `humanInput`. */
export interface HumanInputOptions {
  /** How long to wait for the answer; by default as long as the review handler says. */
  readonly timeout?: Duration | undefined
  /** `stop` by default; after `continue` the agent reads that nobody is available. */
  readonly onTimeout?: 'stop' | 'continue' | undefined
  /** The text for the agent when there is nobody to ask. */
  readonly unavailable?: string | undefined
}

const NAMES = optionNames<HumanInputOptions>({ timeout: true, onTimeout: true, unavailable: true })

const UNAVAILABLE = 'No person is available to answer. Proceed without an answer, on your best judgement, and say what you assumed.'

const TEXT: StandardSchema<string> = {
  '~standard': {
    version: 1,
    vendor: 'toolwright',
    validate: (value) => (typeof value === 'string' ? { value } : { issues: [{ message: 'expected a text' }] }),
    jsonSchema: { input: () => ({ type: 'string' }), output: () => ({ type: 'string' }) },
  },
}

/**
 * Makes the tool `human_input`, by which an agent asks a person. The input is the question, the output the answer.
 * Without a reviewer it returns the text `unavailable`, and the agent continues. A rejection stops the run, and so does a time-out, unless `onTimeout` is `continue`.
 * @example
 * const runtime = createRuntime({ tools: [humanInput({ timeout: '10m' })], review: consoleReview() })
 */
export function humanInput(options: HumanInputOptions = {}): AgentTool<string, string> {
  checkOptionNames(options, NAMES, 'The options of humanInput')
  const { timeout, onTimeout = 'stop', unavailable = UNAVAILABLE } = options
  const timing = timeout === undefined ? {} : { timeout: toMilliseconds(timeout, 'The timeout of human_input') }
  return compound({
    name: 'human_input',
    description:
      'Asks a person a question and gives their answer. Use it when only a person can know or decide. The input is the question.',
    effect: 'read',
    tags: ['human'],
    parts: {},
    async run(question, context) {
      try {
        const answer = await context.ask({ question, answerSchema: TEXT, onTimeout, ...timing })
        return success(
          answer ?? unavailable,
          answer === undefined ? { issues: [{ severity: 'warning', message: 'Nobody answered.' }] } : {},
        )
      } catch (error) {
        if (!isToolError(error) || error.class !== 'rejected') throw error
        const isUndecided = error.code !== 'rejected'
        throw new ExitEarly(context.tool, isUndecided ? `${error.message} ${error.hint}` : error.message, { isUndecided })
      }
    },
  })
}
