import { distinctSchemas } from '../../schema/combine-schemas.ts'
import { type JsonSchema, someSubschema } from '../../schema/json-schema.ts'
import { privateCopy } from '../../schema/private-copy.ts'
import type { AnySchema } from '../../schema/schema-types.ts'
import type { StandardResult } from '../../schema/standard-schema.ts'
import { acceptApart } from '../../tool/accepted-input.ts'
import { adapt } from '../../tool/adapt.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { behaviourOf } from '../../tool/behaviour.ts'
import { combinator } from '../../tool/combinator.ts'
import { type Contract, contractOf } from '../../tool/contract.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { isToolError } from '../../tool/errors/tool-error.ts'
import { oneOf } from '../../tool/figures.ts'
import type { InputPort } from '../../tool/input/input-port.ts'
import { TypedInput } from '../../tool/input/typed-input.ts'
import { type Metadata, METADATA_NAMES } from '../../tool/metadata.ts'
import type { PlanPart } from '../../tool/plan-node.ts'
import { ReturnedFailure } from '../../tool/result/returned.ts'
import type { SettledResult } from '../../tool/result/settled.ts'
import { callPart } from '../../tool/seam/parts.ts'
import type { Whole } from '../../tool/seam/whole.ts'
import type { LabelledRoute } from './labelled-route.ts'

/** The options of the whole branch. */
export interface WholeBranch<S, N extends string = string> extends Metadata {
  readonly name: N
  readonly description: string
  /** The input; by default that of the first route's tool. Predicates and tools get the validated value. */
  readonly inputSchema?: S
}

export const WHOLE_NAMES: Readonly<Record<keyof WholeBranch<unknown>, true>> = {
  ...METADATA_NAMES,
  name: true,
  description: true,
  inputSchema: true,
}

export interface BranchParts {
  readonly whole: WholeBranch<AnySchema | undefined>
  readonly routes: readonly LabelledRoute[]
  /** The route for all other inputs. */
  readonly rest: LabelledRoute | undefined
  readonly detail?: string | undefined
  /** Chooses by the validated input and records the choice. */
  readonly run: (value: unknown, branch: Whole, follow: Follow) => Promise<unknown>
}

/** Calls the tool of a route. */
export type Follow = (route: LabelledRoute) => Promise<SettledResult>

/** The caller has checked the types. */
export function makeBranch<I, O, N extends string>({ whole, routes, rest, detail, run }: BranchParts): AgentTool<I, O, N> {
  const { name, inputSchema } = whole
  const first = routes[0]
  if (first === undefined) throw new ConfigurationError('invalid_definition', `Branch '${name}' needs at least one route.`)
  if (inputSchema === undefined && first.input !== undefined) {
    throw new ConfigurationError(
      'invalid_definition',
      `Branch '${name}' needs an inputSchema: its first route reshapes the input, so the input of its tool is not the input of the branch.`,
    )
  }
  const all = rest === undefined ? routes : [...routes, rest]
  const port: InputPort =
    inputSchema === undefined
      ? behaviourOf(first.tool).input
      : new TypedInput(contractOf(inputSchema, `The inputSchema of branch '${name}'`))
  return combinator({
    ...whole,
    plan: {
      kind: 'branch',
      order: 'choice',
      labels: 'name',
      closedBy: undefined,
      layer: false,
      parts: all.map(partOf),
      detail,
      figures: oneOf,
    },
    input: port,
    forwardsInput: inputSchema === undefined,
    keepsInput: true,
    describesOutput: anyOutput(all.map((route) => route.tool)),
    run: async (input, branch) => {
      const value = inputSchema === undefined ? await accepted(port, input, branch) : privateCopy(input)
      return value instanceof ReturnedFailure ? value : run(value, branch, (route) => follow(branch, route, { input, value }))
    },
  })
}

/** An input that the first route's tool refuses is refused before a predicate sees it. A predicate cannot change the input of a route. */
async function accepted(port: InputPort, input: unknown, { tool }: Whole): Promise<unknown> {
  try {
    return await acceptApart(port, input, tool)
  } catch (error) {
    if (isToolError(error)) return new ReturnedFailure(error)
    throw error
  }
}

interface Given {
  /** The input of the route's tool. Without a declared schema it is not validated here: that tool validates it. */
  readonly input: unknown
  readonly value: unknown
}

function follow(branch: Whole, { label, tool, input: reshape }: LabelledRoute, { input, value }: Given): Promise<SettledResult> {
  const given = reshape === undefined ? input : adapt(`The input of route '${label}'`, () => reshape(value), UNTAKEN)
  return callPart(branch, { label, tool, input: given, isUnique: true })
}

/** For failures before a route is taken. */
export const UNTAKEN = {
  hint: 'The choice between routes failed, and nothing ran. Report the message; the input may be unusual.',
} as const

function partOf({ label, tool, condition, known, input }: LabelledRoute): PlanPart {
  const adapter = input === undefined ? {} : { adapter: { name: `into '${label}'` } }
  return { label, tool, takes: 'input', when: condition, known, ...adapter }
}

/** The output of the tool that answers: a union, if every tool describes its output. */
function anyOutput(tools: readonly AgentTool[]): Contract | undefined {
  const contracts = tools.map((tool) => behaviourOf(tool)).map(({ output, describesOutput = output }) => describesOutput)
  return contracts.every((each) => each !== undefined) ? new AnyOutput(contracts) : undefined
}

/** Each tool checks its own output, so this schema is only read, never used to validate. */
class AnyOutput implements Contract {
  readonly strips = true
  readonly #contracts: readonly Contract[]
  #schema: JsonSchema | undefined

  constructor(contracts: readonly Contract[]) {
    this.#contracts = contracts
  }

  get output(): JsonSchema {
    return (this.#schema ??= union(this.#contracts.map(({ output }) => output)))
  }
  get input(): JsonSchema {
    return this.output
  }
  get exactInput(): JsonSchema {
    return this.output
  }

  validate(value: unknown): StandardResult<unknown> {
    return { value }
  }
}

/** References count from the root of a schema, so a schema with references cannot be nested: then the result is `{}`. */
function union(schemas: readonly JsonSchema[]): JsonSchema {
  const different = distinctSchemas(schemas)
  const [only] = different
  if (different.length === 1 && only !== undefined) return only
  return different.some(hasReference) ? {} : { anyOf: different }
}

function hasReference(schema: JsonSchema): boolean {
  return someSubschema(schema, (each) => '$ref' in each || '$dynamicRef' in each)
}
