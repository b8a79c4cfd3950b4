import { type BackoffOptions, backoff } from '../../policies/backoff.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { behaviourOf } from '../../tool/behaviour.ts'
import { checkFunction } from '../../tool/check-given.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { layer } from '../../tool/layer.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'
import type { Model } from '../../tool/ports/model.ts'
import { quote } from '../../schema/quote.ts'
import type { NamedRepairer } from './choose-repair.ts'
import { asksModel, modelRepairer } from './model-repairer.ts'
import { repairByFailure } from './repair-by-failure.ts'
import type { Repairer } from './repairer.ts'
import { type HealPlan, LABEL, runHeal } from './run-heal.ts'

/** The options of `heal`. */
export interface HealOptions<I> extends BackoffOptions {
  /** Asked in this order after the built-in rules, and before the model. */
  readonly repairers?: readonly Repairer<I>[] | undefined
  /** Asks a model at last: `true` for the model of the call. For a tool that takes effect it may change no amount, recipient, path or id. */
  readonly model?: true | Model | undefined
}

const NAMES = optionNames<HealOptions<unknown>>({ attempts: true, base: true, max: true, repairers: true, model: true })

/**
 * Calls a tool again after a failure, within a number of attempts. A failure that may pass is waited out. Where the input is the reason, the
 * input is repaired: by rules that only change its notation, then by the repairers, for reads then by the error (the first page, a broader
 * query), then by a model. A repaired input is validated before it
 * is used, has an idempotency key of its own, and meets the gates inside again. The result lists every attempt.
 * @example
 * const forgiving = heal(orders)
 * const result = await forgiving.call({ Email: 'ada@example.com' } as never)
 * console.log(result.ok, result.attempts?.length) // true 2
 */
export function heal<I, O, N extends string>(tool: AgentTool<I, O, N>, options: HealOptions<NoInfer<I>> = {}): AgentTool<I, O, N> {
  behaviourOf(tool, 'The first argument of heal')
  const whose = `heal for '${tool.name}'`
  checkOptionNames(options, NAMES, `The options of ${whose}`)
  const { repairers = [], model, ...times } = options
  if (!Array.isArray(repairers)) throw wrong(`'repairers' of ${whose}`, 'a list of functions', repairers)
  for (const [index, each] of repairers.entries()) checkFunction(each, `Repairer ${index + 1} of ${whose}`)
  const waits = backoff(times, whose)
  const plan: HealPlan = {
    tool: tool as AgentTool,
    backoff: waits,
    repairers: [
      ...(repairers as readonly Repairer[]).map(named),
      // A tool that takes effect would take another one.
      ...(tool.effect === 'read' ? [{ name: 'rules', repair: repairByFailure, isModel: false }] : []),
      ...(model === undefined ? [] : [{ name: 'model', repair: byModel(model, whose), isModel: true }]),
    ],
  }
  return layer(tool, {
    kind: 'heal',
    label: LABEL,
    plan: {
      order: 'one',
      labels: 'name',
      closedBy: undefined,
      changesInput: true,
      detail: `at most ${waits.attempts} attempt${waits.attempts === 1 ? '' : 's'}`,
    },
    keepsInput: true,
    // Called again, it may try other inputs, which have other keys.
    idempotent: tool.effect === 'read' ? undefined : false,
    run: (input, whole) => runHeal(plan, input, whole),
  })
}

function named(repair: Repairer, index: number): NamedRepairer {
  const isModel = asksModel(repair)
  return { name: isModel ? 'model' : repair.name === '' ? `repairer ${index + 1}` : repair.name, repair, isModel }
}

function byModel(model: unknown, whose: string): Repairer {
  if (model === true) return modelRepairer()
  if (typeof (model as Partial<Model> | null)?.generate !== 'function') throw wrong(`'model' of ${whose}`, 'true or a model', model)
  return modelRepairer({ model: model as Model })
}

function wrong(what: string, needed: string, given: unknown): ConfigurationError {
  return new ConfigurationError('invalid_option', `${what} must be ${needed}, not ${quote(given)}.`)
}
