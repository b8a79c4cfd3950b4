import { identityOf } from '../tool/agent-tool.ts'
import type { Finding } from './finding.ts'
import { coreOf, partPath, type Place, type PlacedPart, type Survey } from './survey.ts'

/** A tool that calls a part more often at the same time than a layer around the part lets through: the others wait. */
export function checkLimits({ places }: Survey): readonly Finding[] {
  return places.flatMap((whole) =>
    callsAtOnce(whole).flatMap(({ part, calls }): Finding[] => {
      const limit = lowestLimit(part)
      if (limit >= calls) return []
      const path = partPath(whole, part.part)
      const message = `'${whole.path}' calls '${path}' ${calls} at a time, and a limit lets ${limit} through: the others wait within their deadline.`
      return [
        {
          severity: 'note',
          code: 'limited_concurrency',
          path,
          message,
          hint: `Lower the concurrency of '${whole.path}' to ${limit}, or raise the limit.`,
        },
      ]
    }),
  )
}

interface AtOnce {
  readonly part: PlacedPart
  readonly calls: number
}

/** How often each part is called at the same time: as often as the whole repeats it, or as there are parts with the same tool. */
function callsAtOnce({ plan, parts }: Place): readonly AtOnce[] {
  const { order, labels, layer, concurrency = parts.length } = plan
  if (layer) return []
  if (labels === 'index') return plan.concurrency === undefined ? [] : parts.map((part) => ({ part, calls: concurrency }))
  if (order !== 'together' && order !== 'race') return []
  const byTool = Map.groupBy(
    parts.filter(({ place }) => place !== undefined),
    ({ place }) => identityOf(coreOf(place as Place).tool),
  )
  return [...byTool.values()].map(([part, ...more]) => ({ part: part as PlacedPart, calls: Math.min(concurrency, 1 + more.length) }))
}

/** Of the layers around a part. */
function lowestLimit({ place }: PlacedPart): number {
  let lowest = Infinity
  for (let layer = place; layer?.plan.layer === true; layer = layer.parts[0]?.place)
    lowest = Math.min(lowest, layer.plan.concurrency ?? Infinity)
  return lowest
}
