import { type LimiterOptions, limitRules } from '../../policies/limiter.ts'
import { type AgentTool, identityOf } from '../../tool/agent-tool.ts'
import { behaviourOf } from '../../tool/behaviour.ts'
import { checkChoice } from '../../tool/check-given.ts'
import { durationText } from '../../tool/duration-text.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { layer } from '../../tool/layer.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'
import type { LimitRules } from '../../tool/ports/limit-store.ts'
import { knownPart } from '../../tool/seam/sequence.ts'
import { StateKeys } from '../../tool/seam/state-keys.ts'
import { LABEL, type LimitPlan, limitedOver, runLimit } from './run-limit.ts'

/** The options of `limit`. */
export interface LimitOptions extends LimiterOptions {
  /** Whom the limit is for: all calls of the tool together, or those of each caller (principal). `'tool'` by default. */
  readonly by?: 'tool' | 'caller' | undefined
  /** Whether a call waits for its turn within its deadline, or fails at once with the time to retry. True by default. */
  readonly wait?: boolean | undefined
}

const keys = new StateKeys()
const NAMES = optionNames<LimitOptions>({ concurrency: true, rate: true, cost: true, by: true, wait: true })

/**
 * Limits how often, how many at a time or how expensively a tool is called. Calls above the limit wait for their turn within their deadline;
 * callers take turns. A call that cannot have its turn in time fails at once with `rate_limited` and the time to retry.
 * @example
 * const polite = limit(orders, { concurrency: 4, rate: { calls: 100, per: '1m' } })
 * const result = await polite.call({ email: 'ada@example.com' })
 * console.log(result.ok) // true
 */
export function limit<I, O, N extends string>(tool: AgentTool<I, O, N>, options: LimitOptions): AgentTool<I, O, N> {
  behaviourOf(tool, 'The first argument of limit')
  const whose = `limit for '${tool.name}'`
  checkOptionNames(options, NAMES, `The options of ${whose}`)
  const { by = 'tool', wait = true } = options
  checkChoice(by, ['tool', 'caller'], `'by' of ${whose}`)
  if (typeof wait !== 'boolean') throw new ConfigurationError('invalid_option', `'wait' of ${whose} must be true or false.`)
  const rules = limitRules(options, whose)
  const { costUsd = 0 } = tool.estimates
  if (rules.cost !== undefined && costUsd > rules.cost.usd)
    throw new ConfigurationError(
      'invalid_option',
      `'cost' of ${whose} is less than one call costs by its estimate (${costUsd} USD): no call could begin.`,
    )
  const inner = tool as AgentTool
  const key = keys.around(inner, [identityOf(inner), by, JSON.stringify(rules)].join(' '))
  const plan: LimitPlan = {
    tool: inner,
    part: knownPart(LABEL, inner, 0),
    partOver: limitedOver,
    rules,
    key,
    isByCaller: by === 'caller',
    waits: wait,
    anonymous: { caller: '', usd: costUsd },
  }
  const limited = layer(tool, {
    kind: 'limit',
    label: LABEL,
    plan: {
      order: 'one',
      labels: 'name',
      closedBy: undefined,
      ...(rules.concurrency === undefined ? {} : { concurrency: rules.concurrency }),
      detail: `${wordsOf(rules)}${by === 'caller' ? ' for each caller' : ''}`,
    },
    passesOn: true,
    run: (input, whole) => runLimit(plan, input, whole),
  })
  return keys.keep(limited, key)
}

/** The limits in words: `2 at a time, 10 calls in 1 s`. */
function wordsOf({ concurrency, rate, cost }: LimitRules): string {
  return [
    ...(concurrency === undefined ? [] : [`${concurrency} at a time`]),
    ...(rate === undefined ? [] : [`${rate.calls} calls in ${durationText(rate.perMs)}`]),
    ...(cost === undefined ? [] : [`${cost.usd} USD in ${durationText(cost.perMs)}`]),
  ].join(', ')
}
