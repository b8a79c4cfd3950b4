import { encode } from '../../tool/journal/codec.ts'
import type { Journal } from '../../tool/journal/journal.ts'

/** Throws a ToolError where the journal could not keep such a value. */
export function checkKept(journal: Journal, value: unknown): void {
  const data = encode(value)
  journal.accept?.(data)
}

/** Of the results of the steps those that can be kept, so that what a saga says of itself can be. In a run without a record, all. */
export function keptResults(journal: Journal | undefined, results: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (journal === undefined) return { ...results }
  const kept = Object.fromEntries(Object.entries(results).filter(([, value]) => canKeep(journal, value)))
  return canKeep(journal, kept) ? kept : {}
}

function canKeep(journal: Journal, value: unknown): boolean {
  try {
    checkKept(journal, value)
    return true
  } catch {
    return false
  }
}
