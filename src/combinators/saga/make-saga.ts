import { backoff } from '../../policies/backoff.ts'
import type { AnySchema } from '../../schema/schema-types.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { checkFunction } from '../../tool/check-given.ts'
import { combinator } from '../../tool/combinator.ts'
import { contractOf } from '../../tool/contract.ts'
import { toMilliseconds } from '../../tool/duration.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { applyMapping, mappingText, ownMapping } from '../../tool/given/step-mapping.ts'
import { inSequence } from '../../tool/figures.ts'
import { stringInput } from '../../tool/input/string-input.ts'
import { TypedInput } from '../../tool/input/typed-input.ts'
import { undoLabel } from '../../tool/journal/undoing.ts'
import type { PlanPart } from '../../tool/plan-node.ts'
import { gated } from '../../tool/seam/gated.ts'
import { SHIELDED_DEADLINE_MS } from '../../tool/seam/parts.ts'
import type { GivenCompensation, GivenStep } from './check-step.ts'
import { runSaga } from './run-saga.ts'
import type { SagaPlan, SagaStep, StepCompensation } from './saga-plan.ts'
import type { SagaDefinition } from './saga-types.ts'

/** Makes the tool from the checked steps. */
export function makeSaga(
  definition: SagaDefinition<AnySchema | undefined>,
  given: readonly GivenStep[],
  output: SagaPlan['output'],
): AgentTool {
  const { name, inputSchema, idempotent = false } = definition
  if (given.length === 0) throw new ConfigurationError('invalid_definition', `Saga '${name}' needs at least one step.`)
  if (output !== undefined) checkFunction(output, `'output' of saga '${name}'`)
  const steps = given.map((each, index) => stepOf(each, name, index === given.length - 1))
  const plan: SagaPlan = { name, steps, output }
  return combinator({
    ...definition,
    // A repeated saga runs all steps again: earlier effects were undone, or remain.
    idempotent,
    plan: {
      kind: 'saga',
      order: 'sequence',
      labels: 'name',
      closedBy: undefined,
      layer: false,
      parts: [...steps.map(partOf), ...steps.flatMap(undoingPartOf)],
      compensates: true,
      figures: (parts) => inSequence(parts.slice(0, steps.length)),
    },
    input: inputSchema === undefined ? stringInput : new TypedInput(contractOf(inputSchema, `The inputSchema of saga '${name}'`)),
    run: (input, whole) => runSaga(plan, input, whole),
  })
}

function stepOf({ label, tool, options }: GivenStep, saga: string, isLast: boolean): SagaStep {
  const { fill, compensate, attempts = 1 } = options
  const mapping = fill === undefined ? undefined : ownMapping(fill, `'fill' of step '${label}' of saga '${saga}'`)
  const of = `step '${label}' of saga '${saga}'`
  const isGated = compensate === 'irreversible' && !isLast
  return {
    label,
    tool: isGated
      ? gated(tool, { why: `Step '${label}' of '${saga}' cannot be undone, and steps come after it that may fail.`, risk: 'high' })
      : tool,
    isGated,
    input: mapping === undefined ? options.input : (known) => applyMapping(mapping, known),
    mapping,
    backoff: backoff({ attempts }, of),
    compensation: typeof compensate === 'object' ? compensationOf(label, compensate, of) : compensate,
  }
}

function compensationOf(label: string, given: GivenCompensation, of: string): StepCompensation {
  const { with: tool, class: how, input, attempts, deadline = SHIELDED_DEADLINE_MS } = given
  return {
    label: undoLabel(label),
    tool,
    class: how,
    input,
    backoff: backoff({ attempts }, `the compensation of ${of}`),
    deadlineMs: toMilliseconds(deadline, `The deadline of the compensation of ${of}`),
  }
}

function partOf({ label, tool, input, mapping, compensation }: SagaStep): PlanPart {
  const how = typeof compensation === 'object' ? compensation.class : compensation
  return {
    ...{ label, tool, takes: input === undefined ? 'input' : 'unknown' },
    ...(mapping === undefined ? {} : { adapter: { name: mappingText(mapping), mapping } }),
    ...(how === undefined ? {} : { compensation: how }),
  }
}

function undoingPartOf({ label, compensation }: SagaStep): readonly PlanPart[] {
  if (typeof compensation !== 'object') return []
  return [{ label: compensation.label, tool: compensation.tool, takes: 'unknown', undoes: label }]
}
