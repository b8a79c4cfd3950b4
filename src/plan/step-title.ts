import type { ExplainedStep } from './explained-step.ts'

/** `refund (pipe)`, `issue_refund [gate]`, `first: find_orders`: the step, its tool where the label does not name it, its layers and its kind. */
export function stepTitle({ label, tool, kind, detail, layers, parts, leftOut }: ExplainedStep): string {
  const named = label.replace(/#\d+$/, '') === tool ? label : `${label}: ${tool}`
  const isCompound = parts.length > 0 || leftOut !== undefined
  const made = isCompound ? ` (${kind}${detail === undefined ? '' : `, ${detail}`})` : ''
  return `${named}${layers.length === 0 ? '' : ` [${layers.join(', ')}]`}${made}`
}
