import type { ReviewRequest } from '../review.ts'
import type { KnownSecrets } from './known-secrets.ts'

const secretsOf = new WeakMap<ReviewRequest, KnownSecrets>()

/** A person may repeat a secret in the reason of a decision. An inbox of this process masks it with the secrets of the call that asks. */
export function keepSecretsBehind(request: ReviewRequest, secrets: KnownSecrets): void {
  secretsOf.set(request, secrets)
}

/** The secrets of the call that asks, also those that it learns later; undefined for a request of another process. */
export function secretsBehind(request: ReviewRequest): KnownSecrets | undefined {
  return secretsOf.get(request)
}
