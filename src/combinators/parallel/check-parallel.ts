import { isRecord } from '../../schema/json-schema.ts'
import { quote } from '../../schema/quote.ts'
import type { AgentTool } from '../../tool/agent-tool.ts'
import { behaviourOf } from '../../tool/behaviour.ts'
import { checkStepLabel, LabelCounts } from '../../tool/path.ts'
import { checkOptions } from '../../tool/check-given.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import type { Join, JoinKind } from './join.ts'

/** Checks rules that types cannot express, and mistakes of untyped programs. */
export function checkBranches(tools: Readonly<Record<string, AgentTool>>, inputs: Readonly<Record<string, unknown>>): void {
  checkOptions(tools, 'The first argument of parallel')
  checkOptions(inputs, "'inputs' of a parallel tool")
  const known = Object.keys(tools)
  if (known.length === 0) throw new ConfigurationError('invalid_definition', 'A parallel tool needs at least one branch.')
  const labels = new LabelCounts()
  for (const [label, tool] of Object.entries(tools)) {
    labels.next(label)
    behaviourOf(tool, `Branch '${label}'`)
    if (label === '__proto__') {
      throw new ConfigurationError('invalid_label', `A branch cannot be called '__proto__': an object cannot hold a field of that name.`)
    }
    checkStepLabel(label)
  }
  for (const [label, transform] of Object.entries(inputs)) {
    if (!known.includes(label)) {
      throw new ConfigurationError(
        'invalid_definition',
        `There is an input for '${label}', but no such branch. There are: ${known.join(', ')}.`,
      )
    }
    if (typeof transform !== 'function') {
      throw new ConfigurationError('invalid_definition', `The input of branch '${label}' must be a function, not ${quote(transform)}.`)
    }
  }
}

const KINDS: ReadonlySet<unknown> = new Set<JoinKind>(['all', 'quorum', 'first', 'best', 'partial'])

/** Returns the number of branches that must succeed. */
export function checkJoin(join: Join, branches: number): number {
  if (!isRecord(join) || !KINDS.has(join['kind']) || typeof join['needed'] !== 'function') {
    throw new ConfigurationError(
      'invalid_option',
      `A join is made by all(), quorum(q), first(), best(score) or partial({ after }), not ${quote(join)}.`,
    )
  }
  const needed = join.needed(branches)
  if (needed > branches) {
    throw new ConfigurationError(
      'invalid_option',
      `${needed} branches must succeed, but there ${branches === 1 ? 'is only one' : `are only ${branches}`}.`,
    )
  }
  return needed
}

export function checkMerge(merge: unknown): void {
  if (merge !== undefined && typeof merge !== 'function') {
    throw new ConfigurationError('invalid_option', `The merge must be a function of the results, not ${quote(merge)}.`)
  }
}

/** Returns how many branches run at the same time. */
export function checkConcurrency(concurrency: number | undefined, branches: number): number {
  if (concurrency === undefined || concurrency === Infinity) return branches
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    throw new ConfigurationError('invalid_option', `The concurrency must be a whole number of at least 1, not ${quote(concurrency)}.`)
  }
  return Math.min(concurrency, branches)
}
