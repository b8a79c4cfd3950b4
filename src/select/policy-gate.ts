import { Limiter, limitRules, type RateLimit } from '../policies/limiter.ts'
import type { Effect } from '../tool/metadata.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'
import type { PolicyCall, PolicyFunction, PolicyVerdict } from '../tool/ports/policy.ts'
import { type InputChecks, valuesAt, wrongInput } from './input-checks.ts'

/** A rule of a policy gate, as data. It is for all calls that `tools`, `effects` and `unless` name. */
export interface PolicyRule extends InputChecks {
  /** Names of tools; a trailing `*` covers all that begin so. All tools unless given. */
  readonly tools?: readonly string[] | undefined
  readonly effects?: readonly Effect[] | undefined
  /** Callers with this permission are not checked. */
  readonly unless?: string | undefined
  /** The value that is checked: `path`, `payment.amount`, or `items.*.amount`. Without one, every such call breaks the rule. */
  readonly field?: string | undefined
  /** What happens to a call that breaks the rule. */
  readonly verdict: 'deny' | 'require_approval'
  /** Told to the model and to the reviewer; the rule in words unless given. */
  readonly reason?: string | undefined
}

/** The options of a policy gate. */
export interface PolicyGateOptions {
  readonly rules?: readonly PolicyRule[] | undefined
  /** What a call of a tool costs, in US dollars; nothing unless given. */
  readonly costs?: Readonly<Record<string, number>> | undefined
  /** A call that costs more is for a person to approve. */
  readonly mostPerCall?: number | undefined
  /** What the calls of one session may cost together. A caller without a session is one session. */
  readonly mostPerSession?: number | undefined
  /** So many calls of one caller begin within any such time, by name of tool; `*` is for all together. */
  readonly rates?: Readonly<Record<string, RateLimit>> | undefined
  /** Milliseconds that never fall. */
  readonly now?: (() => number) | undefined
}

const NAMES = optionNames<PolicyGateOptions>({ rules: true, costs: true, mostPerCall: true, mostPerSession: true, rates: true, now: true })
const RULE = optionNames<PolicyRule>({
  tools: true,
  effects: true,
  unless: true,
  field: true,
  verdict: true,
  reason: true,
  within: true,
  sqlVerbs: true,
  recipients: true,
  most: true,
})
/** Sessions and callers that are remembered; the one that was longest without a call is forgotten. */
const MOST_KEPT = 10_000

/**
 * A policy for `createRuntime`, from rules as data: what inputs may hold, what calls may cost and how many there may be. The strictest answer
 * counts. It judges in this process: others count for themselves.
 * @example
 * const policy = policyGate({
 *   rules: [{ tools: ['issue_refund'], field: 'amount', most: 100, verdict: 'require_approval' }],
 *   rates: { '*': { calls: 60, per: '1m' } },
 * })
 * const runtime = createRuntime({ tools: [issueRefund], policy })
 */
export function policyGate(options: PolicyGateOptions): PolicyFunction {
  checkOptionNames(options, NAMES, 'The options of policyGate')
  const { rules = [], costs = {}, mostPerCall = Infinity, mostPerSession = Infinity, rates = {}, now = () => performance.now() } = options
  for (const rule of rules) checkRule(rule)
  const limits = Object.entries(rates).map(([tool, rate]) => ({ tool, rules: limitRules({ rate }, `policyGate for '${tool}'`) }))
  const limiters = new Kept<Limiter>()
  const spent = new Kept<{ usd: number }>()
  return (call: PolicyCall): PolicyVerdict => {
    const broken = rules.flatMap((rule) => brokenBy(rule, call))
    const denied = broken.find(({ verdict }) => verdict === 'deny')
    if (denied !== undefined) return { deny: denied.reason }
    const usd = Object.hasOwn(costs, call.tool) ? (costs[call.tool] as number) : 0
    const session = spent.get(JSON.stringify([call.session, callerOf(call)]), () => ({ usd: 0 }))
    if (session.usd + usd > mostPerSession)
      return { deny: `The session may cost ${mostPerSession} dollars, and this call would exceed that.` }
    for (const { tool, rules: limit } of limits) {
      if (tool !== '*' && tool !== call.tool) continue
      const limiter = limiters.get(JSON.stringify([tool, callerOf(call)]), () => new Limiter(limit))
      const turn = limiter.take({ caller: '', usd: 0 }, now())
      if (turn === undefined) return { deny: `There were too many calls${tool === '*' ? '' : ` of '${tool}'`}. Try again later.` }
      limiter.end(turn, undefined)
    }
    session.usd += usd
    const reasons = broken.map(({ reason }) => reason)
    if (usd > mostPerCall) reasons.push(`The call costs ${usd} dollars, more than ${mostPerCall}.`)
    return reasons.length === 0 ? 'allow' : { requireApproval: reasons.join(' ') }
  }
}

/** The same id of another tenant is another caller. */
function callerOf({ principal }: PolicyCall): unknown {
  return principal === undefined ? null : [principal.tenant, principal.id]
}

function checkRule(rule: PolicyRule): void {
  checkOptionNames(rule, RULE, 'A rule of policyGate')
  if (rule.verdict !== 'deny' && rule.verdict !== 'require_approval')
    throw new ConfigurationError('invalid_option', "'verdict' of a rule of policyGate must be 'deny' or 'require_approval'.")
  const checks = [rule.within, rule.sqlVerbs, rule.recipients, rule.most].filter((each) => each !== undefined).length
  if ((rule.field === undefined) !== (checks === 0))
    throw new ConfigurationError(
      'invalid_option',
      'A rule of policyGate with a field needs within, sqlVerbs, recipients or most, and these need a field.',
    )
}

interface Broken {
  readonly verdict: PolicyRule['verdict']
  readonly reason: string
}

function brokenBy(rule: PolicyRule, { tool, effect, input, principal }: PolicyCall): Broken[] {
  const { tools, effects, unless, field, verdict, reason } = rule
  if (tools !== undefined && !tools.some((name) => matches(name, tool))) return []
  if (effects !== undefined && !effects.includes(effect)) return []
  if (unless !== undefined && principal?.permissions.some((held) => matches(held, unless)) === true) return []
  if (field === undefined) return [{ verdict, reason: reason ?? `A rule is against calls of '${tool}'.` }]
  const wrong = valuesAt(input, field)
    .map((value) => wrongInput(value, rule))
    .find((each) => each !== undefined)
  return wrong === undefined ? [] : [{ verdict, reason: reason ?? `'${field}' ${wrong}.` }]
}

function matches(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern
}

/** Values by key, the oldest of which are forgotten. */
class Kept<T> {
  readonly #values = new Map<string, T>()

  get(key: string, make: () => T): T {
    const value = this.#values.get(key) ?? make()
    this.#values.delete(key)
    this.#values.set(key, value)
    if (this.#values.size > MOST_KEPT) this.#values.delete(this.#values.keys().next().value as string)
    return value
  }
}
