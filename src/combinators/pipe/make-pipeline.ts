import type { AgentTool } from '../../tool/agent-tool.ts'
import { behaviourOf } from '../../tool/behaviour.ts'
import { checkChoice } from '../../tool/check-given.ts'
import { combinator } from '../../tool/combinator.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { inSequence, inSequenceToTheEnd } from '../../tool/figures.ts'
import { checkMapping, readsInput as hasInput } from '../../tool/given/step-mapping.ts'
import { checkName, shortName } from '../../tool/identity.ts'
import type { Metadata } from '../../tool/metadata.ts'
import type { PlanPart } from '../../tool/plan-node.ts'
import { knownPart } from '../../tool/seam/sequence.ts'
import { checkStep, type PipelineStep, type StepAdapter } from './pipeline-step.ts'
import { type ErrorStrategy, runPipeline } from './run-pipeline.ts'
import { type DeadlineSharing, expectedTimes } from './step-deadline.ts'

/** The options of a pipeline. */
export interface PipelineOptions extends Metadata {
  readonly name?: string | undefined
  readonly description?: string | undefined
  /** `FAIL_FAST` by default. */
  readonly errorStrategy?: ErrorStrategy | undefined
  /** How the remaining time is divided: `reserve` keeps the time that later steps need, `proportional` gives each step its share. */
  readonly deadlines?: DeadlineSharing | undefined
}

export interface UnlabelledStep {
  readonly tool: AgentTool
  readonly adapter?: StepAdapter | undefined
}

/** The caller has checked the types of the steps. */
export function makePipeline<I, O>(given: readonly UnlabelledStep[], options: PipelineOptions): AgentTool<I, O> {
  checkNotEmpty(given)
  given.forEach(({ tool }, index) => checkStep(tool, index + 1))
  const names = given.map((step) => step.tool.name)
  const {
    name = pipelineName(names),
    description = pipelineDescription(names),
    errorStrategy: strategy = 'FAIL_FAST',
    deadlines: sharing = 'reserve',
  } = options
  checkName(name)
  checkChoice(strategy, ['FAIL_FAST', 'CONTINUE_ON_FAILURE'] satisfies ErrorStrategy[], `errorStrategy of '${name}'`)
  checkChoice(sharing, ['reserve', 'proportional'] satisfies DeadlineSharing[], `deadlines of '${name}'`)
  const steps = label(given)
  checkMappings(steps, name)
  const readsInput = steps.some(({ adapter }) => adapter !== undefined && (adapter.mapping === undefined || hasInput(adapter.mapping)))
  const first = behaviourOf((steps[0] as PipelineStep).tool)
  const last = behaviourOf((steps.at(-1) as PipelineStep).tool)
  const expected = expectedTimes(steps.map((step) => step.tool))
  const pipeline = { steps, strategy, sharing, expected, isAdapted: steps.some(({ adapter }) => adapter !== undefined) }
  return combinator({
    ...options,
    name,
    description,
    plan: {
      kind: 'pipe',
      order: 'sequence',
      labels: 'name',
      closedBy: undefined,
      layer: false,
      parts: steps.map((step, index): PlanPart => partOf(step, steps[index - 1])),
      keepsTime: true,
      continues: strategy === 'CONTINUE_ON_FAILURE',
      detail: strategy === 'CONTINUE_ON_FAILURE' ? 'continues on failure' : undefined,
      figures: strategy === 'CONTINUE_ON_FAILURE' ? inSequenceToTheEnd : inSequence,
    },
    input: first.input,
    forwardsInput: true,
    // A first step with a p99 begins later, and an adapter may read the input after the first step.
    keepsInput: readsInput || (steps[0] as PipelineStep).tool.estimates.p99Ms !== undefined,
    passesOn: !readsInput,
    describesOutput: last.describesOutput ?? last.output,
    run: (input, call) => runPipeline(pipeline, input, call),
  })
}

function partOf({ label: name, tool }: PipelineStep, before: PipelineStep | undefined): PlanPart {
  const adapter = before?.adapter
  return {
    label: name,
    tool,
    takes: before === undefined ? 'input' : 'previous',
    ...(adapter === undefined ? {} : { adapter: { name: adapter.name, schema: adapter.schema, mapping: adapter.mapping } }),
  }
}

function checkMappings(steps: readonly PipelineStep[], pipeline: string): void {
  steps.slice(0, -1).forEach(({ adapter }, index) => {
    const next = steps[index + 1] as PipelineStep
    if (adapter?.mapping !== undefined)
      checkMapping(adapter.mapping, steps.slice(0, index + 1), `The mapping before '${next.label}' in '${pipeline}'`)
  })
}

function label(steps: readonly UnlabelledStep[]): readonly PipelineStep[] {
  const counts = new Map<string, number>()
  return steps.map((step, position) => {
    const count = (counts.get(step.tool.name) ?? 0) + 1
    counts.set(step.tool.name, count)
    const { tool, adapter } = step
    return { ...knownPart(count === 1 ? tool.name : `${tool.name}#${count}`, tool, position), adapter }
  })
}

/** `a_then_b_then_c`, shortened if it is too long. With one step the name differs from that of the step. */
function pipelineName(names: readonly string[]): string {
  return shortName(names.length === 1 ? `only_${names[0]}` : names.join('_then_'))
}

function pipelineDescription(names: readonly string[]): string {
  return `Pipeline: ${names.join(' -> ')}`
}

/** A pipeline without steps would have no schema, name or result. */
function checkNotEmpty(steps: readonly unknown[]): void {
  if (steps.length === 0) throw new ConfigurationError('invalid_definition', 'A pipeline needs at least one step.')
}
