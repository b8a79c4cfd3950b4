import type { JsonSchema } from '../../schema/json-schema.ts'
import { acceptApart } from '../accepted-input.ts'
import type { AgentTool } from '../agent-tool.ts'
import { type Behaviour, behaviourOf } from '../behaviour.ts'
import { isToolError } from '../errors/tool-error.ts'
import type { KeptPart } from '../journal/kept-input.ts'
import type { PlanPart } from '../plan-node.ts'
import type { ApprovedPart } from './approved-parts.ts'
import { isMadeOf, repeatableInput } from './repeatable-input.ts'
import { isSame } from './same-input.ts'

/** A part of a tool that makes something else of its input than what is shown for the whole. */
export interface ForeseenPart extends ApprovedPart {
  readonly tool: AgentTool
  readonly schema: JsonSchema
  /** It gets the input of the whole, not an item of it. */
  readonly isOfWhole: boolean
}

/** What is known of the inputs of all parts before the first of them runs. */
export interface Foreseen {
  /** The input of the whole: as its parts make it, where they all make the same of it. */
  readonly input: unknown
  readonly parts: readonly ForeseenPart[]
  /** What transforms of parts make of these inputs, the same each time, where a record asks for it. */
  readonly made: readonly unknown[]
}

/** An input that a tool takes: as it can be validated again, and as the tool runs with it. */
interface Taken {
  readonly form: unknown
  readonly input: unknown
  /** Its own schema refuses it, but the tool only passes it on, and its parts decide. */
  readonly isRefused?: boolean
}

/**
 * The inputs of the parts of a tool, from its own. What a function makes for a part, and what a part makes of the output of another, is not
 * known before the run: it is left out.
 */
export async function foreseenParts(behaviour: Behaviour, taken: Taken, options: ForesightOptions): Promise<Foreseen> {
  return behaviour.leaf ? { input: taken.form, parts: [], made: [] } : new Foresight(options).within(behaviour, taken, '')
}

interface ForesightOptions {
  /** A record asks for what transforms make. */
  readonly isRecorded: boolean
  /** What was recorded of parts whose schemas make another input each time. */
  readonly kept?: readonly KeptPart[] | undefined
}

/** Whether a part may get something else than the validated input. Not where there is one part, which validates the input for the whole. */
export function mayMakeMore(behaviour: Behaviour): boolean {
  const known = knownParts(behaviour)
  const [part] = known
  if (part === undefined) return false
  const inner = behaviourOf(part.tool)
  return known.length > 1 || inner.input !== behaviour.input || mayMakeMore(inner)
}

/** Those that get the input as it is, or an item of it. */
function knownParts({ plan }: Behaviour): readonly PlanPart[] {
  return plan.parts.filter(
    ({ takes, adapter, undoes }) => (takes === 'input' || takes === 'item') && adapter === undefined && undoes === undefined,
  )
}

class Foresight {
  readonly #isRecorded: boolean
  readonly #kept: ReadonlyMap<string, unknown>

  constructor({ isRecorded, kept = [] }: ForesightOptions) {
    this.#isRecorded = isRecorded
    this.#kept = new Map(kept.map(({ path, input }) => [path, input]))
  }

  /** `at`: the path of the tool below the whole. */
  async within(behaviour: Behaviour, taken: Taken, at: string): Promise<Foreseen> {
    const { plan, forwardsInput } = behaviour
    const base = forwardsInput ? taken.form : taken.input
    const sharing = knownParts(behaviour)
    const item = sharing.find(({ takes }) => takes === 'item')
    if (item !== undefined) {
      const isTaken = Array.isArray(base) && base.length <= (plan.maxItems ?? Infinity)
      return isTaken ? this.#withinItems(item, base, { forwardsInput, form: taken.form, at }) : { input: taken.form, parts: [], made: [] }
    }
    const inside: Inside[] = []
    for (const part of sharing) {
      const found = await this.#inside(part, { given: base, at }, behaviour, taken)
      if (found !== undefined) inside.push(found)
    }
    const [first, ...others] = inside
    const nested = inside.flatMap(({ label, foreseen }) => below(label, foreseen.parts))
    const made = inside.flatMap((each) => each.foreseen.made)
    // One that refuses the input might take what the others make of it.
    const isAgreed =
      first !== undefined &&
      forwardsInput &&
      inside.length === sharing.length &&
      others.every(({ foreseen }) => isSame(foreseen.input, first.foreseen.input)) &&
      (isSame(first.foreseen.input, base) || (await isTakenToo(behaviour, first.foreseen.input, taken)))
    if (isAgreed) return { input: first.foreseen.input, parts: nested, made }
    return { input: taken.form, parts: [...inside.flatMap((each) => differing(each, base)), ...nested], made }
  }

