import { checkRecordable, type Whole } from '../../tool/seam/whole.ts'

/** Of the results of the steps those that can be recorded, so that what a saga says of itself can be. In a run without a record, all. */
export function keptResults(saga: Whole, results: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const kept = Object.fromEntries(Object.entries(results).filter(([, value]) => canKeep(saga, value)))
  return canKeep(saga, kept) ? kept : {}
}

function canKeep(saga: Whole, value: unknown): boolean {
  try {
    checkRecordable(saga, value)
    return true
  } catch {
    return false
  }
}
