import { isRecord } from '../../schema/json-schema.ts'
import { reasonOf } from '../errors/message-of.ts'
import type { Clock } from '../ports/clock.ts'
import { secretsIn } from './mask.ts'
import type { SecretsProvider } from './secrets.ts'

/** What a record says of one step: a journal's entry, or a stored row of it. */
export interface RecordedStep {
  readonly kind: string
  readonly path: string
  /** The result of a call, the value of a decision, or a request with its decision. */
  readonly data: unknown
}

/** The names of the secrets that a recorded run has read: leaves keep them in their results, compounds as decisions. */
export function recordedSecretNames(steps: Iterable<RecordedStep>): ReadonlySet<string> {
  const names = new Set<string>()
  for (const { kind, path, data } of steps) {
    if (kind === 'decision' && /:secret(?:#\d+)?$/.test(path) && typeof data === 'string') names.add(data)
    if (kind !== 'call' || !isRecord(data)) continue
    for (const name of textsIn(data['secrets'])) names.add(name)
  }
  return names
}

/** The secrets that the record itself has: those of answers, and those that validation made. */
export function recordedSecrets(steps: Iterable<RecordedStep>): ReadonlySet<string> {
  const found = new Set<string>()
  for (const { kind, data } of steps) {
    if (!isRecord(data)) continue
    const values = kind === 'call' ? textsIn(data['madeSecrets']) : kind === 'review' ? answered(data) : []
    for (const value of values) found.add(value)
  }
  return found
}

function answered({ request, decision }: Record<string, unknown>): readonly string[] {
  if (!isRecord(request) || !isRecord(decision) || decision['action'] !== 'answer') return []
  const { answerSchema } = request
  return secretsIn(decision['value'], isRecord(answerSchema) ? answerSchema : {})
}

function textsIn(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((each) => typeof each === 'string') : []
}

const PATIENCE_MS = 10_000

/**
 * The present values of secrets that a run has read, so that they stay masked. The record has no values. A secret that the provider no
 * longer has, or has changed, cannot be masked by its old value; one that the provider cannot give now is told in a warning.
 */
export async function askAgain(names: Iterable<string>, provider: SecretsProvider, clock: Clock): Promise<readonly string[]> {
  const values = await Promise.all(Array.from(names, (name) => valueOf(name, provider, clock)))
  return values.filter((value) => value !== undefined)
}

async function valueOf(name: string, provider: SecretsProvider, clock: Clock): Promise<string | undefined> {
  let stopTimer: (() => void) | undefined
  const late = new Promise<never>((_resolve, reject) => {
    stopTimer = clock.timer(PATIENCE_MS, () => reject(new Error('the provider does not answer')))
  })
  try {
    const value: unknown = await Promise.race([(async () => provider.get(name))(), late])
    return typeof value === 'string' ? value : undefined
  } catch (error) {
    process.emitWarning(`The secret '${name}', which this run has read, cannot be masked: ${reasonOf(error)}`, 'ToolwrightWarning')
    return undefined
  } finally {
    stopTimer?.()
  }
}
