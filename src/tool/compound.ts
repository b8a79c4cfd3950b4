import type { AnySchema } from '../schema/schema-types.ts'
import type { AgentTool } from './agent-tool.ts'
import { approvalRule, type RequireApproval } from './approval-rule.ts'
import { behaviourOf } from './behaviour.ts'
import { checkOptions } from './check-given.ts'
import { combinator } from './combinator.ts'
import type { ToolContext } from './context.ts'
import { contractOf } from './contract.ts'
import { ConfigurationError } from './errors/configuration-error.ts'
import { checkName } from './identity.ts'
import { stringInput } from './input/string-input.ts'
import { TypedInput } from './input/typed-input.ts'
import { type Estimates, type Metadata, METADATA_NAMES } from './metadata.ts'
import { checkOptionNames, optionNames } from './option-names.ts'
import { gatedBy } from './plan-node.ts'
import type { InputOf, OutputOf, ParsedOf, Promised } from './tool.ts'

type PartsOf = Readonly<Record<string, AgentTool>>

/** What `compound` makes a tool of. */
export interface CompoundDefinition<S, OS, P, R, N extends string = string> extends Metadata {
  readonly name: N
  readonly description: string
  /** The combinator's own word for itself in plans; the default is `compound`. */
  readonly kind?: string | undefined
  readonly inputSchema?: S
  readonly outputSchema?: OS
  /** Every tool that `run` may call, by the label that its calls usually carry. */
  readonly parts: P
  readonly requireApproval?: RequireApproval<ParsedOf<S>> | undefined
  /**
   * Touches the world only through `context.call`, `context.decide`, `context.sleep`, `context.review` and `context.ask`: all else must be
   * the same in every run. Then the whole can be replayed from a journal at any point.
   */
  readonly run: (input: ParsedOf<S>, context: ToolContext, parts: P) => R
}

const NAMES = optionNames<CompoundDefinition<unknown, unknown, unknown, unknown>>({
  ...METADATA_NAMES,
  name: true,
  description: true,
  kind: true,
  inputSchema: true,
  outputSchema: true,
  parts: true,
  requireApproval: true,
  run: true,
})

/**
 * Makes a tool of other tools: the way to write a combinator of one's own. Effect, permissions and idempotency follow from the parts.
 * @example
 * const twice = compound({
 *   name: 'roll_twice',
 *   description: 'Rolls a die twice and adds.',
 *   parts: { roll },
 *   async run(input, context, { roll }) {
 *     const a = await context.call('first', roll, input)
 *     const b = await context.call('second', roll, input)
 *     return a.ok && b.ok ? a.value + b.value : a.ok ? b : a
 *   },
 * })
 */
export function compound<
  const P extends PartsOf,
  const S extends AnySchema | undefined = undefined,
  const OS extends AnySchema | undefined = undefined,
  R extends Promised<OS> = Promised<OS>,
  const N extends string = string,
>(definition: CompoundDefinition<S, OS, P, R, N>): AgentTool<InputOf<S>, OutputOf<OS, R>, N> {
  checkOptions(definition, 'The definition of a compound')
  checkOptionNames(definition, NAMES, 'The fields of a compound')
  const { name, inputSchema, outputSchema, parts, requireApproval, run, kind = 'compound' } = definition
  checkName(name)
  if (typeof run !== 'function') throw new ConfigurationError('invalid_definition', `Compound '${name}' needs a function run.`)
  if (typeof parts !== 'object' || parts === null)
    throw new ConfigurationError('invalid_definition', `Compound '${name}' needs its parts: { label: tool }, or {}.`)
  const labelled = Object.entries(parts).map(([label, part]) => {
    behaviourOf(part, `The part '${label}' of '${name}'`)
    return { label, tool: part, takes: 'unknown' as const }
  })
  const approval = approvalRule(requireApproval, name)
  return combinator({
    ...definition,
    plan: {
      kind,
      order: 'free',
      labels: 'numbered',
      closedBy: undefined,
      layer: false,
      parts: labelled,
      ...gatedBy(approval),
      figures: unknownFigures,
    },
    input: inputSchema === undefined ? stringInput : new TypedInput(contractOf(inputSchema, `The inputSchema of '${name}'`)),
    output: outputSchema === undefined ? undefined : contractOf(outputSchema, `The outputSchema of '${name}'`),
    approval,
    ownScope: true,
    run: (input, call) => run(input as ParsedOf<S>, call, parts),
  })
}

/** Only the code of a compound knows how often it calls its parts, so its figures are the declared ones. */
function unknownFigures(): Estimates {
  return {}
}
