import { type BreakerOptions, breakerRules } from '../../policies/breaker.ts'
import { type AgentTool, identityOf } from '../../tool/agent-tool.ts'
import { behaviourOf } from '../../tool/behaviour.ts'
import { durationText } from '../../tool/duration-text.ts'
import { layer } from '../../tool/layer.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'
import { knownPart } from '../../tool/seam/sequence.ts'
import { StateKeys } from '../../tool/seam/state-keys.ts'
import { type BreakerPlan, guardedOver, LABEL, runBreaker } from './run-breaker.ts'

const keys = new StateKeys()
const NAMES = optionNames<BreakerOptions>({ window: true, minCalls: true, failureShare: true, coolDown: true })

/**
 * Stops calling a tool whose service fails: when half of at least 10 calls in 60 s have failed, calls fail at once with `circuit_open` for 30 s.
 * Then one call is tried. The state belongs to `name@version` of the tool: every breaker of it with the same options
 * shares it, except one around another of the same options.
 * @example
 * const guarded = breaker(orders, { failureShare: 0.25, coolDown: '1m' })
 * const result = await guarded.call({ email: 'ada@example.com' })
 * console.log(result.ok) // true
 */
export function breaker<I, O, N extends string>(tool: AgentTool<I, O, N>, options: BreakerOptions = {}): AgentTool<I, O, N> {
  behaviourOf(tool, 'The first argument of breaker')
  const whose = `breaker for '${tool.name}'`
  checkOptionNames(options, NAMES, `The options of ${whose}`)
  const rules = breakerRules(options, whose)
  const { windowMs, minCalls, failureShare, coolDownMs } = rules
  const inner = tool as AgentTool
  const key = keys.around(inner, [identityOf(inner), windowMs, minCalls, failureShare, coolDownMs].join(' '))
  const plan: BreakerPlan = { tool: inner, part: knownPart(LABEL, inner, 0), partOver: guardedOver, key, rules }
  const guarded = layer(tool, {
    kind: 'breaker',
    label: LABEL,
    plan: {
      order: 'one',
      labels: 'name',
      closedBy: undefined,
      detail: `opens for ${durationText(coolDownMs)} when ${Math.round(failureShare * 100)} % of at least ${minCalls} calls in ${durationText(windowMs)} fail`,
    },
    passesOn: true,
    run: (input, whole) => runBreaker(plan, input, whole),
  })
  return keys.keep(guarded, key)
}
