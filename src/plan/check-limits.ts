import type { Finding } from './finding.ts'
import { partPath, type PlacedPart, type Survey } from './survey.ts'

/** A tool that calls more parts at the same time than a layer around the part lets through: the others wait. */
export function checkLimits({ places }: Survey): readonly Finding[] {
  return places.flatMap((whole) => {
    const { concurrency } = whole.plan
    if (whole.plan.layer || concurrency === undefined) return []
    return whole.parts.flatMap((each): Finding[] => {
      const limit = lowestLimit(each)
      if (limit >= concurrency) return []
      const path = partPath(whole, each.part)
      const message = `'${whole.path}' calls '${path}' ${concurrency} at a time, and a limit lets ${limit} through: the others wait within their deadline.`
      return [
        {
          severity: 'note',
          code: 'limited_concurrency',
          path,
          message,
          hint: `Lower the concurrency of '${whole.path}' to ${limit}, or raise the limit.`,
        },
      ]
    })
  })
}

/** Of the layers around a part. */
function lowestLimit({ place }: PlacedPart): number {
  let lowest = Infinity
  for (let layer = place; layer?.plan.layer === true; layer = layer.parts[0]?.place)
    lowest = Math.min(lowest, layer.plan.concurrency ?? Infinity)
  return lowest
}
