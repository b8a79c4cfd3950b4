import { quote } from '../../schema/quote.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { behaviourOf } from '../../tool/behaviour.ts'
import { checkChoice, checkFunction } from '../../tool/check-given.ts'
import { durationText } from '../../tool/duration-text.ts'
import { type Duration, toMilliseconds } from '../../tool/duration.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import type { IdempotencyStore } from '../../tool/ports/idempotency-store.ts'
import { Notes, standIn } from '../../tool/seam/stand-in.ts'
import type { SettledSuccess } from '../../tool/result/settled.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'
import type { KeyFunction } from './key-request.ts'
import { memoryIdempotency } from './memory-idempotency.ts'
import { answerAtDoor } from './repeat-answer.ts'
import { LABEL } from './key-request.ts'
import { type IdempotentPlan, runIdempotent } from './run-idempotent.ts'

/** The options of `idempotent`. */
export interface IdempotentOptions<I> {
  /**
   * The key of a request among all calls of this tool: a pure, synchronous function that returns a text. Without it, calls with the same
   * `idempotencyKey` are the same request.
   */
  readonly key?: ((input: I) => string) | undefined
  /**
   * Each principal has keys of its own, and so have calls without a principal. `everyone`: all callers share the keys, so that a tool runs
   * once for a key whoever calls it, and every caller who may call the tool gets the same answer.
   */
  readonly share?: 'everyone' | undefined
  /** How long an answer is repeated; 7 days by default. */
  readonly keepFor?: Duration | undefined
  /** How long after its last renewal a holder of a key counts as dead; 30 seconds by default. */
  readonly lease?: Duration | undefined
  /** Where the keys are kept; else the call's `stores.idempotency`, else the memory of this process. */
  readonly store?: IdempotencyStore | undefined
}

const NAMES = optionNames<IdempotentOptions<unknown>>({ key: true, share: true, keepFor: true, lease: true, store: true })

/**
 * Runs a tool once for each key of a principal. A repeated call gets the same answer, even while the first still runs. Another input under
 * the same key is refused. The tool keeps its name, schema and version.
 * @example
 * const once = idempotent(issueRefund, { key: ({ orderId }) => orderId })
 * await once.call({ orderId: 'o1', amount: 20 })
 * const again = await once.call({ orderId: 'o1', amount: 20 }) // pays nothing back a second time
 */
export function idempotent<I, O, N extends string>(
  tool: AgentTool<I, O, N>,
  options: IdempotentOptions<NoInfer<I>> = {},
): AgentTool<I, O, N> {
  const { input, output, describesOutput } = behaviourOf(tool, 'The first argument of idempotent')
  checkOptionNames(options, NAMES, `The options of idempotent for '${tool.name}'`)
  const { key, store, share } = options
  checkChoice(share, ['everyone'], `'share' of idempotent for '${tool.name}'`)
  if (key !== undefined) checkFunction(key, `'key' of idempotent for '${tool.name}'`)
  if (store !== undefined) checkStore(store, tool.name)
  const keepMs = longerThanNothing(options.keepFor ?? '7d', `'keepFor' of idempotent for '${tool.name}'`)
  const leaseMs = longerThanNothing(options.lease ?? '30s', `'lease' of idempotent for '${tool.name}'`)
  const given = new Notes<SettledSuccess>()
  // A repeated key repeats no effect, so the whole is idempotent.
  const repeatable = tool.idempotent === false ? 'keyed' : tool.idempotent
  const shared = {
    input,
    forwardsInput: true,
    keepsInput: true,
    passesOn: true,
    describesOutput,
    approval: undefined,
    services: undefined,
    deadlineMs: undefined,
  } as const
  const doorkeeper = standIn(tool, {
    idempotent: repeatable,
    behaviour: {
      ...shared,
      plan: { kind: 'repeated', order: 'free', labels: 'name', closedBy: undefined, layer: false, parts: [], figures: () => ({}) },
      layer: undefined,
      output: undefined,
      parts: new Set(),
      run: (_input, whole) => answerAtDoor(given, whole),
    },
  })
  const plan: IdempotentPlan = {
    ...{ tool, doorkeeper, given, keepMs, leaseMs, store, memory: memoryIdempotency() },
    key: key as KeyFunction | undefined,
    isShared: share === 'everyone',
  }
  return standIn(tool, {
    idempotent: repeatable,
    behaviour: {
      ...shared,
      plan: {
        kind: 'idempotent',
        order: 'one',
        labels: 'name',
        closedBy: undefined,
        layer: true,
        parts: [{ label: LABEL, tool, takes: 'input' }],
        detail: `once per key, for ${durationText(keepMs)}`,
        figures: ([inner = {}]) => inner,
      },
      layer: 'idempotent',
      output,
      parts: new Set<unknown>([tool, doorkeeper]),
      run: (asked, whole) => runIdempotent(plan, asked, whole),
    },
  })
}

function longerThanNothing(duration: Duration, what: string): number {
  const ms = toMilliseconds(duration, what)
  if (ms === 0) throw new ConfigurationError('invalid_option', `${what} must be more than 0.`)
  return ms
}

function checkStore(store: unknown, name: string): void {
  const { claim, renew, settle } = (store ?? {}) as Partial<IdempotencyStore>
  if ([claim, renew, settle].every((each) => typeof each === 'function')) return
  throw new ConfigurationError(
    'invalid_option',
    `'store' of idempotent for '${name}' must be a store of keys, such as memoryIdempotency() gives, not ${quote(store)}.`,
  )
}
