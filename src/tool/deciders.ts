import { isRecord } from '../schema/json-schema.ts'
import { quote } from '../schema/quote.ts'
import { ConfigurationError } from './errors/configuration-error.ts'
import { reasonOf } from './errors/message-of.ts'
import { missingPermissions, type Principal } from './principal.ts'
import { UNPRINTABLE } from './printable.ts'
import { isOtherTenant, isSameTenant, keptTenant, type OfTenant } from './tenants.ts'
import type { ReviewDecision, Reviewed, ReviewRequest } from './review.ts'
import { warn } from './warn.ts'
import { checkOptionNames, optionNames } from './option-names.ts'

/** Whether the program vouches for the name of a decider, or has only heard it. */
export type Identity = 'authenticated' | 'claimed'

/** Who decides: a principal that the program has authenticated, or a name that somebody claims. */
export type Decider = string | Principal

/** One approval, or one answer, of a request that needs several. */
export interface ReviewVote {
  readonly by: string
  /** That of the voter, as data. */
  readonly tenant?: unknown
  readonly identity: Identity
  readonly action: 'continue' | 'edit' | 'answer'
  /** Milliseconds since the epoch. */
  readonly at: number
  /** The input that was approved: 0 is the original, and every edit makes the next one. */
  readonly edition: number
  readonly note?: string | undefined
  /** Of an answer. */
  readonly value?: unknown
  /** Of an answer under several rules: those under which it counts, by their place. 0 is the rule itself, the others are those of `also`. */
  readonly rules?: readonly number[] | undefined
}

/** Who may decide a request, and how many must approve it or give the same answer. */
export interface DeciderRule {
  /** A decider holds one of these; without it, no permission is asked for. */
  readonly permissions?: readonly string[] | undefined
  readonly count: number
  /** Those who may approve, by their ids; or a permission that they hold. */
  readonly of?: readonly string[] | string | undefined
  /** The principal of the call cannot approve it. */
  readonly excludeRequester?: boolean | undefined
  /** Further rules, each of which must be met too: a question about a step inside several gates has the rules of all of them. */
  readonly also?: readonly DeciderRule[] | undefined
}

/** A rule and those that must be met too. */
export function allRules(rule: DeciderRule | undefined): readonly DeciderRule[] {
  return rule === undefined ? [] : [rule, ...(rule.also ?? [])]
}

/** The approvals that a call needs: of so many different people, who did not ask for it themselves. */
export interface RequiredApprovals {
  /** 1 by default. */
  readonly count?: number | undefined
  /** The ids of those who may approve, or a permission that they hold, such as `finance:lead`. */
  readonly of?: readonly string[] | string | undefined
  /** True by default: the principal of the call cannot approve it. */
  readonly excludeRequester?: boolean | undefined
}

/** A name for a decider, and how the program has heard it. Anybody can type a name: by itself it proves nothing. */
export interface IdentityClaim {
  readonly name: string
  /**
   * Where the name was given: `cli` (the flag `--by`), `inbox` (a text as `by`), `ai_sdk` (the same at `aiSdkReviews`), or the answer of a handler:
   * its `channel`, such as `webhook` or `console`, else `handler`.
   */
  readonly channel: string
  /** `authenticated` if the name was signed on its way, as by `signWebhookAnswer`. */
  readonly identity: Identity
  /** On the command line: the user of the operating system who runs it, whatever `--by` says. */
  readonly user?: string | undefined
}

/** With it, every decision needs a decider who is authenticated and holds `review:<tool>` or `review:<tag>`. */
export interface Reviewers {
  /**
   * Gives the principal behind a name, if the program has a proof that this person gave it: the user of the machine, a signature, a session. It must
   * not take the name as its own proof. Undefined refuses the name.
   */
  readonly identify?: ((claim: IdentityClaim) => Principal | undefined | Promise<Principal | undefined>) | undefined
  /**
   * Tenants whose people may decide about calls of every tenant, such as your own staff. Any other decider with a tenant decides about calls of
   * this tenant only, and of callers without one.
   */
  readonly acrossTenants?: readonly unknown[] | undefined
}

