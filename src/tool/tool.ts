import type { AnySchema, SchemaInput, SchemaOutput } from '../schema/schema-types.ts'
import type { AgentTool } from './agent-tool.ts'
import { approvalRule, type RequireApproval } from './approval-rule.ts'
import { buildTool } from './build-tool.ts'
import { checkOptions } from './check-given.ts'
import type { ToolContext } from './context.ts'
import { contractOf } from './contract.ts'
import { toMilliseconds } from './duration.ts'
import { ConfigurationError } from './errors/configuration-error.ts'
import { checkName } from './identity.ts'
import { stringInput } from './input/string-input.ts'
import { TypedInput } from './input/typed-input.ts'
import { checkEstimates, type Metadata, METADATA_NAMES } from './metadata.ts'
import { checkOptionNames, optionNames } from './option-names.ts'
import { gatedBy, leafPlan } from './plan-node.ts'
import type { ToolFailure, ToolSuccess } from './result/result.ts'
import type { ReturnedFailure, ReturnedSuccess } from './result/returned.ts'
import type { Service, ServicesOf } from './service.ts'

/** The input of a tool with this input schema; a string without one. */
export type InputOf<S> = S extends undefined ? string : SchemaInput<S>

/** The validated input of the tool's function. */
export type ParsedOf<S> = S extends undefined ? string : SchemaOutput<S>

/** The return values of a tool's function for a value of type `V`. */
export type Returns<V> = V | ReturnedSuccess<V> | ReturnedFailure | ToolSuccess<V> | ToolFailure

/** The value inside the return value of a tool's function. */
export type ValueOf<R> =
  Awaited<R> extends infer A
    ? A extends AsyncGenerator<unknown, infer T> | Generator<unknown, infer T>
      ? ValueOf<T>
      : A extends ReturnedSuccess<infer V>
        ? V
        : A extends ToolSuccess<infer V>
          ? V
          : A extends ReturnedFailure | ToolFailure
            ? never
            : A
    : never

/** The output type: of the output schema, where there is one, else of what `execute` gives. */
export type OutputOf<OS, R> = OS extends undefined ? ValueOf<R> : SchemaOutput<OS>

/** The type that `execute` must return: the input of the output schema, if there is one. */
export type Promised<OS> = OS extends undefined
  ? unknown
  :
      | Returns<SchemaInput<OS>>
      | Promise<Returns<SchemaInput<OS>>>
      | AsyncGenerator<unknown, Returns<SchemaInput<OS>>>
      | Generator<unknown, Returns<SchemaInput<OS>>>

/** The services that a tool declares, by the names under which it gets them. */
export type DeclaredServices = Readonly<Record<string, Service<unknown>>>

/** What `tool` makes a tool of. */
export interface ToolDefinition<S, OS, D, R, N extends string = string> extends Metadata {
  /** Letters, digits and `_`, 1 to 64. */
  readonly name: N
  /** Says what it does and when to use it: the model chooses by this. */
  readonly description: string
  /** Without one, the tool takes a string. */
  readonly inputSchema?: S
  /** Checked on every execution. */
  readonly outputSchema?: OS
  /** The services that the tool needs from the runtime: `{ db: service<Pool>() }`. */
  readonly services?: D
  /** A person is asked before every call, or when the predicate says so. */
  readonly requireApproval?: RequireApproval<ParsedOf<S>> | undefined
  readonly execute: (input: ParsedOf<S>, context: ToolContext<ServicesOf<D>>) => R
}

const NAMES = optionNames<ToolDefinition<unknown, unknown, unknown, unknown>>({
  ...METADATA_NAMES,
  name: true,
  description: true,
  inputSchema: true,
  outputSchema: true,
  services: true,
  requireApproval: true,
  execute: true,
})

/**
 * Makes a tool.
 * @example
 * const greet = tool({
 *   name: 'greet',
 *   description: 'Greets a person by name.',
 *   inputSchema: z.object({ name: z.string() }),
 *   effect: 'read',
 *   execute: ({ name }) => `Hello, ${name}!`,
 * })
 * const result = await greet.call({ name: 'Ada' }) // result.text === 'Hello, Ada!'
 */
export function tool<
  const S extends AnySchema | undefined = undefined,
  const OS extends AnySchema | undefined = undefined,
  D extends DeclaredServices = Readonly<Record<never, never>>,
  R extends Promised<OS> = Promised<OS>,
  N extends string = string,
>(definition: ToolDefinition<S, OS, D, R, N>): AgentTool<InputOf<S>, OutputOf<OS, R>, N> {
  checkOptions(definition, 'The definition of a tool')
  checkOptionNames(definition, NAMES, 'The fields of a tool')
  const { name, inputSchema, outputSchema, services, requireApproval, execute, deadline } = definition
  checkName(name)
  if (typeof execute !== 'function') throw new ConfigurationError('invalid_definition', `Tool '${name}' needs a function execute.`)
  checkEstimates(definition.estimates, `tool '${name}'`)
  const estimates = Object.freeze({ ...definition.estimates })
  const approval = approvalRule(requireApproval, name)
  return buildTool({
    ...definition,
    behaviour: {
      plan: leafPlan({ ...gatedBy(approval), figures: () => estimates }),
      layer: undefined,
      input: inputSchema === undefined ? stringInput : new TypedInput(contractOf(inputSchema, `The inputSchema of tool '${name}'`)),
      forwardsInput: false,
      output: outputSchema === undefined ? undefined : contractOf(outputSchema, `The outputSchema of tool '${name}'`),
      approval,
      services,
      deadlineMs: deadline === undefined ? undefined : toMilliseconds(deadline, `The deadline of tool '${name}'`),
      parts: undefined,
      run: execute as (input: unknown, context: unknown) => unknown,
    },
  })
}
