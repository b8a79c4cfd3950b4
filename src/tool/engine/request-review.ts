import { NOT_REACHED } from './not-approved.ts'
import { frozen } from '../../schema/frozen.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import { privateCopy } from '../../schema/private-copy.ts'
import { toJsonText } from '../../schema/quote.ts'
import { ConfigurationError } from '../errors/configuration-error.ts'
import { ExitEarly } from '../errors/exit-early.ts'
import { reasonOf } from '../errors/message-of.ts'
import { ToolError } from '../errors/tool-error.ts'
import { digest, hashOf } from '../journal/hash.ts'
import { maskWords } from '../secrets/mask-text.ts'
import { reviewView } from '../secrets/review-view.ts'
import { keepSecretsBehind } from '../secrets/secrets-behind.ts'
import { NotShowable } from '../secrets/walk.ts'
import type { Journal, ReviewEntry } from '../journal/journal.ts'
import type { OnTimeout, ReviewDecision, ReviewedPart, ReviewHandler, ReviewRequest, Risk } from '../review.ts'
import { decidersText } from '../deciders-text.ts'
import { lostInJson } from '../lost-in-json.ts'
import { printable } from '../printable.ts'
import { reviewableData } from '../reviewable-json.ts'
import { type DeciderRule, permissionsFor } from '../deciders.ts'
import { admitDecision } from './admit-decision.ts'
import { announceNow } from './announce.ts'
import { loggedVotes } from './logged-request.ts'
import type { Call } from './call.ts'
import { catchUp, mustCatchUp } from './catch-up.ts'
import { cutError } from './settle.ts'
import { diverged } from './decide.ts'
import { noteNew, readEntry, writeEntry } from './journal-access.ts'
import type { Foreseen } from './foreseen-parts.ts'
import { readDecision } from './read-decision.ts'
import { type Closure, Cut, isCut } from './scope.ts'
import { underWay } from './under-way.ts'
import { keptTenant } from '../tenants.ts'

export interface ReviewSubject {
  /** Names the request among those of one call. */
  readonly label: string
  readonly kind: ReviewRequest['kind']
  readonly about?: ReviewRequest['about']
  /** True values; the request shows them masked. */
  readonly input: unknown
  /** What binds the approval to it, where that is known. */
  readonly binding?: string
  /** What the schema makes of it, where that is another thing: an approval is not valid for what another schema would make. */
  readonly made?: unknown
  /** What is known of the inputs of its parts, where that is more. */
  readonly foreseen?: Foreseen | undefined
  readonly why: string
  /** The reason without internals, where it has some. */
  readonly whyOutside?: string | undefined
  readonly risk?: Risk | undefined
  readonly timeoutMs?: number | undefined
  readonly onTimeout?: OnTimeout | undefined
  readonly answerSchema?: JsonSchema | undefined
  /** The schema of an edited input, if the input is that of the tool. */
  readonly inputSchema?: JsonSchema | undefined
  readonly approvals?: DeciderRule | undefined
}

/** Asks a person and waits, with the deadline's clock stopped. Asked and decided are recorded; a stop ends the run. */
export async function requestReview(call: Call, subject: ReviewSubject): Promise<ReviewDecision> {
  if (call.insideStep) {
    throw new ConfigurationError(
      'review_inside_step',
      `'${call.tool}' would ask a person from inside a step of a recorded run, where the answer could not be kept. Make the tool around it a compound.`,
    )
  }
  const path = `${call.path}:${subject.label}`
  const bound = boundBy(subject)
  const inputHash = subject.binding ?? bindingOf(call, bound)
  const isStopping = isStoppedAt(call, path)
  if (isStopping) call.root.replay?.stops(1)
  const recorded = readEntry(call, path)
  if (recorded !== undefined && recorded.kind !== 'review') throw diverged(call, path, 'a review', `a ${recorded.kind}`)
  // A review of another minor version is valid: a run may continue with a newer one.
  if (recorded !== undefined && majorOf(recorded.request.version) !== majorOf(call.version))
    throw diverged(call, path, `a review of version ${call.version}`, `a review of version ${recorded.request.version}`)
  if (recorded !== undefined && recorded.request.inputHash !== bindingOf(call, bound, recorded.request.version))
    throw diverged(call, path, 'a review of this input', 'a review of another input')
  const request = recorded?.request ?? describe(call, subject, inputHash)
  call.lazily.shown = request.input
  const decision = recorded?.decision ?? (await askAndRecord(call, request, recorded))
  if (recorded?.decision === undefined) call.root.lookAtCallerAgain()
  // Perhaps it was decided while the run was put away. Of an approval, the record of the call says it.
  if (decision.action !== 'continue') noteNew(call)
  if (request.deciders !== undefined && (decision.action === 'continue' || decision.action === 'edit'))
    call.lazily.approvedUnder = [...(call.lazily.approvedUnder ?? []), request.deciders]
  if (decision.action !== 'stop') return decision
  const late = await closedBefore(call, path)
  if (late !== undefined && isStopping) call.root.replay?.stops(-1)
  if (late !== undefined) throw waitCut(call, late)
  if (isStopping) call.root.replay?.stopped()
  throw new ExitEarly(call.tool, decision.reason, { by: printable(decidersText(decision)), isUndecided: decision.cause !== undefined })
}

