import type { JsonSchema } from '../schema/json-schema.ts'
import type { AgentTool } from './agent-tool.ts'
import type { Estimates } from './metadata.ts'

/** A function between two tools. With a schema of what it gives, the edge can be checked; without one, nobody can tell. */
export interface PlanAdapter {
  readonly name: string
  readonly schema?: JsonSchema | undefined
}

/** How well a step of a saga can be undone: fully, in meaning, with traces left behind, or not at all. */
export type CompensationClass = 'reversible' | 'semantic' | 'traces' | 'irreversible'

/** A tool inside a compound one, under the label that its calls carry. */
export interface PlanPart {
  readonly label: string
  readonly tool: AgentTool
  /** What it is given: the input of the whole, the output of the part before, one item of the input, or what only the run knows. */
  readonly takes: 'input' | 'previous' | 'item' | 'unknown'
  readonly adapter?: PlanAdapter | undefined
  /** On what condition it runs, in words. */
  readonly when?: string | undefined
  /** What the condition says about the input of the whole, beside its schema. */
  readonly known?: JsonSchema | undefined
  /** It runs again on what it gave, unless a predicate ends it before: as that is, or as an adapter makes it. */
  readonly again?: { readonly adapter?: PlanAdapter | undefined } | undefined
  /** How what it did is undone when the whole fails; `irreversible`: not at all. */
  readonly compensation?: CompensationClass | undefined
  /** The label of the part that it undoes. It runs only when the whole has failed. */
  readonly undoes?: string | undefined
}

/** What a tool says about its own make-up; `check`, `explain` and the resolver read it. */
export interface PlanNode {
  /** `leaf`, `compound`, `gate`, `pipe`, ... */
  readonly kind: string
  /** A layer changes how one tool is called and goes by its name. */
  readonly layer: boolean
  readonly parts: readonly PlanPart[]
  /** More about the kind, in words: `quorum of 2`, `at most 5 times`. */
  readonly detail?: string | undefined
  /** Its own code alone knows which parts run, how often, in which order and under which labels. */
  readonly ownCode?: boolean | undefined
  /** The parts run one after the other. */
  readonly inOrder?: boolean | undefined
  /** A person stands before it, always or sometimes. */
  readonly gated?: boolean | undefined
  /** A part is not begun when its p99 is above all the time left, or when later ones need all of it. */
  readonly keepsTime?: boolean | undefined
  /** When it fails or is cancelled, what its parts did is undone: those that have a compensation, and whatever inside them undoes itself. */
  readonly compensates?: boolean | undefined
  /** A part runs several times, and the first failure ends the whole, whatever the others have done. */
  readonly repeats?: boolean | undefined
  /** When it fails, parts that are under way are cancelled half-way. */
  readonly cancels?: boolean | undefined
  /** Parts are cancelled or left behind when others have answered. */
  readonly raced?: boolean | undefined
  /** So many parts must succeed; all of them where it is not said. */
  readonly needs?: number | undefined
  /** A list with more items than this is refused. */
  readonly mostItems?: number | undefined
  /** Its part runs at most so many times. */
  readonly mostTurns?: number | undefined
  /** A failed part does not end it: the message goes to the next. */
  readonly continues?: boolean | undefined
  /** The figures are those of the least that may run: a time or a cost is at least that, a reliability at most. */
  readonly atLeast?: boolean | undefined
  /** The figures of the whole from those of its parts, in their order. */
  readonly figures: (parts: readonly Estimates[]) => Estimates
}
