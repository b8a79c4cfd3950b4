import { behaviourOf } from '../../tool/behaviour.ts'
import { ModelArguments } from '../../tool/input/arguments.ts'
import type { ToolSuccess } from '../../tool/result.ts'
import { textOf } from '../../tool/text-of.ts'
import type { PipelineStep } from './pipeline-step.ts'

/** What the next step is given: its text for a string step; for a typed one the value, or a text that is read as JSON there. */
export function handOff(result: ToolSuccess, next: PipelineStep): unknown {
  if (takesText(next)) return result.text
  return typeof result.value === 'string' ? ModelArguments.ofText(result.value) : result.value
}

/** The same for what an adapter made; nothing is the empty text. */
export function handOffAdapted(adapted: unknown, next: PipelineStep): unknown {
  if (takesText(next)) return textOf(adapted)
  if (adapted === null || adapted === undefined) return ModelArguments.ofText('')
  return typeof adapted === 'string' ? ModelArguments.ofText(adapted) : adapted
}

function takesText(step: PipelineStep): boolean {
  return (step.takesText ??= behaviourOf(step.tool).input.schema['type'] === 'string')
}
