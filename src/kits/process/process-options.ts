import type { Duration } from '../../tool/duration.ts'
import type { Metadata } from '../../tool/metadata.ts'
import { METADATA_NAMES } from '../../tool/metadata.ts'
import type { ParsedOf } from '../../tool/tool.ts'
import type { RequireApproval } from '../../tool/approval-rule.ts'
import { optionNames } from '../../tool/option-names.ts'
import type { Argv } from './argv.ts'
import type { ProcessEnvironment } from './child-environment.ts'
import type { ExitCodes } from './exit-codes.ts'
import type { ProcessLimits } from './process-limits.ts'
import type { RootedCwd } from './working-folder.ts'

/** The options of `processTool`. */
export interface ProcessToolOptions<S, OS, N extends string = string> extends Metadata {
  /** Letters, digits and `_`, 1 to 64. */
  readonly name: N
  /** Says what it does and when to use it: the model chooses by this. */
  readonly description: string
  /** The program: a name that is looked up in `PATH`, or a path. There is no shell. */
  readonly command: string
  /** Its arguments: a list that you wrote, or a function that makes them of the input by the template `argv`. */
  readonly args?: readonly string[] | ((input: ParsedOf<S>) => Argv) | undefined
  /** Without one, the tool takes a string. */
  readonly inputSchema?: S
  /** The output is then JSON that fits it. */
  readonly outputSchema?: OS
  /** What the program reads: the text of a string tool, the input as JSON, nothing, or a text that a function makes of the input. By default the text of a string tool, else nothing. */
  readonly stdin?: 'text' | 'json' | 'none' | ((input: ParsedOf<S>) => string) | undefined
  /** How its output is read; `json` by default if there is an output schema. */
  readonly stdout?: 'text' | 'json' | undefined
  /** The working folder, or a folder under a root that the input chooses. By default the one of this process. */
  readonly cwd?: string | RootedCwd<ParsedOf<S>> | undefined
  /** Nothing but `PATH` is in its environment by default. */
  readonly env?: ProcessEnvironment | undefined
  /** What exit codes mean; only `0` is a success by default. */
  readonly exitCodes?: ExitCodes | undefined
  readonly limits?: ProcessLimits | undefined
  /** The program is ended after this time, and the failure says what it wrote until then. The deadline of the call holds as well. */
  readonly timeout?: Duration | undefined
  /** Reports each line of the error output as progress. */
  readonly progress?: 'stderr' | undefined
  /** A person sees the command before it runs; `true` by default. */
  readonly requireApproval?: RequireApproval<ParsedOf<S>> | undefined
}

/** The output of a program that writes text. */
export interface ProcessOutput {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
  /** Bytes that were left out in the middle of `stdout`; 0 where it is whole. */
  readonly droppedBytes: number
}

export const OUTPUT_SCHEMA = {
  type: 'object',
  properties: {
    stdout: { type: 'string' },
    stderr: { type: 'string' },
    exitCode: { type: 'integer' },
    droppedBytes: { type: 'integer', description: 'Bytes that were left out in the middle of stdout.' },
  },
  required: ['stdout', 'stderr', 'exitCode', 'droppedBytes'],
} as const

export const OPTION_NAMES = optionNames<ProcessToolOptions<unknown, unknown>>({
  ...METADATA_NAMES,
  name: true,
  description: true,
  command: true,
  args: true,
  inputSchema: true,
  outputSchema: true,
  stdin: true,
  stdout: true,
  cwd: true,
  env: true,
  exitCodes: true,
  limits: true,
  timeout: true,
  progress: true,
  requireApproval: true,
})
