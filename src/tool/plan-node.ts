import type { JsonSchema } from '../schema/json-schema.ts'
import type { AgentTool } from './agent-tool.ts'
import type { DeciderRule } from './deciders.ts'
import type { Mapping } from './given/fitting-mapping.ts'
import type { Estimates } from './metadata.ts'

/** A function between two tools. With an output schema the edge can be checked; without one it cannot. */
export interface PlanAdapter {
  readonly name: string
  readonly schema?: JsonSchema | undefined
  /** Where each field comes from, if it says so as data: then each field is checked by the schema of its origin. */
  readonly mapping?: Mapping | undefined
}

/** How well a step of a saga can be undone: fully, in meaning, with traces left behind, or not at all. */
export type CompensationClass = 'reversible' | 'semantic' | 'traces' | 'irreversible'

/** A tool inside a compound one, under the label that its calls carry. */
export interface PlanPart {
  readonly label: string
  readonly tool: AgentTool
  /** Its input: that of the whole, the output of the part before, one item of the input, or unknown before the run. */
  readonly takes: 'input' | 'previous' | 'item' | 'unknown'
  readonly adapter?: PlanAdapter | undefined
  /** Its figures in this place, where they differ from those of its tool. */
  readonly estimates?: Estimates | undefined
  /** On what condition it runs, in words. */
  readonly when?: string | undefined
  /** A schema that the input of the whole also satisfies under the condition. */
  readonly known?: JsonSchema | undefined
  /** It runs again on its own output, unchanged or through an adapter, until a predicate ends it. */
  readonly again?: { readonly adapter?: PlanAdapter | undefined } | undefined
  /** How its effect is undone if the whole fails; `irreversible`: not at all. */
  readonly compensation?: CompensationClass | undefined
  /** The label of the part that it undoes. It runs only when the whole has failed. */
  readonly undoes?: string | undefined
}

/** A field that a tool reads in the output of its parts, or in its input. Positions stand for every item of a list. */
export interface PlanRead {
  readonly of: 'output' | 'input'
  readonly path: readonly (string | number)[]
  /** By which rule, in words. */
  readonly by: string
  /** The labels of the parts whose outputs it reads; all by default. */
  readonly parts?: readonly string[] | undefined
}

/**
 * In which order a tool runs its parts.
 * - `leaf`: it has none; it is one step in a journal.
 * - `one`: its only part, at most once; another attempt after a failure is the same step.
 * - `sequence`: one after the other. Parts that undo run after a failure, the latest first.
 * - `together`: all of them, side by side.
 * - `race`: side by side; when enough have ended, the others are cancelled.
 * - `choice`: one of them.
 * - `alternatives`: one after the other, until one succeeds.
 * - `repeat`: its only part, several times.
 * - `free`: its own code decides.
 */
export type PlanOrder = 'leaf' | 'one' | 'sequence' | 'together' | 'race' | 'choice' | 'alternatives' | 'repeat' | 'free'

/**
 * Under which labels the parts are called.
 * - `name`: each under its own label.
 * - `numbered`: under its own label, and from the second time with a number: `turn`, `turn#2`.
 * - `index`: under the position of the item, from 0.
 */
export type PlanLabels = 'name' | 'numbered' | 'index'

/** The meaning of a plan. Code that reads plans decides by this, never by the name of a combinator. */
export interface PlanMeaning {
  readonly order: PlanOrder
  readonly labels: PlanLabels
  /** The label of the record after which no part begins; with numbered labels, that of one turn. Undefined if there is none. */
  readonly closedBy: string | undefined
}

/**
 * How often a gate asks a person before a call: `always`; `sometimes`, if a predicate says which calls, or if a call goes on when nobody decides
 * in time; `never`, if the predicate is the constant `false`.
 */
export type PlanAsks = 'always' | 'sometimes' | 'never'

/** The structure of a tool; `check`, `explain`, the resolver and durable runs read it. */
export interface PlanNode extends PlanMeaning {
  /** The combinator's name, for people: `leaf`, `compound`, `gate`, `pipe`, ... */
  readonly kind: string
  /** A layer changes how one tool is called and has its name. */
  readonly layer: boolean
  readonly parts: readonly PlanPart[]
  /** More about the kind, in words: `quorum of 2`, `at most 5 times`. */
  readonly detail?: string | undefined
  /** It needs an approval, always or sometimes. */
  readonly gated?: boolean | undefined
  /** Whether a call always waits for the word of a person, as far as that can be told before a run: always, unless it says otherwise. */
  readonly asks?: PlanAsks | undefined
  /** When it needs it, in words and code; undefined if always. */
  readonly condition?: string | undefined
  /** How many people must approve it, and who they may be, if it says so. */
  readonly approvals?: DeciderRule | undefined
  /** A part is not begun when its p99 is above all the time left, or when later ones need all of it. */
  readonly keepsTime?: boolean | undefined
  /** If it fails or is cancelled, its parts are undone: by their compensations, and by the tools inside that undo themselves. */
  readonly compensates?: boolean | undefined
  /** A call of it in memory may end with a receipt while its work goes on. In a recorded run it does not. */
  readonly detaches?: boolean | undefined
  /** A part runs several times, and the first failure ends the whole, even if others have taken effect. */
  readonly repeats?: boolean | undefined
  /** A part that has failed is called again. */
  readonly retries?: boolean | undefined
  /** It may call its part with another input than its own. Behind a gate that has passed its input it does not. */
  readonly changesInput?: boolean | undefined
  /** When it fails, parts that are under way are cancelled half-way. */
  readonly cancels?: boolean | undefined
  /** The number of parts that must succeed; all by default. */
  readonly needs?: number | undefined
  /** So many parts run at the same time at most: of a map or of parallel branches, or in all calls together if it is a layer. */
  readonly concurrency?: number | undefined
  /** A list with more items than this is refused. */
  readonly maxItems?: number | undefined
  /** Its parts are asked for the same thing: none of them may take effect. */
  readonly onlyReads?: boolean | undefined
  /** The fields that it needs of its parts, and of its input. */
  readonly reads?: readonly PlanRead[] | undefined
  /** The maximum number of runs of its part. */
  readonly maxTurns?: number | undefined
  /** A failed part does not end it: the message goes to the next. */
  readonly continues?: boolean | undefined
  /** The figures are those of the least that may run: a time or a cost is at least that, a reliability at most. */
  readonly atLeast?: boolean | undefined
  /** The figures of the whole from those of its parts, in their order. */
  readonly figures: (parts: readonly Estimates[]) => Estimates
}

/** How a plan says that a person is asked. Without a rule, nobody is. */
export function gatedBy(
  rule: Pick<PlanNode, 'asks' | 'condition' | 'approvals'> | undefined,
): Pick<PlanNode, 'gated' | 'asks' | 'condition' | 'approvals'> {
  const { asks, condition, approvals } = rule ?? {}
  return {
    gated: rule !== undefined,
    ...(asks === undefined ? {} : { asks }),
    ...(condition === undefined ? {} : { condition }),
    ...(approvals === undefined ? {} : { approvals }),
  }
}

/** The plan of a tool without parts. */
export function leafPlan(more: Pick<PlanNode, 'gated' | 'asks' | 'condition' | 'approvals' | 'figures'>): PlanNode {
  return { kind: 'leaf', order: 'leaf', labels: 'name', closedBy: undefined, layer: false, parts: [], ...more }
}
