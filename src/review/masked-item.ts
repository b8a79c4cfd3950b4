import { frozen } from '../schema/frozen.ts'
import { isRecord, type JsonSchema } from '../schema/json-schema.ts'
import { privateCopy } from '../schema/private-copy.ts'
import { KnownSecrets } from '../tool/secrets/known-secrets.ts'
import { logView, secretsIn } from '../tool/secrets/mask.ts'
import { secretsBehind } from '../tool/secrets/secrets-behind.ts'
import type { ReviewVote } from '../tool/deciders.ts'
import type { ReviewDecision, ReviewRequest } from '../tool/review.ts'
import type { InboxItem } from './inbox.ts'

/** What a value is: the input or the output of a tool by this name, or what a schema describes. */
export interface Described {
  readonly tool: string | null
  readonly side: 'input' | 'output'
  /** The schema that stands with the value. */
  readonly schema?: JsonSchema | undefined
}

/** The view of a value. Without a description, only the names of its fields tell what is secret. */
export type Show = <T>(value: T, described?: Described) => T

/**
 * A request as others read it in an inbox: secrets that a person typed, in an edit or an answer, are masked by the schemas of the request.
 * The request itself is shown as it was put to the person.
 */
export function maskedBySchema(item: InboxItem): InboxItem {
  if (item.decision === undefined && item.ballot === undefined) return item
  const known = new KnownSecrets([], secretsBehind(item.request))
  maskedItem(item, (value, described) => {
    for (const secret of secretsIn(value, described?.schema)) known.add(secret)
    return value
  })
  // Readers share the item, and none may change it for the others.
  return maskedItem(item, (value, described) => frozen(privateCopy(logView(value, described?.schema ?? {}, known))) as typeof value)
}

/** A request with its votes and its decision as `show` shows them. */
export function maskedItem(item: InboxItem, show: Show): InboxItem {
  const { request, decision, ballot } = item
  const described = inputOf(request)
  const { edit: given, input, votes = [] } = ballot ?? {}
  const edit =
    given === undefined
      ? {}
      : {
          edit: 'patch' in given ? { patch: show(given.patch, described) } : { input: show(given.input, described) },
          input: show(input, described),
        }
  return {
    ...item,
    ...(decision === undefined ? {} : { decision: maskedDecision(decision, request, show) }),
    ...(ballot === undefined ? {} : { ballot: { ...ballot, ...edit, votes: maskedVotes(votes, request, show) } }),
  }
}

/**
 * What a person was shown may be more than a record shows. A schema describes secrets and holds none: what it says of a field named
 * `password` must not be taken for one.
 */
export function maskedRequest(request: ReviewRequest, show: Show): ReviewRequest {
  const { inputSchema, answerSchema, input, tool, parts, ...rest } = request
  return {
    ...show(rest),
    tool,
    input: show(input, inputOf(request)),
    ...(parts === undefined ? {} : { parts: parts.map((part) => ({ ...part, input: show(part.input, inputOf(part)) })) }),
    ...(inputSchema === undefined ? {} : { inputSchema }),
    ...(answerSchema === undefined ? {} : { answerSchema }),
  }
}

/** What a request says of the values in it and in its decision. */
type Asked = { readonly [Key in 'tool' | 'inputSchema' | 'answerSchema']?: unknown }

/** An edit, an answer and a vote for an answer hold what a person typed. */
export function maskedDecision(decision: ReviewDecision, request: Asked, show: Show): ReviewDecision {
  const { votes } = decision
  if (votes === undefined) return maskedOwn(decision, request, show)
  return { ...maskedOwn({ ...decision, votes: [] }, request, show), votes: maskedVotes(votes, request, show) }
}

function maskedOwn(decision: ReviewDecision, request: Asked, show: Show): ReviewDecision {
  if (decision.action === 'answer') return { ...show({ ...decision, value: null }), value: show(decision.value, answerOf(request)) }
  if (decision.action !== 'edit') return show(decision)
  const described = inputOf(request)
  if ('patch' in decision) return { ...show({ ...decision, patch: null }), patch: show(decision.patch, described) }
  return { ...show({ ...decision, input: null }), input: show(decision.input, described) }
}

/** A vote on a question holds the answer that a person typed. */
function maskedVotes(votes: readonly ReviewVote[], request: Asked, show: Show): readonly ReviewVote[] {
  return votes.map((vote) =>
    'value' in vote ? { ...show({ ...vote, value: null }), value: show(vote.value, answerOf(request)) } : show(vote),
  )
}

function answerOf({ answerSchema }: Asked): Described {
  return { tool: null, side: 'input', schema: schemaIn(answerSchema) }
}

function inputOf({ tool, inputSchema }: Asked): Described {
  return { tool: String(tool), side: 'input', schema: schemaIn(inputSchema) }
}

function schemaIn(schema: unknown): JsonSchema | undefined {
  return isRecord(schema) ? schema : undefined
}
