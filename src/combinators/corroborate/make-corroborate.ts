import { fieldSchema } from '../../schema/field-schema.ts'
import { isRecord } from '../../schema/json-schema.ts'
import { quote } from '../../schema/quote.ts'
import type { AnySchema } from '../../schema/schema-types.ts'
import { adapt } from '../../tool/adapt.ts'
import { type AgentTool, isTool } from '../../tool/agent-tool.ts'
import { anyAnswer } from '../../tool/any-answer.ts'
import { behaviourOf } from '../../tool/behaviour.ts'
import { checkOptions } from '../../tool/check-given.ts'
import { combinator } from '../../tool/combinator.ts'
import { contractOf } from '../../tool/contract.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { someOf } from '../../tool/figures.ts'
import { checkName } from '../../tool/identity.ts'
import { TypedInput } from '../../tool/input/typed-input.ts'
import { type Metadata, METADATA_NAMES } from '../../tool/metadata.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'
import { checkStepLabel } from '../../tool/path.ts'
import type { PlanPart, PlanRead } from '../../tool/plan-node.ts'
import type { PersonLevel } from '../../tool/seam/by-person.ts'
import { knownPart } from '../../tool/seam/sequence.ts'
import { sharedInput } from '../../tool/seam/shared-input.ts'
import { checkComparison, type FieldComparison } from './field-comparison.ts'
import type { Arbiter, PureResolution } from './resolution.ts'
import { ARBITER, type Resolver } from './resolve-conflicts.ts'
import type { AdaptedSource } from './source.ts'
import { type AskedSource, type CorroboratePlan, runCorroborate } from './run-corroborate.ts'

/** The options after the types have been checked. */
export interface AnyCorroborateOptions extends Metadata {
  readonly name: string
  readonly description: string
  readonly inputSchema?: AnySchema | undefined
  readonly fields: Readonly<Record<string, FieldComparison | undefined>>
  readonly resolve?: unknown
  readonly atLeast?: number | undefined
}

const NAMES = optionNames<AnyCorroborateOptions>({
  ...METADATA_NAMES,
  name: true,
  description: true,
  inputSchema: true,
  fields: true,
  resolve: true,
  atLeast: true,
})

/** The caller has checked the types. */
export function makeCorroborate<I, O, N extends string>(
  given: Readonly<Record<string, unknown>>,
  options: AnyCorroborateOptions,
): AgentTool<I, O, N> {
  checkOptions(given, 'The first argument of corroborate')
  checkOptionNames(options, NAMES, 'The options of corroborate')
  const { name, inputSchema } = options
  checkName(name)
  const whose = `corroborate '${name}'`
  const sources = sourcesOf(given, whose)
  const fields = fieldsOf(options.fields, whose)
  for (const field of Object.keys(fields)) checkShared(field, sources, whose)
  const resolvers = resolversOf(options.resolve, { whose, labels: sources.map(({ label }) => label) })
  const atLeast = atLeastOf(options.atLeast, sources.length, whose)
  const port =
    inputSchema === undefined
      ? sharedInput(sources, sources.length, 'Source')
      : new TypedInput(contractOf(inputSchema, `The inputSchema of ${whose}`))
  const plan: CorroboratePlan = {
    name,
    sources,
    group: { parts: sources, limit: sources.length, inputOf: (position, input) => inputOf(sources[position] as AskedSource, input) },
    fields,
    resolvers,
    atLeast,
  }
  const isReshaped = sources.some(({ output }) => output !== undefined)
  return combinator({
    ...options,
    plan: {
      kind: 'corroborate',
      order: 'together',
      labels: 'name',
      closedBy: undefined,
      layer: false,
      parts: [...sources.map(partOf), ...arbitersOf(resolvers)],
      detail: detailOf(fields, resolvers),
      needs: atLeast,
      onlyReads: true,
      reads: readsOf(sources, fields, resolvers),
      figures: (parts) => someOf(parts.slice(0, sources.length), atLeast),
    },
    input: port,
    forwardsInput: inputSchema === undefined && sources.every(({ transform }) => transform === undefined),
    keepsInput: true,
    describesOutput: isReshaped
      ? undefined
      : anyAnswer(sources.map(({ behaviour: { output, describesOutput = output } }) => describesOutput)),
    run: (input, whole) => runCorroborate(plan, input, whole),
  })
}

function sourcesOf(given: Readonly<Record<string, unknown>>, whose: string): readonly AskedSource[] {
  const labels = Object.keys(given)
  if (labels.length < 2)
    throw new ConfigurationError('invalid_definition', `${whose} needs at least two sources: one alone confirms nothing.`)
  return labels.map((label, position) => {
    checkStepLabel(label)
    if (label === ARBITER || label === '__proto__')
      throw new ConfigurationError('invalid_label', `A source of ${whose} cannot be called '${label}'.`)
    const each = given[label]
    if (isRecord(each) && isRecord(each['source'])) {
      const { tool, input, output } = each['source'] as unknown as AdaptedSource
      return { ...knownPart(label, tool, position), transform: input, output }
    }
    behaviourOf(each as AgentTool, `Source '${label}' of ${whose}`)
    return knownPart(label, each as AgentTool, position)
  })
}

