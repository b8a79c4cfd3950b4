import { ConfigurationError } from '../errors/configuration-error.ts'
import { reasonOf } from '../errors/message-of.ts'
import { isToolError, ToolError } from '../errors/tool-error.ts'
import { maskText } from '../secrets/mask-text.ts'
import type { Call } from './call.ts'
import { recordedValue } from './decide.ts'
import { isCut } from './scope.ts'
import { cutError } from './settle.ts'

/**
 * Reads a secret and remembers it, so that no log, trace or review of this call repeats it. A recorded run keeps the name and never the
 * value: a process that resumes or shows the run asks the provider again by that name.
 */
export async function readSecret(call: Call, name: string): Promise<string> {
  const { secrets } = call.root.options
  if (secrets === undefined) {
    throw new ConfigurationError(
      'missing_secrets',
      `Tool '${call.tool}' reads the secret '${name}', but no secrets provider is configured. Pass secrets to createRuntime or to the call.`,
    )
  }
  noteSecret(
    call,
    recordedValue(call, 'secret', () => name),
  )
  const value = await inTime(call, name, async () => secrets.get(name))
  if (value === undefined || value === '') throw unusable(`The secret '${name}' is not set.`, `Ask the operator to set '${name}'.`)
  // Only a text can be found again in other texts, and masked there.
  if (typeof value !== 'string') {
    throw unusable(
      `The secret '${name}' is not a text: the secrets provider gave ${kindOf(value)}.`,
      `Ask the operator to let the provider give '${name}' as a text.`,
    )
  }
  call.root.revealedSecrets.add(value)
  return value
}

function noteSecret(reader: Call, name: string): void {
  for (let call: Call | undefined = reader; call !== undefined; call = call.parent) {
    call.lazily.secretNames ??= new Set()
    call.lazily.secretNames.add(name)
  }
}

/** The names of the secrets that a call or a call inside it has read. */
export function secretNamesOf({ rare }: Call): ReadonlySet<string> | undefined {
  return rare?.secretNames
}

/** A provider that never answers does not outlive the call. */
async function inTime(call: Call, name: string, read: () => Promise<unknown>): Promise<unknown> {
  try {
    return await call.scope.race(read())
  } catch (error) {
    if (isCut(error)) throw cutError(error.closure, `'${call.tool}' was reading the secret '${name}'`, 'failed')
    if (isToolError(error)) throw error
    // The text of a provider's error may show a credential of the provider.
    const why = maskText(reasonOf(error), call.root.revealedSecrets)
    throw unusable(`The secret '${name}' could not be read: ${why}`, 'Ask the operator to look at the secrets provider.')
  }
}

function unusable(message: string, hint: string): ToolError {
  return new ToolError(message, { code: 'access_denied', outcome: 'failed', hint, internal: true })
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return ArrayBuffer.isView(value) ? 'bytes' : typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
