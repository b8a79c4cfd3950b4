import { isToolError } from '../errors/tool-error.ts'
import { decode, encode } from '../journal/codec.ts'
import { KEPT_INPUT, type KeptInput, type KeptPart, readKeptInput } from '../journal/kept-input.ts'
import type { Call } from './call.ts'
import { noteValidated } from './call-view.ts'
import { decideAt } from './decide.ts'
import { type Foreseen, foreseenParts } from './foreseen-parts.ts'
import { readEntry } from './journal-access.ts'
import { isMadeOf, repeatableInput } from './repeatable-input.ts'
import { isSame } from './same-input.ts'
import { underWay } from './under-way.ts'

/** What is known before a call begins: its own input, and those of its parts. */
export interface ForeseenWhole extends Foreseen {
  /** The input of the whole in a form that can be validated again. */
  readonly form: unknown
  /** What the schema of the whole makes of it. */
  readonly taken: unknown
  /** It was recorded, since the schemas make another one each time. */
  readonly isKept: boolean
}

/** An input as it was given, and what the schema of the call has made of it. */
interface Given {
  readonly given: unknown
  readonly input: unknown
}

/** In a recorded run, the same for each segment of it. `round`: the first input of the call, or one that was edited. */
export async function foresee(call: Call, { given, input }: Given, round = 1): Promise<ForeseenWhole> {
  if (call.journal === undefined) return foreseenOf(call, { given, input })
  const path = `${call.path}${KEPT_INPUT}${round === 1 ? '' : `#${round}`}`
  const kept = keptInput(call, path)
  if (kept !== undefined) return (await foreseenAgain(call, kept)) ?? foreseenOf(call, { given, input })
  const foreseen = await foreseenOf(call, { given, input })
  // Of an input that is taken as it is, the same is made each time.
  if (foreseen.parts.length === 0 && isSame(foreseen.input, given)) return foreseen
  const again = await foreseenOf(call, { given, input: await acceptFor(call)(given) })
  return isSameSight(foreseen, again) ? foreseen : keep(call, path, foreseen)
}

async function foreseenOf(call: Call, { given, input }: Given, kept?: readonly KeptPart[]): Promise<ForeseenWhole> {
  const form = await repeatableInput({ given, input, accept: acceptFor(call) })
  const isRecorded = call.journal !== undefined
  const foreseen = await underWay(call, () => foreseenParts(call.behaviour, { form, input }, { isRecorded, kept }))
  return { form, taken: input, isKept: kept !== undefined, ...foreseen }
}

/** What a transform of the whole makes of the shown input, the same each time, where a record asks for it. */
export async function madeOf(call: Call, { form, taken }: ForeseenWhole): Promise<{ readonly made?: unknown }> {
  return call.journal !== undefined && (await isMadeOf(form, { input: taken, accept: acceptFor(call) })) ? { made: taken } : {}
}

function acceptFor(call: Call): (input: unknown) => Promise<unknown> {
  return (input) => underWay(call, async () => call.behaviour.input.accept(input, call.tool))
}

/** Whether a person would be shown the same. */
export function isSameSight(one: Foreseen, other: Foreseen): boolean {
  if (!isSame(one.input, other.input) || one.parts.length !== other.parts.length) return false
  return one.parts.every((part, index) => part.path === other.parts[index]?.path && isSame(part.input, other.parts[index].input))
}

function keptInput(call: Call, path: string): KeptInput | undefined {
  const entry = readEntry(call, path)
  return entry?.kind === 'decision' ? readKeptInput(decode(entry.value)) : undefined
}

/** Recorded before anybody is asked. An input that no journal can hold is left as it is: the resumed run then says that it differs. */
async function keep(call: Call, place: string, foreseen: ForeseenWhole): Promise<ForeseenWhole> {
  const parts = foreseen.parts.map(({ path, tool, input }) => ({ path, tool: tool.name, input }))
  const kept: KeptInput = { tool: call.tool, input: foreseen.input, parts }
  if (!isRecordable(kept)) return foreseen
  await decideAt(call, place, () => kept)
  return (await foreseenAgain(call, kept)) ?? foreseen
}

function isRecordable(kept: KeptInput): boolean {
  try {
    encode(kept)
    return true
  } catch {
    return false
  }
}

/** Undefined if a newer schema does not take it: the approval is then not valid for what that schema makes. */
async function foreseenAgain(call: Call, { input: given, parts }: KeptInput): Promise<ForeseenWhole | undefined> {
  try {
    const input = await acceptFor(call)(given)
    noteValidated(call, input)
    return await foreseenOf(call, { given, input }, parts)
  } catch (error) {
    if (isToolError(error)) return undefined
    throw error
  }
}
