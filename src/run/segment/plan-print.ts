import { createHash } from 'node:crypto'
import type { AgentTool } from '../../tool/agent-tool.ts'
import type { Effect } from '../../tool/metadata.ts'
import type { PlanLabels, PlanMeaning, PlanNode, PlanOrder, PlanPart } from '../../tool/plan-node.ts'
import { isRecord } from '../../schema/json-schema.ts'

/** What a run keeps of the make-up of its tool: names, effects, meaning, labels and their order, but no versions. */
export interface PlanOutline extends PlanMeaning {
  readonly name: string
  readonly effect: Effect
  /** The combinator's name, for messages only. */
  readonly kind: string
  /** When it fails, what its parts did is undone. */
  readonly compensates: boolean
  /** A person is asked before it runs. */
  readonly asks: boolean
  /** Where a leaf comes from, such as another server: a tool of the same name from elsewhere is another tool. */
  readonly source: string | undefined
  /** How often its part may run at the most. */
  readonly most: number | undefined
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
  const own = [tool.name, tool.effect, node.kind, node.order, ...detailsOf(node, tool)].map((each) => JSON.stringify(each))
  const text = `[${[...own, ...node.parts.map(partPrint)].join(',')}]`
  const print = text.length <= MOST_CHARACTERS ? text : JSON.stringify(createHash('sha256').update(text).digest('base64url'))
  prints.set(tool, print)
  return print
}

function partPrint({ label, tool, undoes }: PlanPart): string {
  return `[${JSON.stringify(label)},${planPrint(tool)}${undoes === undefined ? '' : ',1'}]`
}

/** What is not as in most plans; absent where all is. */
function detailsOf(
  { order, labels, closedBy, compensates = false, gated: asks = false, maxTurns, maxItems = maxTurns }: PlanNode,
  { source }: AgentTool,
): readonly object[] {
  const details = {
    ...(labels === 'name' ? {} : { labels }),
    ...(closedBy === undefined ? {} : { closedBy }),
    ...(compensates ? { compensates } : {}),
    ...(asks ? { asks } : {}),
    ...(maxItems === undefined ? {} : { most: maxItems }),
    ...(order === 'leaf' && source !== undefined ? { source } : {}),
  }
  return Object.keys(details).length === 0 ? [] : [details]
}

/** What a print stands for: an outline, or the hash of a large one. Undefined where it is not of the form that this version writes. */
export function readPrint(print: string): PlanOutline | string | undefined {
  try {
    return outlineOf(JSON.parse(print))
  } catch {
    return undefined
  }
}

const HASH = /^[\w-]{43}$/

function outlineOf(printed: unknown): PlanOutline | string {
  if (typeof printed === 'string') return HASH.test(printed) ? printed : unreadable()
  const [name, effect, kind, order, ...more] = listOf(printed)
  const { labels = 'name', closedBy, compensates = false, asks = false, most, source, ...rest } = isRecord(more[0]) ? more[0] : {}
  if (Object.keys(rest).length > 0) unreadable()
  return {
    name: textOf(name),
    effect: oneOf(EFFECTS, effect),
    kind: textOf(kind),
    order: oneOf(ORDERS, order),
    labels: oneOf(LABELS, labels),
    closedBy: closedBy === undefined ? undefined : textOf(closedBy),
    compensates: typeof compensates === 'boolean' ? compensates : unreadable(),
    asks: typeof asks === 'boolean' ? asks : unreadable(),
    source: source === undefined ? undefined : textOf(source),
    most: most === undefined || typeof most === 'number' ? most : unreadable(),
    parts: (isRecord(more[0]) ? more.slice(1) : more).map(partOf),
  }
}

function partOf(printed: unknown): OutlinedPart {
  const [label, outline, undoes] = listOf(printed)
  return { label: textOf(label), outline: outlineOf(outline), undoes: undoes === undefined ? false : undoes === 1 || unreadable() }
}

const EFFECTS: Readonly<Record<Effect, true>> = { read: true, write: true, irreversible: true }
const LABELS: Readonly<Record<PlanLabels, true>> = { name: true, numbered: true, index: true }
const ORDERS: Readonly<Record<PlanOrder, true>> = {
  leaf: true,
  one: true,
  sequence: true,
  together: true,
  race: true,
  choice: true,
  alternatives: true,
  repeat: true,
  free: true,
}

function oneOf<T extends string>(known: Readonly<Record<T, true>>, given: unknown): T {
  return typeof given === 'string' && Object.hasOwn(known, given) ? (given as T) : unreadable()
}

function textOf(given: unknown): string {
  return typeof given === 'string' ? given : unreadable()
}

function listOf(given: unknown): readonly unknown[] {
  return Array.isArray(given) ? (given as readonly unknown[]) : unreadable()
}

function unreadable(): never {
  throw new TypeError('This is not the print of a plan.')
}
