import type { JsonSchema } from '../../schema/json-schema.ts'
import type { ReviewRequest } from '../review.ts'
import type { KnownSecrets } from '../secrets/known-secrets.ts'
import { logView, maskText } from '../secrets/mask.ts'

/** A request as a log shows it. A person who decides sees more than a log may keep. */
export function loggedRequest(request: ReviewRequest, secrets: KnownSecrets): ReviewRequest {
  const { input, inputSchema, why } = request
  return { ...request, input: logView(input, (inputSchema ?? {}) as JsonSchema, secrets), why: maskText(why, secrets) }
}