function fieldsOf(given: unknown, whose: string): Readonly<Record<string, FieldComparison>> {
  checkOptions(given, `'fields' of ${whose}`)
  const fields = Object.entries(given as Record<string, FieldComparison | undefined>).flatMap(([field, comparison]) =>
    comparison === undefined ? [] : [[field, comparison] as const],
  )
  if (fields.length === 0) throw new ConfigurationError('invalid_definition', `${whose} needs at least one field to compare.`)
  for (const [field, comparison] of fields) checkComparison(comparison, `the field '${field}' of ${whose}`)
  return Object.fromEntries(fields)
}

/** Two sources must be able to give a field. A source that is reshaped, or whose schema does not say, is able to. */
function checkShared(field: string, sources: readonly AskedSource[], whose: string): void {
  const able = sources.filter(({ output: isReshaped, behaviour: { output, describesOutput = output } }) => {
    if (isReshaped !== undefined || describesOutput === undefined) return true
    return fieldSchema(describesOutput.output, [field]) !== 'missing'
  })
  const [only] = able
  if (able.length > 1) return
  const given = only === undefined ? 'no source gives it' : `no source besides '${only.label}' gives it, so nothing can confirm it`
  throw new ConfigurationError(
    'invalid_option',
    `${whose} cannot compare '${field}': ${given}. Compare a field of two sources at least, or reshape one with source(tool, { output }).`,
  )
}

function atLeastOf(given: number | undefined, count: number, whose: string): number {
  const atLeast = given ?? 2
  if (Number.isSafeInteger(atLeast) && atLeast >= 1 && atLeast <= count) return atLeast
  throw new ConfigurationError('invalid_option', `'atLeast' of ${whose} must be a whole number from 1 to ${count}, not ${quote(given)}.`)
}

interface Known {
  readonly whose: string
  readonly labels: readonly string[]
}

function resolversOf(given: unknown, { whose, labels }: Known): readonly Resolver[] {
  const list: readonly unknown[] = given === undefined ? [] : Array.isArray(given) ? given : [given]
  const resolvers = list.map((each): Resolver => {
    if (typeof each === 'function') return { by: 'arbiter', tool: undefined, decide: each as Arbiter['decide'] }
    if (isTool(each)) return { by: 'arbiter', tool: each, decide: undefined }
    if (isRecord(each) && isRecord(each['resolution'])) return each['resolution'] as unknown as PureResolution
    if (isRecord(each) && isRecord(each['level']) && each['level']['tool'] === undefined && 'urgency' in each['level'])
      return { ...(each['level'] as unknown as PersonLevel), by: 'person' }
    throw new ConfigurationError(
      'invalid_option',
      `'resolve' of ${whose} takes byAuthority, byFreshness, byMajority, byPerson, a tool or a function, not ${quote(each)}.`,
    )
  })
  for (const each of resolvers) {
    const odd = 'sources' in each ? each.sources?.find((label) => !labels.includes(label)) : undefined
    if (odd !== undefined)
      throw new ConfigurationError(
        'invalid_option',
        `byAuthority names '${odd}', which is no source of ${whose}. There are: ${labels.join(', ')}.`,
      )
  }
  if (resolvers.filter((each) => each.by === 'arbiter' && each.tool !== undefined).length > 1)
    throw new ConfigurationError('invalid_option', `'resolve' of ${whose} may have one arbiter that is a tool.`)
  return resolvers
}

function inputOf({ label, transform }: AskedSource, input: never): unknown {
  if (transform === undefined) return input
  return adapt(`The input of source '${label}'`, () => transform(input), { outcome: 'not_started' })
}

function partOf({ label, tool, transform }: AskedSource): PlanPart {
  return { label, tool, takes: 'input', ...(transform === undefined ? {} : { adapter: { name: `into '${label}'` } }) }
}

function arbitersOf(resolvers: readonly Resolver[]): readonly PlanPart[] {
  return resolvers.flatMap((each) =>
    each.by === 'arbiter' && each.tool !== undefined
      ? [{ label: ARBITER, tool: each.tool, takes: 'unknown' as const, when: 'the sources disagree' }]
      : [],
  )
}

/** `compares rate, by majority, then a person`. */
function detailOf(fields: Readonly<Record<string, FieldComparison>>, resolvers: readonly Resolver[]): string {
  const ways = resolvers.map((each) => ('text' in each ? each.text : each.by === 'person' ? 'by a person' : 'by an arbiter'))
  const compared = `compares ${Object.keys(fields).join(', ')}`
  return ways.length === 0 ? compared : `${compared}; resolves ${ways.join(', then ')}`
}

/** Sources whose outputs are reshaped are not known by their schemas. */
function readsOf(
  sources: readonly AskedSource[],
  fields: Readonly<Record<string, FieldComparison>>,
  resolvers: readonly Resolver[],
): readonly PlanRead[] {
  const parts = sources.flatMap(({ label, output }) => (output === undefined ? [label] : []))
  const dated = resolvers.flatMap((each) => ('field' in each && each.field !== undefined ? [each.field] : []))
  return [
    ...Object.keys(fields).map((field): PlanRead => ({ of: 'output', path: [field], by: 'the comparison of sources', parts })),
    ...dated.map((field): PlanRead => ({ of: 'output', path: [field], by: 'the freshness of sources', parts })),
  ]
}