/**
 * In a closed scope a stop came too late: its end was decided before. Whether it came in time is recorded, because the scope of a resumed
 * run may be closed from the start.
 */
async function closedBefore(call: Call, path: string): Promise<Closure | undefined> {
  const { journal, scope } = call
  if (journal !== undefined && stopCounts(journal, path)) return undefined
  if (journal === undefined || scope.closed !== undefined) return scope.closed
  await markStop(call, path, true)
  if (scope.closed !== undefined) await markStop(call, path, false)
  return scope.closed
}

/** Must be asked before the entry is read: reading the last entry releases every call that waits for the record. */
function isStoppedAt({ journal, scope, root }: Call, path: string): boolean {
  if (journal === undefined || root.replay === undefined) return false
  const entry = journal.read(path)
  if (entry?.kind !== 'review' || entry.decision?.action !== 'stop') return false
  return scope.closed === undefined || stopCounts(journal, path)
}

function markStop(call: Call, review: string, value: boolean): Promise<void> {
  return underWay(call, () => writeEntry(call, { kind: 'decision', path: stopMark(review), value }, 'not_started'))
}

/** Whether the record says that the stop of this review came in time. */
export function stopCounts(journal: Journal, review: string): boolean {
  const entry = journal.read(stopMark(review))
  return entry?.kind === 'decision' && entry.value === true
}

function stopMark(review: string): string {
  return `${review}:stopped`
}

/** The call counts as under way from the question to the record of its answer. */
async function askAndRecord(call: Call, request: ReviewRequest, recorded: ReviewEntry | undefined): Promise<ReviewDecision> {
  call.began()
  try {
    if (recorded === undefined && mustCatchUp(call, request.path)) await catchUp(call, request.path)
    // No question is asked if its answer is no longer needed.
    if (recorded === undefined && call.scope.closed !== undefined) throw new Cut(call.scope.closed)
    return await waitForDecision(call, request, recorded)
  } catch (error) {
    throw isCut(error) ? waitCut(call, error.closure) : error
  } finally {
    call.ended()
  }
}

function waitCut({ tool }: Call, closure: Closure): ToolError {
  return cutError(closure, `'${tool}' was waiting for a person`, 'not_started')
}

async function waitForDecision(call: Call, request: ReviewRequest, recorded: ReviewEntry | undefined): Promise<ReviewDecision> {
  const handler = handlerFor(call)
  const { journal, root, scope } = call
  const at = recorded?.at ?? root.clock.now()
  if (journal !== undefined && recorded === undefined)
    await writeEntry(call, { kind: 'review', path: request.path, request, at, ...shieldOf(call) }, 'not_started')
  if (root.observed) announceNow(call, { type: 'review.requested', request })
  const since = root.clock.tick()
  const controller = new AbortController()
  call.asks()
  let decision: ReviewDecision | undefined
  try {
    decision = await scope.race(decideInTime(call, handler, { request, at, controller }), false)
    return decision
  } catch (error) {
    if (isCut(error)) controller.abort(new DOMException('The request was withdrawn.', 'AbortError'))
    throw error
  } finally {
    call.heard()
    if (decision !== undefined && journal !== undefined)
      await writeEntry(call, { kind: 'review', path: request.path, request, at, decision, decidedAt: root.clock.now() }, 'not_started')
    if (root.observed) {
      announceNow(call, {
        type: 'review.decided',
        request,
        action: decision?.action ?? 'withdraw',
        by: decision?.by,
        identity: decision?.identity,
        votes: decision?.votes === undefined ? undefined : loggedVotes(decision, request, call.secrets),
        waitedMs: root.clock.tick() - since,
      })
    }
  }
}

