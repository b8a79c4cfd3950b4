import type { Effect } from '../tool/metadata.ts'
import type { PlanOrder, PlanPart } from '../tool/plan-node.ts'
import type { PlanFigures } from './plan-figures.ts'

/** A step of a plan, with the layers around it and the steps inside. Plain data. */
export interface ExplainedStep {
  readonly label: string
  /** How the paths of its calls end: its label and those of its layers, such as `pay/gated`. Of an item of a list, `<n>` stands for its index. */
  readonly inRuns: string
  /** Labels from the root down. */
  readonly path: string
  /** Where events show its calls: those of its layers from the outermost in, then those of the tool itself. */
  readonly paths: readonly string[]
  readonly tool: string
  readonly version: string
  readonly description: string
  /** The combinator's name: `leaf`, `pipe`, ... */
  readonly kind: string
  /** More about the kind, in words. */
  readonly detail: string | undefined
  /** From the outermost to the innermost. */
  readonly layers: readonly string[]
  readonly effect: Effect
  readonly permissions: readonly string[]
  /** A person must approve it, always or sometimes. */
  readonly gated: boolean
  /** When, of each gate that says so: the author's words, and the beginning of the source of the predicate. */
  readonly conditions: readonly string[]
  /** In which order its parts run. */
  readonly order: PlanOrder
  /** The source of its input; undefined for the whole. */
  readonly takes: PlanPart['takes'] | undefined
  readonly adapter: string | undefined
  readonly when: string | undefined
  /** How a saga undoes it. */
  readonly compensation: PlanPart['compensation']
  /** The label of the step that it undoes; it runs only then. */
  readonly undoes: string | undefined
  readonly figures: PlanFigures
  readonly parts: readonly ExplainedStep[]
  /** Why its parts are not here: it is a part of itself, or the plan is too large to show. */
  readonly leftOut: 'cycle' | 'size' | undefined
}

/** `refund (pipe)`, `issue_refund/gated [gate]`, `first: find_orders`: the step, as runs name it, its tool where the label does not name it, its layers and its kind. */
export function stepTitle({ label, inRuns, tool, kind, detail, layers, parts, leftOut }: ExplainedStep): string {
  const named = label.replace(/#\d+$/, '') === tool ? inRuns : `${inRuns}: ${tool}`
  const isCompound = parts.length > 0 || leftOut !== undefined
  const made = isCompound ? ` (${kind}${detail === undefined ? '' : `, ${detail}`})` : ''
  return `${named}${layers.length === 0 ? '' : ` [${layers.join(', ')}]`}${made}`
}

/** `a person approves when ({ amount }) => amount > 100`. */
export function approvalNote(conditions: readonly string[]): string {
  return `a person approves${conditions.length === 0 ? '' : ` ${conditions.join(', and ')}`}`
}
