import { quote } from '../../schema/quote.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { behaviourOf } from '../../tool/behaviour.ts'
import { checkChoice } from '../../tool/check-given.ts'
import { combinator } from '../../tool/combinator.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { checkName, shortName } from '../../tool/identity.ts'
import { TypedInput } from '../../tool/input/typed-input.ts'
import { type Metadata, METADATA_NAMES } from '../../tool/metadata.ts'
import type { ToolFailure, ToolResult } from '../../tool/result/result.ts'
import { failure, type ReturnedFailure, type ReturnedSuccess, success } from '../../tool/result/returned.ts'
import { END_LABEL } from '../../tool/seam/group-end.ts'
import type { EndRule, GroupResults } from '../../tool/seam/group-plan.ts'
import { group } from '../../tool/seam/group.ts'
import { diverged } from '../../tool/seam/recorded.ts'
import { knownPart } from '../../tool/seam/sequence.ts'
import { throwIfClosed, type Whole } from '../../tool/seam/whole.ts'
import { listOfInputs, listOfOutputs } from './list-contract.ts'
import { entryOf, type MapEntry } from './map-entry.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'

/** The options of `map`. */
export interface MapOptions<N extends string = string> extends Metadata {
  /** `map_` and the tool's name by default. */
  readonly name?: N | undefined
  readonly description?: string | undefined
  /** How many items are worked on at the same time; 8 by default. */
  readonly concurrency?: number | undefined
  /** Longer lists are refused; 1,000 by default. */
  readonly maxItems?: number | undefined
  /** `fail`: the first failed item ends it and cancels the rest. `collect`: every item runs, and the list has the result of each. */
  readonly onFailure?: 'fail' | 'collect' | undefined
}

const NAMES = optionNames<MapOptions>({
  ...METADATA_NAMES,
  name: true,
  description: true,
  concurrency: true,
  maxItems: true,
  onFailure: true,
})
const DEFAULT_CONCURRENCY = 8
const DEFAULT_MAX_ITEMS = 1000

/**
 * A tool that takes a list and calls another for each item, several at a time. The results keep the order of the items.
 * @example
 * const greetAll = map(greet, { concurrency: 2 })
 * const result = await greetAll.call([{ name: 'Ada' }, { name: 'Grace' }])
 * console.log(result.text) // ["Hello, Ada!","Hello, Grace!"]
 */
export function map<I, O, const N extends string = string>(
  tool: AgentTool<I, O>,
  options: MapOptions<N> & { readonly onFailure: 'collect' },
): AgentTool<readonly I[], MapEntry<O>[], N>
export function map<I, O, const N extends string = string>(
  tool: AgentTool<I, O>,
  options?: MapOptions<N> & { readonly onFailure?: 'fail' | undefined },
): AgentTool<readonly I[], O[], N>
export function map(tool: AgentTool, options: MapOptions = {}): AgentTool<readonly never[], unknown> {
  behaviourOf(tool, 'The first argument of map')
  checkOptionNames(options, NAMES, `The options of map for '${tool.name}'`)
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
      concurrency,
      ...(collects || maxItems === 1 ? {} : { repeats: true, cancels: concurrency > 1 }),
      detail: `${concurrency} at a time${collects ? ', collects failures' : ''}`,
      // The number of items is not known, so the figures are those of one item. With `collect`, a failed item does not fail the whole.
      atLeast: true,
      figures: ([item = {}]) => (collects ? { ...item, reliability: 1 } : item),
    },
    input: new TypedInput(listOfInputs(tool)),
    forwardsInput: true,
    keepsInput: true,
    describesOutput: listOfOutputs(tool, collects),
    run: (input, whole) => runMap({ tool, concurrency, maxItems, collects }, input, whole),
  })
}

function checkCount(count: number, what: string): void {
  if (Number.isSafeInteger(count) && count >= 1) return
  throw new ConfigurationError('invalid_option', `${what} must be a whole number of at least 1, not ${quote(count)}.`)
}

interface MapPlan {
  readonly tool: AgentTool
  readonly concurrency: number
  readonly maxItems: number
  readonly collects: boolean
}

type Mapped = ReturnedSuccess<unknown> | ReturnedFailure

/** The first failure ends the map. If the caller or the clock has ended it, every item ends by itself. */
const STOP_AT_FAILURE: EndRule = {
  isOrderFree: true,
  after: (latest, { isClosed: isOver }) => (latest.ok ? 'go on' : isOver ? 'begin no more' : 'end'),
}

async function runMap({ tool, concurrency, maxItems, collects }: MapPlan, given: unknown, whole: Whole): Promise<Mapped> {
  if (!Array.isArray(given)) return refused(`Invalid input for tool '${whole.tool}': expected a list.`)
  if (given.length > maxItems) {
    return refused(`Tool '${whole.tool}' takes at most ${maxItems} items, and the list has ${given.length}. Send it in parts.`)
  }
  const items: readonly unknown[] = given
  const ended = await group(
    whole,
    {
      // The label of an item is its index.
      parts: items.map((_, index) => knownPart(String(index), tool, index)),
      limit: concurrency,
      inputOf: (index) => items[index],
      isApart: Math.min(concurrency, items.length) > 1,
      leavesOutRefused: true,
      ...(collects ? {} : { rule: STOP_AT_FAILURE }),
    },
    items,
  )
  const failedAt = collects ? -1 : ended.results.findIndex((result) => result?.ok === false)
  if (failedAt >= 0) return failed(ended, failedAt, tool)
  const all = allOf(ended, items.length, whole)
  return collects ? collected(all) : success(all.map((result) => (result.ok ? result.value : undefined)))
}

function refused(message: string): ReturnedFailure {
  return failure(message, { code: 'invalid_input', outcome: 'not_started' })
}

/** The result of every item. If the caller or the clock ended the whole, failures of items are not reported as their own. */
function allOf({ results, isEarly }: GroupResults, count: number, whole: Whole): readonly ToolResult[] {
  const all = results.filter((result) => result !== undefined)
  if (all.length < count || all.some(wasCut)) throwIfClosed(whole)
  if (isEarly || all.length < count) throw diverged(whole, '', 'no item that fails', 'that an item failed')
  return all
}

function wasCut(result: ToolResult): boolean {
  return !result.ok && (result.error.class === 'cancelled' || result.error.class === 'deadline')
}

function collected(results: readonly ToolResult[]): Mapped {
  const entries = results.map(entryOf)
  const failures = entries.filter((entry) => !entry.ok).length
  if (failures === 0) return success(entries)
  return success(entries, { issues: [{ severity: 'warning', message: `${failures} of ${entries.length} items failed.` }] })
}

/** An item that was cancelled while it changed something may have changed it. */
function failed({ results, cancelled }: GroupResults, index: number, { effect }: AgentTool): Mapped {
  const { message, outcome, ...error } = (results[index] as ToolFailure).error
  const isUnknown = cancelled.length > 0 && effect !== 'read'
  return failure(`Item at index ${index} failed: ${message}`, { ...error, outcome: isUnknown ? 'unknown' : outcome })
}
