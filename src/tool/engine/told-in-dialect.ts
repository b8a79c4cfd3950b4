import type { ModelArguments } from '../input/arguments.ts'
import { type SentArguments, sentArguments, toldInPlaces } from '../input/decoded-arguments.ts'
import type { Call } from './call.ts'

const sentTo = new WeakMap<Call, SentArguments>()

/** The errors about the input of a call name the places of what the model sent. */
export function tellInDialect(call: Call, given: ModelArguments): void {
  const sent = sentArguments(given)
  if (sent !== undefined) sentTo.set(call, sent)
}

/** An error as the model can read it. The layers around a tool pass the input on, so that it is the same inside them. */
export function toldInDialect(call: Call, thrown: unknown): unknown {
  let from: Call | undefined = call
  for (; from !== undefined; from = from.parent?.behaviour.layer === undefined ? undefined : from.parent) {
    const sent = sentTo.get(from)
    if (sent !== undefined) return toldInPlaces(thrown, sent, call.tool)
  }
  return thrown
}
