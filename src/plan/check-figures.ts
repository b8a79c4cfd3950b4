import { checkOptions } from '../tool/check-given.ts'
import { checkEstimates } from '../tool/metadata.ts'
import type { RecordedByTool, RecordedFigures } from './plan-figures.ts'

/** Figures may come from a file or a database: what no sum could be made of is a configuration error. */
export function checkFigures(figures: RecordedByTool): void {
  checkOptions(figures, "'figures' of explain")
  const entries: Iterable<[string, RecordedFigures]> = figures instanceof Map ? figures : Object.entries(figures)
  for (const [key, each] of entries) checkEstimates(each, `'${key}' in the figures of explain`)
}
