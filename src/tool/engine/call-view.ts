import { isRecord } from '../../schema/json-schema.ts'
import { kindAndSize } from '../../schema/quote.ts'
import type { Behaviour } from '../behaviour.ts'
import { isModelArguments, type ModelArguments } from '../input/arguments.ts'
import type { KnownSecrets } from '../secrets/known-secrets.ts'
import { logView, logViewApart, secretsIn } from '../secrets/mask.ts'
import { declaresSecrets } from '../secrets/secret-fields.ts'
import type { CallInfo } from '../event.ts'
import type { Call } from './call.ts'

/** Remembers the validated input for the texts about an observed call. */
export function noteValidated(call: Call, input: unknown): void {
  if (call.root.observed && input !== call.given) call.lazily.validated = { input, secrets: undefined }
}

/** Every secret of the call and of those around it. Searched once in each input: a list may be long, and each of its items may ask. */
function ownSecretsOf(call: Call): KnownSecrets {
  const { given, parent, root } = call
  const { validated, searched: before } = call.lazily
  if (before !== undefined && before.given === given && before.validated === validated) return before.secrets
  const own = givenSecretsOf(call)
  const secrets = (parent === undefined ? root.loggedSecrets : ownSecretsOf(parent)).with([...own, ...validatedSecretsOf(call)])
  call.lazily.searched = { given, validated, secrets }
  return secrets
}

function givenSecretsOf(call: Call): readonly string[] {
  const read = readInput(call)
  return 'input' in read ? secretsIn(read.input, call.behaviour.input.schema) : []
}

function validatedSecretsOf(call: Call): readonly string[] {
  const validated = call.rare?.validated
  return validated === undefined ? [] : (validated.secrets ??= secretsIn(validated.input, call.behaviour.input.schema))
}

/**
 * The secrets of a call that no record of its input shows, because validation made them: of its own input, and of answers. A record keeps
 * them, so that a process that resumes or shows the run can mask them.
 */
export function madeSecretsOf(call: Call): ReadonlySet<string> {
  const made = new Set(validatedSecretsOf(call))
  if (made.size > 0) for (const secret of givenSecretsOf(call)) made.delete(secret)
  for (const secret of call.root.madeSecrets) made.add(secret)
  return made
}

/** What is known of the secrets of a call that has ended, for a record of it. */
export interface CallSecrets {
  readonly maskText: (text: string) => string
  readonly made: ReadonlySet<string>
}

/** The call of an event is the call itself. */
export function secretsOfEnded(info: CallInfo): CallSecrets {
  const call = info as Call
  return { maskText: (text) => call.maskText(text), made: allMadeSecretsOf(call) }
}

/** The made secrets of a call and of all calls inside it. */
function allMadeSecretsOf(call: Call): ReadonlySet<string> {
  return new Set([...madeSecretsOf(call), ...call.allParts.flatMap((part) => [...allMadeSecretsOf(part)])])
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

/** The input of a call without its secrets. Listeners get it, and cannot change the input through it. */
export function maskedInput(call: Call): unknown {
  const { behaviour, secrets } = call
  const read = readInput(call)
  if ('unread' in read) return `(${kindAndSize(read.unread)})`
  return logViewApart(read.input, behaviour.input.schema, secrets)
}

type ReadInput = { readonly input: unknown } | { readonly unread: unknown }

/** Texts of models are parsed once for all views. */
const readArguments = new WeakMap<ModelArguments, ReadInput>()

/** The input as far as the tool can read it: of arguments that are not what it takes, nothing tells what is secret. */
function readInput({ given, behaviour, tool }: Call): ReadInput {
  if (!isModelArguments(given)) return isUnread(given, behaviour) ? { unread: given } : { input: given }
  let read = readArguments.get(given)
  if (read === undefined) readArguments.set(given, (read = unwrapped(given, behaviour, tool)))
  return read
}

function unwrapped(given: ModelArguments, { input }: Behaviour, tool: string): ReadInput {
  try {
    return { input: input.unwrap(given, tool) }
  } catch {
    return { unread: given.text ?? given.value }
  }
}

function isUnread(given: unknown, { input: { schema } }: Behaviour): boolean {
  return schema['type'] === 'object' && given !== undefined && !isRecord(given)
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

/** The secrets that the schema of an output declares stay secrets in all that gets the output: later steps, the whole, a prompt. */
export function hideDeclaredOutput({ result, behaviour: { output }, root }: Call): void {
  if (result?.ok !== true || output === undefined || !declaresSecrets(output.output)) return
  root.hideInLogs(secretsIn(result.value, output.output))
}

/** The fields of a call that may be printed or sent. */
export function viewOf({ tool, version, layer, path, invocationId, traceId, parentId, agent, task, session, input, output }: Call): object {
  return { tool, version, layer, path, invocationId, traceId, parentId, agent, task, session, input, output }
}
