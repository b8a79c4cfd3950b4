import type { AnySchema, SchemaOutput } from '../../schema/schema-types.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { checkChoice, checkOptions } from '../../tool/check-given.ts'
import { toMilliseconds } from '../../tool/duration.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { checkOptionNames } from '../../tool/option-names.ts'
import { type InputOf, tool } from '../../tool/tool.ts'
import { approvalWithPreview } from './approval-with-preview.ts'
import { checkEnvironment } from './child-environment.ts'
import { makeCommandLine } from './command-line.ts'
import { checkExitCodes } from './exit-codes.ts'
import { programOf } from './find-program.ts'
import { checkLimits } from './process-limits.ts'
import { OPTION_NAMES, OUTPUT_SCHEMA, type ProcessOutput, type ProcessToolOptions } from './process-options.ts'
import { processCall } from './process-call.ts'
import { rehearsed } from './rehearsed.ts'
import { workingFolder } from './working-folder.ts'

/** The output of a process tool: of the output schema, where there is one. */
export type ProcessOutputOf<OS, J> = OS extends undefined ? (J extends 'json' ? unknown : ProcessOutput) : SchemaOutput<OS>

/**
 * Makes a tool of a program. No shell is involved; a person sees the command before it runs, unless `requireApproval` says otherwise; the effect counts as
 * irreversible unless `effect` says otherwise; when the call ends, all that the program started ends too.
 * @example
 * const countWords = processTool({
 *   name: 'count_words', description: 'Counts the words of a text.', command: 'wc', args: ['-w'], effect: 'read', requireApproval: false,
 * })
 * const { text } = await countWords.call('one two three')
 * console.log(text.trim()) // 3
 */
export function processTool<
  const S extends AnySchema | undefined = undefined,
  const OS extends AnySchema | undefined = undefined,
  const J extends 'text' | 'json' | undefined = undefined,
  N extends string = string,
>(options: ProcessToolOptions<S, OS, N> & { readonly stdout?: J }): AgentTool<InputOf<S>, ProcessOutputOf<OS, J>, N> {
  checkOptions(options, 'The options of processTool')
  checkOptionNames(options, OPTION_NAMES, 'The options of processTool')
  const {
    name,
    command,
    args,
    inputSchema,
    outputSchema,
    stdin,
    stdout,
    cwd,
    env,
    exitCodes,
    limits,
    timeout,
    progress,
    requireApproval,
    ...rest
  } = options as ProcessToolOptions<AnySchema | undefined, AnySchema | undefined>
  const whose = `the process tool '${name}'`
  checkChoice(stdout, ['text', 'json'], `'stdout' of ${whose}`)
  if (progress !== undefined && progress !== 'stderr')
    throw new ConfigurationError('invalid_option', `'progress' of ${whose} must be 'stderr'.`)
  if (stdout === 'text' && outputSchema !== undefined)
    throw new ConfigurationError('invalid_option', `An outputSchema needs JSON: leave out 'stdout' of ${whose}, or say 'json'.`)
  const isJson = stdout === 'json' || outputSchema !== undefined
  const { effect = 'irreversible' } = rest
  const bounds = checkLimits(limits, isJson, whose)
  const made = {
    program: programOf(command, whose),
    make: makeCommandLine({ args, stdin, isTyped: inputSchema !== undefined, limits: bounds, whose }),
    folder: workingFolder(cwd, whose),
    environment: checkEnvironment(env, whose),
    meanings: checkExitCodes(exitCodes, whose),
    limits: bounds,
    timeoutMs: timeout === undefined ? undefined : toMilliseconds(timeout, `'timeout' of ${whose}`),
    isJson,
    readsOnly: effect === 'read',
    tellsProgress: progress === 'stderr',
  }
  const runner = tool({
    tags: ['process'],
    ...rest,
    name,
    effect,
    ...(inputSchema === undefined ? {} : { inputSchema }),
    ...(isJson ? (outputSchema === undefined ? {} : { outputSchema }) : { outputSchema: OUTPUT_SCHEMA }),
    requireApproval: approvalWithPreview(requireApproval, { name, inputSchema, ...made }),
    execute: (input: unknown, context) => processCall(made, input, context),
  })
  return rehearsed(runner, made.make) as unknown as AgentTool<InputOf<S>, ProcessOutputOf<OS, J>, N>
}