/** A decider, as far as the program knows them. */
export interface Identified extends Principal {
  readonly identity: Identity
  /** Why the name is only claimed, and the cure. */
  readonly doubt?: string | undefined
}

const REVIEWERS_NAMES = optionNames<Reviewers>({ identify: true, acrossTenants: true })

/** Catches mistakes of untyped programs: without `identify`, nobody behind a name is known. */
export function checkReviewers(given: unknown): void {
  if (given === undefined) return
  if (isReviewers(given)) {
    checkOptionNames(given, REVIEWERS_NAMES, "The options of 'reviewers'")
    return
  }
  throw new ConfigurationError(
    'invalid_option',
    `The option 'reviewers' must be an object such as { identify: ({ name, user }) => (name === user ? staff.get(name) : undefined) }, not ${quote(given)}.`,
  )
}

/** The form only; the names of its options are checked apart. */
export function isReviewers(given: unknown): given is Reviewers {
  if (!isRecord(given)) return false
  const { identify, acrossTenants } = given
  return (identify === undefined || typeof identify === 'function') && (acrossTenants === undefined || Array.isArray(acrossTenants))
}

const CURE = 'Pass a Principal as `by` at an inbox, or let `reviewers.identify` give the principal behind a name.'

/** How the program has heard of a decider. */
export interface Hearing extends Pick<IdentityClaim, 'channel' | 'user'> {
  readonly identity?: Identity | undefined
}

/** A promise only where the program must be asked. */
export function identified(
  given: Decider | undefined,
  reviewers: Reviewers | undefined,
  { channel, identity = 'claimed', user }: Hearing,
): Identified | undefined | Promise<Identified> {
  if (given === undefined) return undefined
  if (typeof given !== 'string') return vouchedFor(given)
  const named: Identified = { id: given, identity, permissions: [], doubt: CURE }
  const { identify } = reviewers ?? {}
  if (identify === undefined) return named
  const claim: IdentityClaim = Object.freeze({ name: given, channel, identity, ...(user === undefined ? {} : { user }) })
  const asked = async (): Promise<Identified> =>
    vouchedFor(await identify(claim)) ?? { ...named, doubt: '`reviewers.identify` gave no principal for it.' }
  return asked().catch((error: unknown) => {
    const doubt = `\`reviewers.identify\` failed: ${reasonOf(error)}`
    warn(undefined, `${doubt} (asked for '${given}')`)
    return { ...named, doubt }
  })
}

function vouchedFor(principal: unknown): Identified | undefined {
  if (!isRecord(principal) || typeof principal['id'] !== 'string' || principal['id'].trim() === '') return undefined
  const { id, tenant, permissions } = principal as unknown as Principal
  return {
    id,
    ...keptTenant({ tenant }),
    identity: 'authenticated',
    permissions: Array.isArray(permissions) ? permissions.filter((each) => typeof each === 'string') : [],
  }
}

/** The rule of a request. A program with reviewers asks for permissions also where the request was made by a program without. */
export function ruleOf({ deciders, tool }: ReviewRequest, reviewers: Reviewers | undefined): DeciderRule | undefined {
  if (reviewers === undefined || deciders?.permissions !== undefined) return deciders
  return { count: 1, ...deciders, permissions: permissionsFor('review', tool, []) }
}

/** `review:refund`, `review:money`: one for the name of the tool, one for each of its tags. */
export function permissionsFor(verb: 'review' | 'assign', tool: string, tags: readonly string[]): readonly string[] {
  return [...new Set([tool, ...tags])].map((name) => `${verb}:${name}`)
}

export interface Deciding {
  readonly rule: DeciderRule | undefined
  readonly decider: Identified | undefined
  readonly action: ReviewDecision['action']
  readonly assignee?: string | undefined
}

/** Why nobody of this tenant may decide: the same id of another tenant is another principal, and so are its permissions. */
export function objectionToTenant(
  { caller }: ReviewRequest,
  decider: Identified | undefined,
  reviewers: Reviewers | undefined,
): string | undefined {
  if (decider === undefined || !isOtherTenant(caller, decider)) return undefined
  if (reviewers?.acrossTenants?.some((tenant) => isSameTenant(keptTenant({ tenant }), decider)) === true) return undefined
  return `'${decider.id}' is of another tenant than the caller.`
}

