import { quote } from '../../schema/quote.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { behaviourOf } from '../../tool/behaviour.ts'
import { checkChoice, checkOptions } from '../../tool/check-given.ts'
import { combinator } from '../../tool/combinator.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { checkName } from '../../tool/identity.ts'
import { TypedInput } from '../../tool/input/typed-input.ts'
import type { Metadata } from '../../tool/metadata.ts'
import { END_LABEL } from '../../tool/seam/group-end.ts'
import { shortName } from '../../tool/short-name.ts'
import { listOfInputs, listOfOutputs } from './list-contract.ts'
import type { MapEntry } from './map-entry.ts'
import { runMap } from './run-map.ts'

export interface MapOptions extends Metadata {
  /** `map_` and the tool's name by default. */
  readonly name?: string | undefined
  readonly description?: string | undefined
  /** How many items are worked on at the same time; 8 by default. */
  readonly concurrency?: number | undefined
  /** Longer lists are refused; 1,000 by default. */
  readonly maxItems?: number | undefined
  /** `fail`: the first failed item ends it and cancels the rest. `collect`: every item runs, and the list says what became of each. */
  readonly onFailure?: 'fail' | 'collect' | undefined
}

const DEFAULT_CONCURRENCY = 8
const DEFAULT_MAX_ITEMS = 1000

/**
 * A tool that takes a list and calls another for each item, several at a time. The results keep the order of the items.
 * @example
 * const greetAll = map(greet, { concurrency: 2 })
 * const result = await greetAll.call([{ name: 'Ada' }, { name: 'Grace' }])
 * console.log(result.text) // ["Hello, Ada!","Hello, Grace!"]
 */
export function map<I, O>(
  tool: AgentTool<I, O>,
  options: MapOptions & { readonly onFailure: 'collect' },
): AgentTool<readonly I[], MapEntry<O>[]>
export function map<I, O>(
  tool: AgentTool<I, O>,
  options?: MapOptions & { readonly onFailure?: 'fail' | undefined },
): AgentTool<readonly I[], O[]>
export function map(tool: AgentTool, options: MapOptions = {}): AgentTool<readonly never[], unknown> {
  behaviourOf(tool, 'The first argument of map')
  checkOptions(options, `The options of map for '${tool.name}'`)
  const { concurrency = DEFAULT_CONCURRENCY, maxItems = DEFAULT_MAX_ITEMS, onFailure = 'fail' } = options
  const { name = shortName(`map_${tool.name}`), description = `For each item of a list: ${tool.description}` } = options
  checkName(name)
  checkCount(concurrency, `The concurrency of '${name}'`)
  checkCount(maxItems, `maxItems of '${name}'`)
  checkChoice(onFailure, ['fail', 'collect'], `onFailure of '${name}'`)
  const collects = onFailure === 'collect'
  return combinator({
    ...options,
    name,
    description,
    plan: {
      kind: 'map',
      order: 'repeat',
      labels: 'index',
      closedBy: collects ? undefined : END_LABEL,
      layer: false,
      parts: [{ label: 'item', tool, takes: 'item' }],
      maxItems,
      ...(collects || maxItems === 1 ? {} : { repeats: true, cancels: concurrency > 1 }),
      detail: `${concurrency} at a time${collects ? ', collects failures' : ''}`,
      // How many items there will be nobody knows: the figures are those of one. Where failures are collected, none is the whole's.
      atLeast: true,
      figures: ([item = {}]) => (collects ? { ...item, reliability: 1 } : item),
    },
    input: new TypedInput(listOfInputs(tool)),
    forwardsInput: true,
    describesOutput: listOfOutputs(tool, collects),
    run: (input, whole) => runMap({ tool, concurrency, maxItems, collects }, input, whole),
  })
}

function checkCount(count: number, what: string): void {
  if (Number.isSafeInteger(count) && count >= 1) return
  throw new ConfigurationError('invalid_option', `${what} must be a whole number of at least 1, not ${quote(count)}.`)
}
