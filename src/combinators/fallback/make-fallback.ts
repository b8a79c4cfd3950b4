import { isRecord } from '../../schema/json-schema.ts'
import { quote } from '../../schema/quote.ts'
import type { AnySchema } from '../../schema/schema-types.ts'
import { type AgentTool, isTool } from '../../tool/agent-tool.ts'
import { anyAnswer } from '../../tool/any-answer.ts'
import { behaviourOf } from '../../tool/behaviour.ts'
import { combinator } from '../../tool/combinator.ts'
import { type Contract, contractOf } from '../../tool/contract.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { inTurn } from '../../tool/figures.ts'
import { checkName } from '../../tool/identity.ts'
import type { InputPort } from '../../tool/input/input-port.ts'
import { TypedInput } from '../../tool/input/typed-input.ts'
import type { Metadata } from '../../tool/metadata.ts'
import { checkLabel, checkStepLabel } from '../../tool/path.ts'
import type { PlanPart } from '../../tool/plan-node.ts'
import type { PersonLevel } from '../../tool/seam/by-person.ts'
import type { ToolLevel } from './level.ts'
import { type AskedLevel, type CalledLevel, type FallbackPlan, runFallback } from './run-fallback.ts'

/** The options after the types have been checked. */
interface AnyFallbackOptions extends Metadata {
  readonly name: string
  readonly description: string
  readonly inputSchema?: AnySchema | undefined
  readonly outputSchema?: AnySchema | undefined
}

/** The caller has checked the types. */
export function makeFallback<I, O, N extends string>(options: AnyFallbackOptions, given: unknown): AgentTool<I, O, N> {
  const { name, inputSchema, outputSchema } = options
  checkName(name)
  const output = outputSchema === undefined ? undefined : contractOf(outputSchema, `The outputSchema of fallback '${name}'`)
  const { levels, person } = labelled(levelsOf(given, name), name, outputSchema)
  const first = levels[0] as CalledLevel
  if (inputSchema === undefined && first.input !== undefined)
    throw new ConfigurationError(
      'invalid_definition',
      `Fallback '${name}' needs an inputSchema: its first level reshapes the input, so the input of its tool is not the input of the whole.`,
    )
  const port: InputPort =
    inputSchema === undefined
      ? behaviourOf(first.tool).input
      : new TypedInput(contractOf(inputSchema, `The inputSchema of fallback '${name}'`))
  const plan: FallbackPlan = { name, levels, person, output, port: inputSchema === undefined ? port : undefined }
  return combinator({
    ...options,
    plan: {
      kind: 'fallback',
      order: 'alternatives',
      labels: 'name',
      closedBy: undefined,
      layer: false,
      parts: levels.map(partOf),
      needs: 1,
      keepsTime: true,
      ...(person === undefined ? {} : { detail: `then a person ('${person.label}')` }),
      figures: (parts) => inTurn(parts.map((part, index) => ({ ...part, ...levels[index]?.estimates }))),
    },
    input: port,
    forwardsInput: inputSchema === undefined,
    keepsInput: true,
    describesOutput: output ?? answerOf(levels, person),
    idempotent: options.idempotent ?? repeatability(levels),
    run: (input, whole) => runFallback(plan, input, whole),
  })
}

/** Called again, it may get its answer from another level: two of them would have taken effect, whatever their keys. */
function repeatability(levels: readonly CalledLevel[]): false | undefined {
  return levels.filter(({ tool }) => tool.effect !== 'read').length > 1 ? false : undefined
}

function levelsOf(given: unknown, name: string): readonly (ToolLevel | PersonLevel)[] {
  if (!Array.isArray(given))
    throw new ConfigurationError('invalid_definition', `Fallback '${name}' takes a list of levels, not ${quote(given)}.`)
  return given.map((each: unknown, index) => {
    if (isRecord(each) && !isTool(each) && isRecord(each['level']) && 'tool' in each['level'])
      return each['level'] as unknown as ToolLevel | PersonLevel
    behaviourOf(each as AgentTool, `Level ${index + 1} of fallback '${name}'`)
    return { tool: each as AgentTool, name: undefined, estimates: {}, deadlineMs: undefined, input: undefined, output: undefined }
  })
}

interface Labelled {
  readonly levels: readonly CalledLevel[]
  readonly person: AskedLevel | undefined
}

function labelled(given: readonly (ToolLevel | PersonLevel)[], name: string, schema: AnySchema | undefined): Labelled {
  const seen = new Set<string>()
  const levels: CalledLevel[] = []
  let person: AskedLevel | undefined
  for (const each of given) {
    const label = labelOf(each, name)
    if (seen.has(label))
      throw new ConfigurationError(
        'invalid_label',
        `Fallback '${name}' has two levels called '${label}': name them apart, with level(tool, { name }).`,
      )
    seen.add(label)
    if (person !== undefined)
      throw new ConfigurationError('invalid_definition', `The person of fallback '${name}' must be its last level: '${label}' comes after.`)
    if (each.tool === undefined) person = asked(each, label, { name, schema })
    else levels.push({ ...each, label })
  }
  if (levels.length === 0)
    throw new ConfigurationError('invalid_definition', `Fallback '${name}' needs at least one level that a tool answers.`)
  return { levels, person }
}

function labelOf({ name, tool }: ToolLevel | PersonLevel, whole: string): string {
  const label: unknown = name ?? tool?.name ?? 'person'
  if (typeof label !== 'string')
    throw new ConfigurationError('invalid_label', `The name of a level of fallback '${whole}' must be a text, not ${quote(label)}.`)
  checkLabel(label)
  checkStepLabel(label)
  return label
}

function asked(
  person: PersonLevel,
  label: string,
  { name, schema }: { readonly name: string; readonly schema: AnySchema | undefined },
): AskedLevel {
  const answerSchema = person.schema ?? schema
  if (answerSchema === undefined)
    throw new ConfigurationError(
      'invalid_definition',
      `Fallback '${name}' must say what a person may answer: give it an outputSchema, or byPerson an answerSchema.`,
    )
  return { label, answerSchema, why: person.why, urgency: person.urgency, timeout: person.timeout }
}

function partOf({ label, tool, input, estimates }: CalledLevel, index: number): PlanPart {
  return {
    label,
    tool,
    takes: 'input',
    estimates,
    ...(index === 0 ? {} : { when: 'the levels before it have failed' }),
    ...(input === undefined ? {} : { adapter: { name: `into '${label}'` } }),
  }
}

/** The answer of any level, if all say what they give and none is reshaped. */
function answerOf(levels: readonly CalledLevel[], person: AskedLevel | undefined): Contract | undefined {
  if (levels.some(({ output }) => output !== undefined)) return undefined
  return anyAnswer([
    ...levels.map(({ tool }) => behaviourOf(tool)).map(({ output, describesOutput = output }) => describesOutput),
    ...(person === undefined ? [] : [contractOf(person.answerSchema, 'The answer of a person')]),
  ])
}
