import { quote } from '../../schema/quote.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { behaviourOf } from '../../tool/behaviour.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { layer } from '../../tool/layer.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'
import { knownPart } from '../../tool/seam/sequence.ts'
import { isRule, ownRule, type Rule } from './rule.ts'
import { LABEL, runValidate, type ValidatePlan } from './run-validate.ts'

/** The options of `validate`. */
export interface ValidateOptions<I, O> {
  /** All of them are judged; the result names every fault. */
  readonly rules: readonly Rule<O, I>[]
  /** Another call with the same input may give another output, as of a model or of a feed: then `retry` repeats it. False by default. */
  readonly retryable?: boolean | undefined
}

const NAMES = optionNames<ValidateOptions<unknown, unknown>>({ rules: true, retryable: true })

/**
 * Judges the output of a tool by rules, after its schema. A critical fault makes the call fail with `implausible_output`, so that a fallback
 * asks another level; an effect has happened then, and is not repeated. After a warning the call succeeds, and the result names the fault.
 * @example
 * const checked = validate(latestOrder, { rules: [within('total', { min: 0 })] })
 * const result = await checked.call({ email: 'ada@example.com' })
 * console.log(result.ok) // true
 */
export function validate<I, O, N extends string>(tool: AgentTool<I, O, N>, options: ValidateOptions<I, O>): AgentTool<I, O, N> {
  behaviourOf(tool, 'The first argument of validate')
  const whose = `validate for '${tool.name}'`
  checkOptionNames(options, NAMES, `The options of ${whose}`)
  const { rules: given, retryable = false } = options
  if (!Array.isArray(given) || given.length === 0)
    throw new ConfigurationError('invalid_option', `'rules' of ${whose} must be a list of rules, not ${quote(given)}.`)
  const odd = given.findIndex((each) => !isRule(each))
  if (odd !== -1)
    throw new ConfigurationError(
      'invalid_option',
      `Rule ${odd + 1} of ${whose} must be made by ordered, within, among, counted, sums, each or rule, not ${quote(given[odd])}.`,
    )
  if (typeof retryable !== 'boolean')
    throw new ConfigurationError('invalid_option', `'retryable' of ${whose} must be true or false, not ${quote(retryable)}.`)
  const rules = given.map(ownRule)
  const inner = tool as AgentTool
  const readsInput = rules.some((each) => each.readsInput)
  const runsCode = rules.some((each) => each.runsCode)
  const plan: ValidatePlan = { tool: inner, part: knownPart(LABEL, inner, 0), rules, readsInput, runsCode, retryable }
  return layer(tool, {
    kind: 'validate',
    label: LABEL,
    plan: {
      order: 'one',
      labels: 'name',
      closedBy: undefined,
      detail: rules.map(({ name }) => name).join('; '),
      reads: rules.flatMap(({ name, reads }) => reads.map((read) => ({ ...read, by: name }))),
    },
    ...(readsInput ? { keepsInput: true } : { passesOn: true }),
    run: (input, whole) => runValidate(plan, input, whole),
  })
}
