import { ShapeReader } from '../../schema/shape.ts'
import { ModelArguments } from '../../tool/input/arguments.ts'
import type { ToolSuccess } from '../../tool/result/result.ts'
import { textOf } from '../../tool/result/text-of.ts'
import type { PipelineStep } from './pipeline-step.ts'

/** What the next step is given: its text for a string step; for a typed one the value. */
export function handOff(result: ToolSuccess, next: PipelineStep): unknown {
  if (takesText(next)) return result.text
  return typeof result.value === 'string' ? readable(result.value, next) : result.value
}

/** The same for what an adapter made; nothing is the empty text. */
export function handOffAdapted(adapted: unknown, next: PipelineStep): unknown {
  if (takesText(next)) return textOf(adapted)
  if (adapted === null || adapted === undefined) return readable('', next)
  return typeof adapted === 'string' ? readable(adapted, next) : adapted
}

/** A text that the schema of a typed step takes as it stands is given as it stands; another is read as JSON there. */
function readable(text: string, { behaviour: { input } }: PipelineStep): unknown {
  return new ShapeReader(input.schema).allows(text, input.schema) ? text : ModelArguments.ofText(text)
}

function takesText(step: PipelineStep): boolean {
  return (step.takesText ??= step.behaviour.input.schema['type'] === 'string')
}
