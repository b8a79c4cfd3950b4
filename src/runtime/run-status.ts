import { isRecord, type JsonSchema } from '../schema/json-schema.ts'
import { excerpt } from '../schema/quote.ts'
import type { StandardSchema } from '../schema/standard-schema.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import type { PendingRun } from '../tool/result/pending-run.ts'
import type { FailureDetails } from '../tool/result/result.ts'
import { failure, type ReturnedFailure, type ReturnedSuccess } from '../tool/result/returned.ts'
import { tool } from '../tool/tool.ts'
import type { Runtime } from './create-runtime.ts'
import { RUN_STATUS } from './run-status-name.ts'

/** The input of `run_status`. */
export interface RunStatusInput {
  /** The id from the receipt. */
  readonly run: string
  /** How many seconds to wait for the end, at most 25; none by default. */
  readonly wait?: number | undefined
}

/** The output of `run_status`: what the run waits for, or how it ended. */
export type RunStatusOutput =
  | (PendingRun & { readonly status: 'pending' })
  | {
      readonly run: string
      readonly tool: string
      readonly server?: string | undefined
      readonly status: 'completed'
      readonly value: unknown
    }
  | {
      readonly run: string
      readonly tool: string
      /** The MCP server that says so, where no receipt here has named the run. */
      readonly server?: string | undefined
      readonly status: 'failed' | 'cancelled' | 'stopped'
      readonly error: FailureDetails | { readonly message: string }
    }

const LONGEST_WAIT_S = 25

const PARAMETERS: JsonSchema = {
  type: 'object',
  properties: {
    run: { type: 'string', description: 'The id of the run, from the answer of the tool' },
    wait: { type: 'number', minimum: 0, maximum: LONGEST_WAIT_S, description: 'How many seconds to wait for its end; 0 by default' },
  },
  required: ['run'],
}

const TEXT: JsonSchema = { type: 'string' }

/** Of all its forms together, since clients want one object: which fields are there follows from `status`. */
const TOLD: JsonSchema = {
  type: 'object',
  properties: {
    run: { ...TEXT, description: 'The id of the run' },
    tool: { ...TEXT, description: 'The tool that was called' },
    server: { ...TEXT, description: 'The MCP server that says so, if it is a run there' },
    status: { type: 'string', enum: ['pending', 'completed', 'failed', 'cancelled', 'stopped'] },
    value: { description: 'The output of the tool, if it has completed' },
    error: {
      type: 'object',
      properties: { code: TEXT, message: TEXT, hint: TEXT },
      required: ['message'],
      description: 'Why it ended without an output',
    },
    waitsFor: { type: 'string', enum: ['person', 'time', 'worker', 'work', 'blocked'], description: 'If it is pending' },
    requests: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id: TEXT,
          kind: { type: 'string', enum: ['approval', 'question'] },
          tool: TEXT,
          why: TEXT,
          input: {},
          risk: TEXT,
          command: TEXT,
          approvals: {
            type: 'object',
            properties: { needed: { type: 'number' }, given: { type: 'number' } },
            description: 'If several people must decide alike',
          },
        },
        required: ['id', 'kind', 'tool', 'why', 'command'],
      },
      description: 'What people are asked, if it waits for them',
    },
    wakeAt: { type: 'number', description: 'When it goes on, in milliseconds since the epoch, if it waits for a time' },
    problem: { ...TEXT, description: 'Why it is blocked' },
  },
  required: ['run', 'tool', 'status'],
}

const OUTPUT: StandardSchema<RunStatusOutput> = {
  '~standard': {
    version: 1,
    vendor: 'toolwright',
    // It is made here.
    validate: (value) => ({ value: value as RunStatusOutput }),
    jsonSchema: { input: () => structuredClone(TOLD), output: () => structuredClone(TOLD) },
  },
}

/** Written by hand, since the root of the package loads no library of schemas. */
const INPUT: StandardSchema<RunStatusInput> = {
  '~standard': {
    version: 1,
    vendor: 'toolwright',
    validate: (value) => {
      const { run, wait } = isRecord(value) ? value : {}
      if (typeof run !== 'string') return { issues: [{ message: 'expected a text', path: ['run'] }] }
      if (wait === undefined || wait === null) return { value: { run } }
      const fits = typeof wait === 'number' && wait >= 0 && wait <= LONGEST_WAIT_S
      return fits ? { value: { run, wait } } : { issues: [{ message: `expected a number from 0 to ${LONGEST_WAIT_S}`, path: ['wait'] }] }
    },
    jsonSchema: { input: () => structuredClone(PARAMETERS), output: () => structuredClone(PARAMETERS) },
  },
}

/**
 * Makes the tool `run_status`, by which a model asks about the durable runs of its own calls. A run of another principal or session is unknown
 * to it. Bridges add it by themselves.
 * @example
 * const runtime = createRuntime({ tools: [issueRefund], database: {} })
 * const tools = [durable(issueRefund, runtime), runStatus(runtime)]
 * console.log(tools.map(({ name }) => name)) // [ 'issue_refund', 'run_status' ]
 */
export function runStatus(runtime: Runtime): AgentTool<RunStatusInput, RunStatusOutput> {
  return runStatusOf([runtime])
}

interface StatusSources {
  /** Tells clients of a server apart. */
  readonly client?: string | undefined
  /** The `run_status` of other servers, whose tools are served again here: they know the runs that are not found here. */
  readonly upstream?: readonly AgentTool[] | undefined
}

/** The same for several runtimes. */
export function runStatusOf(
  runtimes: readonly Runtime[],
  { client, upstream = [] }: StatusSources = {},
): AgentTool<RunStatusInput, RunStatusOutput> {
  const made = tool({
    name: RUN_STATUS,
    title: 'Status of a run',
    description: `Tells how a call goes on that did not end at once: what it waits for, or its result. The input is the id of the run, which the answer of the tool names. Do not ask more often than once in a while; with 'wait' it waits for the end, or until a person is asked something new.`,
    inputSchema: INPUT,
    outputSchema: OUTPUT,
    effect: 'read',
    execute: async ({ run: id, wait = 0 }, context): Promise<ReturnedSuccess<RunStatusOutput> | ReturnedFailure> => {
      const { toldOfRun } = await import('./told-run.ts')
      for (const runtime of runtimes) {
        const told = await toldOfRun(runtime, id, { context, wait, client })
        if (told !== undefined) return told
      }
      const { askedUpstream } = await import('./asked-upstream.ts')
      const elsewhere = await askedUpstream(upstream, { id, wait, context })
      if (elsewhere !== undefined) return elsewhere
      return failure(`There is no run '${excerpt(id, 64)}' of yours.`, {
        code: 'not_found',
        hint: 'Use the id from the answer of the tool that you called. Runs that ended long ago may have been removed.',
      })
    },
  })
  statusTools.add(made)
  return made
}

const statusTools = new WeakSet<AgentTool>()

/** Whether `runStatus` made this tool. */
export function isRunStatus(given: AgentTool): boolean {
  return statusTools.has(given)
}