function shieldOf({ isShielded }: Call): Pick<ReviewEntry, 'isShielded'> {
  return isShielded ? { isShielded } : {}
}

function handlerFor(call: Call): ReviewHandler {
  const handler = call.root.options.review
  if (handler === undefined) {
    throw new ConfigurationError(
      'missing_review_handler',
      `Tool '${call.tool}' requires approval but no ReviewHandler is configured. Pass one as 'review'.`,
    )
  }
  if (typeof handler.review === 'function') return handler
  throw new ConfigurationError(
    'missing_review_handler',
    `The review handler for tool '${call.tool}' must be an object with a function review.`,
  )
}

/** Whether the journal has an entry for this request. */
export function isRecorded(call: Call, label: string): boolean {
  return readEntry(call, `${call.path}:${label}`) !== undefined
}

interface Asked {
  readonly request: ReviewRequest
  /** When it was first asked: a resumed run waits only for the remaining time. */
  readonly at: number
  readonly controller: AbortController
}

/** The handler's decision, or that of the request when the time is up. Any other answer of a handler is a rejection. */
async function decideInTime(call: Call, handler: ReviewHandler, { request, at, controller }: Asked): Promise<ReviewDecision> {
  const { clock, options } = call.root
  const { reviewers } = options
  let stopTimer: (() => void) | undefined
  const late = new Promise<ReviewDecision>((resolve) => {
    if (request.timeoutMs === undefined) return
    stopTimer = clock.timer(at + request.timeoutMs - clock.now(), () => {
      resolve(decisionOnTimeout(request))
      controller.abort(new DOMException('Nobody decided in time.', 'TimeoutError'))
    })
  })
  keepSecretsBehind(request, call.secrets)
  const asked = (async () => {
    const given = await handler.review(request, { signal: controller.signal, clock, ...(reviewers === undefined ? {} : { reviewers }) })
    const decision = readDecision(given, request)
    const lost = call.journal === undefined ? undefined : lostInJson(decision)
    // A resumed run would go on with something else than what was decided.
    if (lost !== undefined) throw new TypeError(`the decision is recorded as JSON, which cannot hold ${lost}`)
    return admitDecision(decision, request, { reviewers, channel: handler.channel })
  })().catch((error: unknown): ReviewDecision => ({
    action: 'reject',
    cause: 'unreachable',
    reason: `${NOT_REACHED}${reasonOf(error)}`,
  }))
  try {
    return await Promise.race([asked, late])
  } finally {
    stopTimer?.()
  }
}

/** The decision if nobody decides in time. */
export function decisionOnTimeout({ onTimeout }: ReviewRequest): ReviewDecision {
  const note = 'Nobody decided in time.'
  return onTimeout === 'continue' ? { action: 'continue', note } : { action: onTimeout, cause: 'timed_out', reason: note }
}