  async #withinItems(part: PlanPart, items: readonly unknown[], { forwardsInput, form, at }: Listed): Promise<Foreseen> {
    const forms: unknown[] = []
    const parts: ForeseenPart[] = []
    const made: unknown[] = []
    for (const [index, given] of items.entries()) {
      const found = await this.#inside({ ...part, label: String(index) }, { given, at })
      forms.push(found === undefined ? given : found.foreseen.input)
      if (found === undefined) continue
      const inside = [...(forwardsInput ? [] : differing(found, given)), ...below(found.label, found.foreseen.parts)]
      parts.push(...inside.map((each) => ({ ...each, isOfWhole: false })))
      made.push(...found.foreseen.made)
    }
    return { input: forwardsInput ? forms : form, parts, made }
  }

  /** Undefined for a part that will refuse the input. A layer takes what the tool inside takes: its input is not validated again. */
  async #inside({ label, tool }: PlanPart, { given, at }: Placed, around?: Behaviour, taken?: Taken): Promise<Inside | undefined> {
    const behaviour = behaviourOf(tool)
    const path = at === '' ? label : `${at}/${label}`
    const isSamePort = around?.forwardsInput === true && around.input === behaviour.input && taken?.isRefused !== true
    const own =
      isSamePort && taken !== undefined ? taken : await this.#takenBy(tool, behaviour, this.#kept.has(path) ? this.#kept.get(path) : given)
    if (own === undefined) return undefined
    const foreseen = behaviour.leaf ? { input: own.form, parts: [], made: [] } : await this.within(behaviour, own, path)
    const made = this.#isRecorded && !isSamePort && (await isMadeOf(own.form, { input: own.input, accept: acceptFor(tool, behaviour) }))
    return { label, tool, schema: behaviour.input.schema, foreseen: made ? { ...foreseen, made: [own.input, ...foreseen.made] } : foreseen }
  }

  async #takenBy(tool: AgentTool, behaviour: Behaviour, given: unknown): Promise<Taken | undefined> {
    const accept = acceptFor(tool, behaviour)
    try {
      const input = await accept(given)
      return { input, form: await repeatableInput({ given, input, accept }) }
    } catch (error) {
      if (!isToolError(error)) throw error
      return behaviour.forwardsInput ? { input: given, form: given, isRefused: true } : undefined
    }
  }
}

interface Inside extends Pick<ForeseenPart, 'tool' | 'schema'> {
  readonly label: string
  readonly foreseen: Foreseen
}

interface Listed {
  readonly forwardsInput: boolean
  readonly form: unknown
  readonly at: string
}

/** What a part is given, and the path of the tool around it. */
interface Placed {
  readonly given: unknown
  readonly at: string
}

function acceptFor({ name }: AgentTool, { input }: Behaviour): (given: unknown) => Promise<unknown> {
  return async (given) => acceptApart(input, given, name)
}

/** Whether the tool around takes what its parts make of its input, and makes no more of it than of the input itself. */
async function isTakenToo(behaviour: Behaviour, form: unknown, taken: Taken): Promise<boolean> {
  try {
    const again = await acceptApart(behaviour.input, form, '')
    return isSame(again, taken.input) || (isSame(taken.input, taken.form) && isSame(again, form))
  } catch (error) {
    if (isToolError(error)) return false
    throw error
  }
}

function differing({ label, tool, schema, foreseen: { input } }: Inside, given: unknown): readonly ForeseenPart[] {
  return isSame(input, given) ? [] : [{ path: label, tool, given, input, schema, isOfWhole: true }]
}

function below(label: string, parts: readonly ForeseenPart[]): readonly ForeseenPart[] {
  return parts.map((part) => ({ ...part, path: `${label}/${part.path}` }))
}
