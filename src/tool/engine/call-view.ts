import { privateCopy } from '../../schema/private-copy.ts'
import { declaresSecrets } from '../secrets/secret-fields.ts'
import { isModelArguments } from '../input/arguments.ts'
import { MASK, mask, secretsIn } from '../secrets/mask.ts'
import type { Call } from './call.ts'

interface KnownSecrets {
  readonly given: unknown
  readonly found: Iterable<string>
}

const known = new WeakMap<Call, KnownSecrets>()

/** Every secret of the call and of those around it. */
export function secretsOf(call: Call): ReadonlySet<string> {
  return new Set([...(call.parent?.secrets ?? call.root.revealedSecrets), ...ownSecrets(call)])
}

/** Searched once in each input: a list may be long, and each of its items may ask. */
function ownSecrets(call: Call): Iterable<string> {
  const { given, behaviour } = call
  const before = known.get(call)
  if (before !== undefined && before.given === given) return before.found
  const found = secretsIn(isModelArguments(given) ? given.value : given, behaviour.input.schema)
  known.set(call, { given, found })
  return found
}

/** The input of a call without its secrets. Listeners get it, and cannot change the input through it. Text that could not be parsed is hidden whole where the tool declares secrets. */
export function maskedInput({ given, behaviour, secrets }: Call): unknown {
  if (isModelArguments(given) && given.text !== undefined && declaresSecrets(behaviour.input.schema)) return MASK
  return privateCopy(mask(isModelArguments(given) ? (given.text ?? given.value) : given, behaviour.input.schema, secrets))
}

/** The output of a call without its secrets; undefined where it did not succeed. */
export function maskedOutput({ result, behaviour, secrets }: Call): unknown {
  return result?.ok === true ? mask(result.value, behaviour.output?.output, secrets) : undefined
}

/** The fields of a call that may be printed or sent. */
export function viewOf({ tool, version, layer, path, invocationId, traceId, parentId, agent, task, session, input, output }: Call): object {
  return { tool, version, layer, path, invocationId, traceId, parentId, agent, task, session, input, output }
}
