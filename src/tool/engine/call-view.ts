import { privateCopy } from '../../schema/private-copy.ts'
import { declaresSecrets } from '../secrets/secret-fields.ts'
import { isModelArguments } from '../input/arguments.ts'
import { plainArguments } from '../input/decoded-arguments.ts'
import type { KnownSecrets } from '../secrets/known-secrets.ts'
import { logView, MASK, secretsIn } from '../secrets/mask.ts'
import type { Call } from './call.ts'

interface Validated {
  readonly input: unknown
  /** Undefined until a text about the call, or about one around it, is masked. */
  secrets: readonly string[] | undefined
}

interface Searched {
  readonly given: unknown
  readonly validated: Validated | undefined
  readonly secrets: KnownSecrets
}

const searched = new WeakMap<Call, Searched>()

/** The validated inputs of observed calls. A default or a transform may have made secrets that the given input does not hold. */
const validatedInputs = new WeakMap<Call, Validated>()

/** Remembers the validated input for the texts about an observed call. */
export function noteValidated(call: Call, input: unknown): void {
  if (call.root.observed && input !== call.given) validatedInputs.set(call, { input, secrets: undefined })
}

/** Every secret of the call and of those around it. Searched once in each input: a list may be long, and each of its items may ask. */
function ownSecretsOf(call: Call): KnownSecrets {
  const { given, behaviour, parent, root } = call
  const validated = validatedInputs.get(call)
  const before = searched.get(call)
  if (before !== undefined && before.given === given && before.validated === validated) return before.secrets
  const own = secretsIn(isModelArguments(given) ? plainArguments(given) : given, behaviour.input.schema)
  const secrets = (parent === undefined ? root.revealedSecrets : ownSecretsOf(parent)).with([...own, ...validatedSecretsOf(call)])
  searched.set(call, { given, validated, secrets })
  return secrets
}

function validatedSecretsOf(call: Call): readonly string[] {
  const validated = validatedInputs.get(call)
  return validated === undefined ? [] : (validated.secrets ??= secretsIn(validated.input, call.behaviour.input.schema))
}

const ended = new WeakMap<Call, KnownSecrets>()

/** The secrets that a text about a call might repeat. The result of a call may repeat secrets that were made in the calls inside it. */
export function secretsOf(call: Call): KnownSecrets {
  if (call.end === undefined || call.allParts.length === 0) return ownSecretsOf(call)
  let secrets = ended.get(call)
  if (secrets === undefined) ended.set(call, (secrets = ownSecretsOf(call).with(new Set(madeInside(call)))))
  return secrets
}

function* madeInside({ allParts }: Call): Generator<string> {
  for (const part of allParts) {
    yield* validatedSecretsOf(part)
    yield* madeInside(part)
  }
}

/** The input of a call without its secrets. Listeners get it, and cannot change the input through it. Text that could not be parsed is hidden whole where the tool declares secrets. */
export function maskedInput({ given, behaviour, secrets }: Call): unknown {
  if (isModelArguments(given) && given.text !== undefined && declaresSecrets(behaviour.input.schema)) return MASK
  return privateCopy(logView(isModelArguments(given) ? (given.text ?? plainArguments(given)) : given, behaviour.input.schema, secrets))
}

/** The output of a call without its secrets; undefined where it did not succeed. */
export function maskedOutput(call: Call): unknown {
  const { result, behaviour } = call
  return result?.ok === true ? logView(result.value, behaviour.output?.output ?? {}, secretsWithOutput(call)) : undefined
}

/** The secrets of a call with those of its output. */
export function secretsWithOutput({ result, behaviour, secrets }: Call): KnownSecrets {
  return result?.ok === true ? secrets.with(secretsIn(result.value, behaviour.output?.output)) : secrets
}

/** The fields of a call that may be printed or sent. */
export function viewOf({ tool, version, layer, path, invocationId, traceId, parentId, agent, task, session, input, output }: Call): object {
  return { tool, version, layer, path, invocationId, traceId, parentId, agent, task, session, input, output }
}
