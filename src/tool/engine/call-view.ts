import { privateCopy } from '../../schema/private-copy.ts'
import { declaresSecrets } from '../secrets/secret-fields.ts'
import { isModelArguments } from '../input/arguments.ts'
import type { KnownSecrets } from '../secrets/known-secrets.ts'
import { logView, MASK, secretsIn } from '../secrets/mask.ts'
import type { Call } from './call.ts'

/** Remembers the validated input for the texts about an observed call. */
export function noteValidated(call: Call, input: unknown): void {
  if (call.root.observed && input !== call.given) call.lazily.validated = { input, secrets: undefined }
}

/** Every secret of the call and of those around it. Searched once in each input: a list may be long, and each of its items may ask. */
function ownSecretsOf(call: Call): KnownSecrets {
  const { given, behaviour, parent, root } = call
  const { validated, searched: before } = call.lazily
  if (before !== undefined && before.given === given && before.validated === validated) return before.secrets
  const own = secretsIn(isModelArguments(given) ? given.value : given, behaviour.input.schema)
  const secrets = (parent === undefined ? root.revealedSecrets : ownSecretsOf(parent)).with([...own, ...validatedSecretsOf(call)])
  call.lazily.searched = { given, validated, secrets }
  return secrets
}

function validatedSecretsOf(call: Call): readonly string[] {
  const validated = call.rare?.validated
  return validated === undefined ? [] : (validated.secrets ??= secretsIn(validated.input, call.behaviour.input.schema))
}

/** The secrets that a text about a call might repeat. The result of a call may repeat secrets that were made in the calls inside it. */
export function secretsOf(call: Call): KnownSecrets {
  if (call.end === undefined || call.allParts.length === 0) return ownSecretsOf(call)
  return (call.lazily.secretsAtEnd ??= ownSecretsOf(call).with(new Set(madeInside(call))))
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
  return privateCopy(logView(isModelArguments(given) ? (given.text ?? given.value) : given, behaviour.input.schema, secrets))
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
