import type { ReviewVote } from '../deciders.ts'
import type { ReviewDecision, ReviewRequest } from '../review.ts'
import { KnownSecrets } from '../secrets/known-secrets.ts'
import { logView, maskText, secretsIn } from '../secrets/mask.ts'

/** A request as a log shows it. A person who decides sees more than a log may keep. */
export function loggedRequest(request: ReviewRequest, secrets = new KnownSecrets()): ReviewRequest {
  const { input, inputSchema, parts, why, whyOutside } = request
  const known = secrets.with([
    ...secretsIn(input, inputSchema),
    ...(parts ?? []).flatMap((part) => [...secretsIn(part.input, part.inputSchema)]),
  ])
  const outside = whyOutside === undefined ? {} : { whyOutside: maskText(whyOutside, known) }
  const inside =
    parts === undefined ? {} : { parts: parts.map((part) => ({ ...part, input: logView(part.input, part.inputSchema ?? {}, known) })) }
  return { ...request, input: logView(input, inputSchema ?? {}, known), ...inside, why: maskText(why, known), ...outside }
}

/**
 * The votes of a decision as a log shows them: a note may repeat a secret of the input, or one that a person typed in an edit. Answers are left
 * out.
 */
export function loggedVotes(decision: ReviewDecision, { input, inputSchema }: ReviewRequest, secrets: KnownSecrets): readonly ReviewVote[] {
  const typed = decision.action === 'edit' ? secretsIn('patch' in decision ? decision.patch : decision.input, inputSchema) : []
  const known = secrets.with([...secretsIn(input, inputSchema), ...typed])
  return (decision.votes ?? []).map(({ value: _answer, ...vote }) =>
    vote.note === undefined ? vote : { ...vote, note: maskText(vote.note, known) },
  )
}
