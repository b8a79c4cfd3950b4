import { printable } from '../tool/printable.ts'
import type { SelectedTool } from './selection.ts'

/** Why a tool is found for a request, or why not. */
export interface ExplainedTool {
  readonly name: string
  /** Whether the request finds it. */
  readonly found: boolean
  /** Its rank among the tools that the caller may see, from 1; undefined if it is no candidate at all. */
  readonly rank: number | undefined
  readonly relevance: number
  readonly score: number
  /** In words: what speaks for it, and what against. */
  readonly reasons: readonly string[]
}

/** Explains by the ranks of all tools that the caller may see. */
export function explained(
  name: string,
  all: readonly SelectedTool[],
  { k, threshold, found }: { readonly k: number; readonly threshold: number; readonly found: boolean },
): ExplainedTool {
  const relevant = all.filter(({ relevance }) => relevance >= threshold)
  const own = all.find(({ tool }) => tool.name === name)
  if (own === undefined)
    return { name, found: false, rank: undefined, relevance: 0, score: 0, reasons: ['nothing in the request leads to it'] }
  const { relevance, score } = own
  const reasons = own.reasons.length === 0 ? ['shares no word with the request, and is not near in meaning'] : [...own.reasons]
  if (relevance < threshold) reasons.push(`its relevance ${relevance.toFixed(2)} is below ${threshold}: it does not fit`)
  const last = relevant[k - 1]
  if (!found && last !== undefined) reasons.push(`${k} ${k === 1 ? 'tool fits' : 'tools fit'} better; the last of them is ${before(last)}`)
  const [first] = all
  if (first !== undefined && first !== own) reasons.push(`the first is ${before(first)}`)
  return { name, found, rank: all.indexOf(own) + 1, relevance, score, reasons }
}

function before({ tool, score, reasons }: SelectedTool): string {
  const why = reasons.length === 0 ? '' : `: it ${reasons.join(', ')}`
  return printable(`'${tool.name}' (score ${score.toFixed(2)})${why}`)
}