/** Why this decider may not make such a decision; undefined where they may. */
export function objection({ caller }: ReviewRequest, { rule, decider, action, assignee }: Deciding): string | undefined {
  if (rule === undefined) return undefined
  if (decider === undefined) return `It needs a decider whom the program has authenticated, and none was named. ${CURE}`
  const { id, identity, doubt } = decider
  if (identity !== 'authenticated')
    return `'${id}' is a name that somebody claims, and it needs a decider whom the program has authenticated. ${doubt ?? CURE}`
  if (rule.permissions !== undefined) {
    if (!holdsOne(decider, rule.permissions)) return `'${id}' lacks the permission ${rule.permissions.join(' or ')}.`
    const overrides = rule.permissions.map((each) => each.replace(/^review:/, 'assign:'))
    if (assignee !== undefined && assignee !== id && !holdsOne(decider, overrides))
      return `It is assigned to '${assignee}', and '${id}' lacks the permission ${overrides.join(' or ')}.`
  }
  return action === 'reject' || action === 'stop' ? undefined : objectionToApprover(caller, rule, decider)
}

function objectionToApprover(
  requester: ReviewRequest['caller'],
  { excludeRequester, of }: DeciderRule,
  decider: Identified,
): string | undefined {
  const { id } = decider
  const { principal: by, tenant } = requester
  if (excludeRequester === true && (by === undefined || isSamePrincipal({ by, tenant }, voterOf(decider))))
    return `'${id}' has asked for the call, and cannot decide about it.`
  if (of === undefined) return undefined
  if (typeof of === 'string') return holdsOne(decider, [of]) ? undefined : `'${id}' lacks the permission ${of}.`
  return of.includes(id) ? undefined : `'${id}' is not among those who may decide about it: ${of.join(', ')}.`
}

function holdsOne(principal: Principal, permissions: readonly string[]): boolean {
  return permissions.some((each) => missingPermissions([each], principal).length === 0)
}

/** Who has voted, or asked. */
interface Named extends OfTenant {
  readonly by: string
}

/** Where principals must differ. One that names no tenant may be the same as one that does. */
export function isSamePrincipal(one: Named, other: Named): boolean {
  return isSamePerson(one.by, other.by) && !isOtherTenant(one, other)
}

/** Where people must differ, another spelling is not another person. */
export function isSamePerson(one: string, other: string): boolean {
  return folded(one) === folded(other)
}

/** A character without a shape is dropped before its neighbours are composed, and once more after, since a letter may be made of one and a space. */
function folded(name: string): string {
  return visible(visible(name).normalize('NFKC')).toUpperCase().toLowerCase().normalize('NFKC')
}

function visible(name: string): string {
  return name.replaceAll(UNPRINTABLE, '').replaceAll(/\s+/g, '')
}

/** How a decider is recorded. */
export function recordOf(decider: Identified | undefined): Reviewed {
  return decider === undefined ? {} : voterOf(decider)
}

export function voterOf({ id, tenant, identity }: Identified): Pick<ReviewVote, 'by' | 'tenant' | 'identity'> {
  return { by: id, ...(tenant === undefined ? {} : { tenant }), identity }
}

const judged = new WeakMap<object, string>()

/** Marks a decision of which it is known that it may be made on this request: by an inbox, from the record of a run, or by the time that was set. */
export function asJudged<T extends ReviewDecision>(decision: T, request: string): T {
  judged.set(decision, request)
  return decision
}

export function isJudged(given: unknown, request: string): boolean {
  return typeof given === 'object' && given !== null && judged.get(given) === request
}

const vouched = new WeakSet<object>()

/** Marks a decision whose decider was authenticated on its way, as by a signature. */
export function asVouched<T extends ReviewDecision>(decision: T): T {
  vouched.add(decision)
  return decision
}

export function isVouched(given: unknown): boolean {
  return typeof given === 'object' && given !== null && vouched.has(given)
}
