import { quote } from '../../schema/quote.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { behaviourOf } from '../../tool/behaviour.ts'
import { checkChoice, checkFunction } from '../../tool/check-given.ts'
import type { ToolContext } from '../../tool/context.ts'
import { type Duration, toMilliseconds } from '../../tool/duration.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { Notes, standIn } from '../../tool/seam/stand-in.ts'
import { type CachePlan, type Hit, type KeyFunction, passDoor, runCached } from './run-cached.ts'
import { ResultStore } from './result-store.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'

/** The options of `cache`. */
export interface CacheOptions<I> {
  /** How long a result may be used, counted from the start of the call that gave it. */
  readonly ttl: Duration
  /** How many results are kept; 1,000 by default. The least recently used is removed first. */
  readonly maxEntries?: number | undefined
  /**
   * The key under which calls share a result, instead of the whole input: a pure, synchronous function. If the tool reads more of its
   * context than the principal, include that in the key.
   */
  readonly key?: ((input: I, context: ToolContext) => unknown) | undefined
  /**
   * Each principal has results of its own, and so have calls without a principal. `everyone`: all callers share the results. Permissions
   * and policy apply to each of them.
   */
  readonly share?: 'everyone' | undefined
  /** Allows a tool that is not `read`. While its result is cached, the tool does not run. */
  readonly anyEffect?: boolean | undefined
}

const NAMES = optionNames<CacheOptions<unknown>>({ ttl: true, maxEntries: true, key: true, share: true, anyEffect: true })
const DEFAULT_MAX_ENTRIES = 1000

/**
 * Caches the successful results of a tool. A cached result is given only for the same input and the same principal with the same
 * permissions, and only if the policy still allows the tool and each call inside it; otherwise the tool runs again. The result has the
 * provenance of the call that gave it.
 * @example
 * const cached = cache(orders, { ttl: '5m' })
 * await cached.call({ email: 'ada@example.com' })
 * const again = await cached.call({ email: 'ada@example.com' }) // does not ask the database again
 */
export function cache<I, O, N extends string>(tool: AgentTool<I, O, N>, options: CacheOptions<NoInfer<I>>): AgentTool<I, O, N> {
  const { approval, input, output, describesOutput } = behaviourOf(tool, 'The first argument of cache')
  checkOptionNames(options, NAMES, `The options of the cache of '${tool.name}'`)
  const { ttl, maxEntries = DEFAULT_MAX_ENTRIES, key, share, anyEffect = false } = options
  checkChoice(share, ['everyone'], `'share' of the cache of '${tool.name}'`)
  if (key !== undefined) checkFunction(key, `'key' of the cache of '${tool.name}'`)
  const ttlMs = toMilliseconds(ttl, `The ttl of the cache of '${tool.name}'`)
  check(tool, { ttlMs, maxEntries, anyEffect })
  const hits = new Notes<Hit>()
  const meaning = { order: 'one', labels: 'name', closedBy: undefined } as const
  const shared = {
    input,
    forwardsInput: true,
    keepsInput: true,
    passesOn: true,
    describesOutput,
    services: undefined,
    deadlineMs: undefined,
  } as const
  const doorkeeper = standIn(tool, {
    behaviour: {
      ...shared,
      plan: { kind: 'kept', ...meaning, layer: false, parts: [{ label: 'fresh', tool, takes: 'input' }], figures: () => tool.estimates },
      layer: undefined,
      output: undefined,
      approval,
      parts: new Set([tool]),
      run: (given, whole) => passDoor({ tool, hits }, given, whole),
    },
  })
  const store = new ResultStore({ ttlMs, maxEntries })
  const plan: CachePlan = { tool, doorkeeper, store, key: key as KeyFunction | undefined, isShared: share === 'everyone', hits }
  return standIn(tool, {
    behaviour: {
      ...shared,
      plan: {
        kind: 'cache',
        ...meaning,
        layer: true,
        parts: [{ label: 'fresh', tool, takes: 'input' }],
        detail: `for ${ttlMs} ms`,
        figures: ([inner = {}]) => inner,
      },
      layer: 'cache',
      output,
      approval: undefined,
      parts: new Set<unknown>([tool, doorkeeper]),
      run: (given, whole) => runCached(plan, given, whole),
    },
  })
}

interface Checked {
  readonly ttlMs: number
  readonly maxEntries: number
  readonly anyEffect: boolean
}

function check(tool: AgentTool, { ttlMs, maxEntries, anyEffect }: Checked): void {
  const { name, effect } = tool
  if (ttlMs === 0) throw new ConfigurationError('invalid_option', `The ttl of the cache of '${name}' must be more than 0.`)
  if (!Number.isSafeInteger(maxEntries) || maxEntries < 1) {
    throw new ConfigurationError(
      'invalid_option',
      `'maxEntries' of the cache of '${name}' must be a whole number of at least 1, not ${quote(maxEntries)}.`,
    )
  }
  if (effect !== 'read' && !anyEffect) {
    throw new ConfigurationError(
      'invalid_definition',
      `Tool '${name}' has the effect '${effect}', which a cached result would skip. Cache only tools that read, or set anyEffect: true.`,
    )
  }
  const gated = gatedBelow(tool)
  if (gated === undefined) return
  throw new ConfigurationError(
    'invalid_definition',
    `Tool '${gated.name}' inside '${name}' needs an approval, and a cached result would bypass the approval. Cache the tools behind the gate instead.`,
  )
}

/** A tool inside that needs approval. The approval of the tool itself is asked for cached results too. */
function gatedBelow(tool: AgentTool): AgentTool | undefined {
  for (const { tool: part } of tool.plan().parts) {
    const found = part.plan().gated === true ? part : gatedBelow(part)
    if (found !== undefined) return found
  }
  return undefined
}
