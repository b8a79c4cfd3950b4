import { checkRecordable, type Whole } from '../../tool/seam/whole.ts'

/** The results of the steps that can be recorded, so that the report can be recorded; all of them in a run without a journal. */
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
