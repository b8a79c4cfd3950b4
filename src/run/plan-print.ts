import { createHash } from 'node:crypto'
import type { AgentTool } from '../tool/agent-tool.ts'
import type { Effect } from '../tool/metadata.ts'
import type { PlanNode, PlanPart } from '../tool/plan-node.ts'

/** What a run keeps of the make-up of its tool: names, effects, labels and their order, but no versions. */
export interface PlanOutline {
  readonly name: string
  readonly effect: Effect
  /** `pipe`, `parallel raced`, ... */
  readonly kind: string
  /** How often its part may run at the most. */
  readonly most?: number | undefined
  readonly parts: readonly OutlinedPart[]
}

export interface OutlinedPart {
  readonly label: string
  /** The hash of one that is too large to be kept. */
  readonly outline: PlanOutline | string
  /** It runs only when the whole has failed. */
  readonly undoes: boolean
}

/** Larger outlines are kept as a hash. */
const MOST_CHARACTERS = 16_384

const prints = new WeakMap<AgentTool, string>()

/** The same text for tools that are made up alike: an outline in JSON, or the hash of a large one. */
export function planPrint(tool: AgentTool): string {
  const known = prints.get(tool)
  if (known !== undefined) return known
  const node = tool.plan()
  const most = node.mostTurns ?? node.mostItems
  const own = [tool.name, tool.effect, kindOf(node), ...(most === undefined ? [] : [most])].map((each) => JSON.stringify(each))
  const text = `[${[...own, ...node.parts.map(partPrint)].join(',')}]`
  const print = text.length <= MOST_CHARACTERS ? text : JSON.stringify(createHash('sha256').update(text).digest('base64url'))
  prints.set(tool, print)
  return print
}

function partPrint({ label, tool, undoes }: PlanPart): string {
  return `[${JSON.stringify(label)},${planPrint(tool)}${undoes === undefined ? '' : ',1'}]`
}

/** A race is another thing than waiting for all. Whatever a compound calls itself, it is its own code that runs its parts. */
function kindOf({ kind, raced = false, ownCode = false }: PlanNode): string {
  if (ownCode) return 'compound'
  return raced ? `${kind} raced` : kind
}

type Printed = string | readonly [name: string, effect: Effect, kind: string, ...more: (number | PrintedPart)[]]
type PrintedPart = readonly [label: string, outline: Printed, undoes?: 1]

/** What a print stands for. */
export function readPrint(print: string): PlanOutline | string {
  return print.startsWith('[') ? outlineOf(JSON.parse(print) as Printed) : print
}

function outlineOf(printed: Printed): PlanOutline | string {
  if (typeof printed === 'string') return printed
  const [name, effect, kind, ...more] = printed
  const parts = more.filter((each) => typeof each !== 'number')
  const most = more.find((each) => typeof each === 'number')
  return {
    name,
    effect,
    kind,
    ...(most === undefined ? {} : { most }),
    parts: parts.map(([label, outline, undoes]) => ({ label, outline: outlineOf(outline), undoes: undoes === 1 })),
  }
}
