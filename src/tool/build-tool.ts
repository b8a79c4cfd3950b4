import { frozen } from '../schema/frozen.ts'
import { quote } from '../schema/quote.ts'
import type { StandardResult, StandardSchema } from '../schema/standard-schema.ts'
import { type AgentTool, type ExecuteOptions, TOOL, type ToolSpecification } from './agent-tool.ts'
import { Behaving, type Behaviour, behaviourFrom, type GivenBehaviour } from './behaviour.ts'
import { callRoot } from './engine/call-root.ts'
import type { CallOptions } from './context.ts'
import { ConfigurationError } from './errors/configuration-error.ts'
import { isToolError } from './errors/tool-error.ts'
import { ToolExecutionError } from './errors/tool-execution-error.ts'
import { checkName, checkVersion, LONGEST_TITLE } from './identity.ts'
import { ModelArguments } from './input/arguments.ts'
import type { InputPort } from './input/input-port.ts'
import { type Effect, type Estimates, type Idempotent, isEffect, type Metadata } from './metadata.ts'
import { failureMessage } from './result/failure-details.ts'
import { printable } from './printable.ts'
import type { ToolResult } from './result/result.ts'
import { CALL_OPTION_NAMES } from './shared-option-names.ts'

export interface Parts extends Metadata {
  readonly name: string
  readonly description: string
  readonly behaviour: GivenBehaviour
}

const SPECIFY: unique symbol = Symbol('specify')

interface Specified {
  readonly [SPECIFY]: () => ToolSpecification
}

/** One getter for all tools: with a getter of its own, each tool would have a shape of its own, and reading any of its fields would be slow. */
const SPECIFICATION: PropertyDescriptor & ThisType<Specified> = {
  enumerable: true,
  get() {
    return this[SPECIFY]()
  },
}

/** The noun itself: what every factory and every combinator returns. */
class BuiltTool extends Behaving implements AgentTool<unknown, unknown> {
  readonly [TOOL] = true
  readonly name: string
  readonly version: string
  readonly title: string | undefined
  readonly description: string
  readonly effect: Effect
  readonly idempotent: Idempotent
  readonly permissions: readonly string[]
  readonly estimates: Estimates
  readonly source: string | undefined
  readonly tags: readonly string[]
  readonly inputSchema: StandardSchema
  readonly call: (input: unknown, options?: CallOptions) => Promise<ToolResult>
  readonly execute: (input: unknown, options?: ExecuteOptions) => Promise<unknown>
  readonly plan: () => Behaviour['plan']
  /** An own property, so that a copy made by spreading has it too; made when it is read. */
  declare readonly specification: ToolSpecification

  constructor(parts: Parts, behaviour: Behaviour) {
    super(behaviour)
    this.name = parts.name
    this.version = parts.version ?? '0.0.0'
    this.title = parts.title
    this.description = parts.description
    this.effect = parts.effect ?? 'irreversible'
    this.idempotent = parts.idempotent ?? false
    this.permissions = Object.freeze([...(parts.permissions ?? [])])
    this.estimates = Object.freeze({ ...parts.estimates })
    this.source = parts.source
    this.tags = Object.freeze([...(parts.tags ?? [])])
    this.inputSchema = edgeSchema(behaviour.input, parts.name)
    let specification: ToolSpecification | undefined
    const specify: Specified[typeof SPECIFY] = () => (specification ??= specificationOf(this, behaviour))
    Object.defineProperties(this, { specification: SPECIFICATION, [SPECIFY]: { value: specify } })
    const declared = frozen(behaviour.plan)
    const plan: this['plan'] = () => declared
    const call: this['call'] = (input, options) => callRoot(this, behaviour, input, options ?? undefined)
    const execute: this['execute'] = (input, options) => executeForPeer(call, input, options)
    this.plan = plan
    this.call = call
    this.execute = execute
    Object.freeze(this)
  }
}

function specificationOf({ name, description }: AgentTool, { input, output, describesOutput = output }: Behaviour): ToolSpecification {
  return frozen({
    name,
    description,
    parameters: input.parameters,
    ...(describesOutput === undefined ? {} : { outputSchema: describesOutput.output }),
  })
}

/** Checks what a definition says and builds the tool. The caller knows its types. */
export function buildTool<I, O, N extends string>(parts: Parts): AgentTool<I, O, N> {
  checkName(parts.name)
  if (typeof parts.description !== 'string' || parts.description.trim() === '') {
    throw new ConfigurationError(
      'invalid_definition',
      `Tool '${parts.name}' needs a description that says what it does and when to use it.`,
    )
  }
  if (parts.title !== undefined && !isTitle(parts.title)) {
    throw new ConfigurationError(
      'invalid_definition',
      `The title of tool '${parts.name}' must be a text of one line and at most ${LONGEST_TITLE} characters, not ${quote(parts.title)}.`,
    )
  }
  if (parts.version !== undefined) checkVersion(parts.version, parts.name)
  if (parts.effect !== undefined && !isEffect(parts.effect)) {
    throw new ConfigurationError(
      'invalid_definition',
      `The effect of tool '${parts.name}' must be 'read', 'write' or 'irreversible', not ${JSON.stringify(parts.effect)}.`,
    )
  }
  if (parts.idempotent !== undefined && ![true, false, 'keyed'].includes(parts.idempotent)) {
    throw new ConfigurationError(
      'invalid_definition',
      `idempotent of tool '${parts.name}' must be true, false or 'keyed', not ${JSON.stringify(parts.idempotent)}.`,
    )
  }
  for (const list of ['permissions', 'tags'] as const) {
    const given: unknown = parts[list]
    if (given !== undefined && !(Array.isArray(given) && given.every((each) => typeof each === 'string'))) {
      throw new ConfigurationError(
        'invalid_definition',
        `The ${list} of tool '${parts.name}' must be a list of texts, not ${JSON.stringify(given)}.`,
      )
    }
  }
  return new BuiltTool(parts, behaviourFrom(parts.behaviour, parts.permissions ?? [])) as AgentTool<I, O> as AgentTool<I, O, N>
}

/** People read it beside other titles: it must not look like several lines, or like nothing. */
function isTitle(given: unknown): boolean {
  return typeof given === 'string' && given.trim() !== '' && given.length <= LONGEST_TITLE && printable(given) === given
}

async function executeForPeer(call: BuiltTool['call'], input: unknown, options: ExecuteOptions = {}): Promise<unknown> {
  const { abortSignal } = options
  // A peer passes options of its own too.
  const own: CallOptions = Object.fromEntries(Object.entries(options).filter(([name]) => CALL_OPTION_NAMES.has(name)))
  const signal = own.signal ?? abortSignal
  const result = await call(ModelArguments.ofValue(input), signal === undefined ? own : { ...own, signal })
  if (result.ok) return result.value
  throw new ToolExecutionError(`${failureMessage(result.error)} ${result.error.hint}`, result, result.error.cause)
}

/** Lets peers validate the arguments of a model. The value passes unchanged: the door parses it. */
function edgeSchema(input: InputPort, toolName: string): StandardSchema {
  const judge = async (value: unknown): Promise<StandardResult<unknown>> => {
    try {
      await input.accept(input.unwrap(ModelArguments.ofValue(value), toolName), toolName)
      return { value }
    } catch (error) {
      if (!isToolError(error)) throw error
      return { issues: [{ message: error.message }] }
    }
  }
  // A copy for each peer, because peers change it.
  const describe = (): Record<string, unknown> => structuredClone(input.parameters)
  return frozen({ '~standard': { version: 1, vendor: 'toolwright', validate: judge, jsonSchema: { input: describe, output: describe } } })
}
