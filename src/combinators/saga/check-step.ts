import { isRecord } from '../../schema/json-schema.ts'
import { quote } from '../../schema/quote.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { behaviourOf } from '../../tool/behaviour.ts'
import { checkLabel, checkStepLabel } from '../../tool/path.ts'
import { checkFunction } from '../../tool/check-given.ts'
import type { Duration } from '../../tool/duration.ts'
import { checkMapping, ownMapping } from '../../tool/given/step-mapping.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'
import type { SagaStep, StepCompensation } from './saga-plan.ts'

/** A compensation as it was given. */
export interface GivenCompensation extends Pick<StepCompensation, 'class' | 'input'> {
  readonly with: AgentTool
  readonly attempts?: number | undefined
  readonly deadline?: Duration | undefined
}

/** A step as it was given. */
export interface GivenStep {
  readonly label: string
  readonly tool: AgentTool
  readonly options: {
    readonly input?: SagaStep['input']
    readonly fill?: unknown
    readonly compensate?: 'irreversible' | GivenCompensation | undefined
    readonly attempts?: number | undefined
  }
}

const STEP_NAMES = optionNames<GivenStep['options']>({ input: true, fill: true, compensate: true, attempts: true })
const COMPENSATION_NAMES = optionNames<GivenCompensation>({ with: true, class: true, input: true, attempts: true, deadline: true })

const CLASSES: readonly unknown[] = ['reversible', 'semantic', 'traces'] satisfies StepCompensation['class'][]

/** Checks rules that types cannot express, and mistakes of untyped programs. Attempts and deadlines are checked where they are read. */
export function checkStep(step: GivenStep, saga: string, before: readonly GivenStep[]): void {
  const { label, tool, options } = step
  checkSagaLabel(label, saga)
  if (before.some((each) => each.label === label)) {
    throw new ConfigurationError('invalid_definition', `Saga '${saga}' has two steps with the label '${label}'. Give one of them another.`)
  }
  behaviourOf(tool, `Step '${label}' of saga '${saga}'`)
  checkOptionNames(options, STEP_NAMES, `The options of step '${label}' of saga '${saga}'`)
  const { input, fill, compensate } = options
  if (input !== undefined) checkFunction(input, `'input' of step '${label}' of saga '${saga}'`)
  if (fill !== undefined) checkFill(step, saga, before)
  if (compensate !== undefined && compensate !== 'irreversible') checkCompensation(compensate, `step '${label}' of saga '${saga}'`)
}

function checkFill({ label, options: { input, fill } }: GivenStep, saga: string, before: readonly GivenStep[]): void {
  const place = `'fill' of step '${label}' of saga '${saga}'`
  if (input !== undefined) throw new ConfigurationError('invalid_option', `${place} stands beside 'input'. Leave one of them out.`)
  checkMapping(ownMapping(fill, place), before, place)
}

function checkCompensation(given: GivenCompensation, of: string): void {
  if (!isRecord(given)) {
    throw new ConfigurationError(
      'invalid_option',
      `'compensate' of ${of} must be 'irreversible' or { with, class, input }, not ${quote(given)}.`,
    )
  }
  checkOptionNames(given, COMPENSATION_NAMES, `The fields of the compensation of ${of}`)
  if (!CLASSES.includes(given.class)) {
    const hint = (given.class as unknown) === 'irreversible' ? ` For a step that cannot be undone, write compensate: 'irreversible'.` : ''
    throw new ConfigurationError(
      'invalid_option',
      `'class' of the compensation of ${of} must be 'reversible', 'semantic' or 'traces', not ${quote(given.class)}.${hint}`,
    )
  }
  behaviourOf(given.with, `The compensation of ${of}`)
  checkFunction(given.input, `'input' of the compensation of ${of}`)
}

function checkSagaLabel(label: string, saga: string): void {
  if (typeof label !== 'string') {
    throw new ConfigurationError('invalid_label', `The label of a step of saga '${saga}' must be a text, not ${quote(label)}.`)
  }
  checkLabel(label)
  checkStepLabel(label)
  if (label === '__proto__')
    throw new ConfigurationError(
      'invalid_label',
      `A step of saga '${saga}' cannot be called '__proto__': an object cannot hold a field of that name.`,
    )
}
