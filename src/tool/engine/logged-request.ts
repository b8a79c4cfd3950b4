import type { ReviewRequest } from '../review.ts'
import { KnownSecrets } from '../secrets/known-secrets.ts'
import { logView, maskText, secretsIn } from '../secrets/mask.ts'

/** A request as a log shows it. A person who decides sees more than a log may keep. */
export function loggedRequest(request: ReviewRequest, secrets = new KnownSecrets()): ReviewRequest {
  const { input, inputSchema, why } = request
  const known = secrets.with(secretsIn(input, inputSchema))
  return { ...request, input: logView(input, inputSchema ?? {}, known), why: maskText(why, known) }
}