function describe(call: Call, subject: ReviewSubject, inputHash: string): ReviewRequest {
  const { principal, agent, task, session } = call
  const timeoutMs = subject.timeoutMs ?? call.root.options.review?.timeoutMs
  const { answerSchema, whyOutside } = subject
  const inputSchema = asData(subject.inputSchema)
  const view = shownInput({ tool: call.tool, schema: call.behaviour.input.schema, call }, subject.input)
  // Handlers and listeners get it, and none may change it for the others, or change the input through it.
  return frozen({
    id: call.root.newId(),
    kind: subject.kind,
    ...(subject.about === undefined ? {} : { about: subject.about }),
    tool: call.tool,
    version: call.version,
    // A record is JSON, which has no maps, sets or NaN: without another form the inbox would show less than what runs.
    input: call.journal === undefined ? view : reviewableData(view),
    ...shownParts(call, subject),
    why: maskWords(subject.why, call.root.revealedSecrets),
    ...(whyOutside === undefined ? {} : { whyOutside: maskWords(whyOutside, call.root.revealedSecrets) }),
    caller: {
      ...(principal === undefined ? {} : { principal: principal.id, ...keptTenant(principal) }),
      ...(agent === undefined ? {} : { agent }),
      ...(task === undefined ? {} : { task }),
      ...(session === undefined ? {} : { session }),
    },
    risk: subject.risk ?? (call.effect === 'irreversible' ? 'high' : call.effect === 'write' ? 'medium' : 'low'),
    invocationId: call.invocationId,
    path: `${call.path}:${subject.label}`,
    inputHash,
    ...(inputSchema === undefined ? {} : { inputSchema }),
    ...(answerSchema === undefined ? {} : { answerSchema }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    onTimeout: subject.onTimeout ?? 'reject',
    ...decidersOf(call, subject),
  })
}

interface Shown {
  readonly tool: string
  readonly schema: JsonSchema
  readonly call: Call
}

/** All that an approval is about. */
function boundBy(subject: ReviewSubject): unknown {
  const { input, made, foreseen } = subject
  if (foreseen === undefined) return 'made' in subject ? [input, made] : input
  return [input, made ?? null, foreseen.parts.map((part) => [part.path, part.tool.name, part.input]), foreseen.made]
}

/** What each part gets, where it is something else than what is shown for the whole. */
function shownParts(call: Call, { foreseen }: ReviewSubject): Pick<ReviewRequest, 'parts'> {
  if (foreseen === undefined || foreseen.parts.length === 0) return {}
  const parts = foreseen.parts.map(({ path, tool, input, schema }): ReviewedPart => {
    const inputSchema = asData(schema)
    return {
      path: `${call.path}/${path}`,
      tool: tool.name,
      version: tool.version,
      // Data from the start: wherever a request is kept, it is kept as JSON.
      input: reviewableData(shownInput({ tool: tool.name, schema, call }, input)),
      ...(inputSchema === undefined ? {} : { inputSchema }),
    }
  })
  return { parts }
}

/** An input that cannot be shown completely is never put to a person: nobody could know what they approve. */
function shownInput({ tool, schema, call }: Shown, input: unknown): unknown {
  try {
    return reviewView(input, schema, call.root.revealedSecrets)
  } catch (error) {
    if (!(error instanceof NotShowable)) throw error
    throw new ToolError(`The input of tool '${tool}' cannot be shown to a person completely: ${error.message}.`, {
      code: 'input_not_showable',
      outcome: 'not_started',
    })
  }
}

/** Who may decide: those with a permission, where the program has reviewers, and those whom the rule of the approval names. */
function decidersOf(call: Call, { approvals }: ReviewSubject): Pick<ReviewRequest, 'deciders'> {
  const { reviewers } = call.root.options
  if (reviewers === undefined && approvals === undefined) return {}
  if (approvals?.excludeRequester === true && call.principal === undefined) {
    throw new ToolError(`No principal was given: tool '${call.tool}' needs the approval of somebody else than its caller.`, {
      code: 'permission_denied',
      hint: "Pass 'principal' with the call, so that the program knows who asks. A gate with `excludeRequester: false` does not need it.",
      outcome: 'not_started',
    })
  }
  const permissions =
    reviewers === undefined || approvals?.permissions !== undefined
      ? {}
      : { permissions: permissionsFor('review', call.tool, call.built.tags) }
  return { deciders: { count: 1, ...approvals, ...permissions } }
}

/** A request is data. A schema that JSON cannot write is left out: the edit is judged when the tool is called. */
function asData(schema: JsonSchema | undefined): JsonSchema | undefined {
  if (schema === undefined) return undefined
  try {
    return JSON.parse(JSON.stringify(schema)) as JsonSchema
  } catch {
    return undefined
  }
}

/** An approval is bound to the tool's identity and the input. An input that a journal cannot keep is bound by its text. */
export function bindingOf(call: Call, input: unknown, version = call.version): string {
  const identity = `${call.tool}@${version}`
  try {
    return digest(`${identity}\n${hashOf(input)}`)
  } catch {
    // A copy, so that no method of an object in the input gets hold of the input itself.
    return digest(`${identity}\n${toJsonText(privateCopy(input))}`)
  }
}

function majorOf(version: string): string {
  return version.split('.', 1)[0] ?? ''
}
