import { isRecord } from '../../schema/json-schema.ts'
import type { RouteConfidence } from './classifier.ts'

/**
 * What a classifier said, reduced to what can be believed: known routes, the surest first. Whatever is no number from 0 to 1 counts as
 * nothing; of several words about one route the surest counts.
 */
export function ranked(said: unknown, known: { readonly has: (route: string) => boolean }): readonly RouteConfidence[] {
  const surest = new Map<string, number>()
  for (const each of Array.isArray(said) ? said : []) {
    if (!isRecord(each)) continue
    const { route, confidence } = each
    if (typeof route !== 'string' || !known.has(route) || !isConfidence(confidence)) continue
    surest.set(route, Math.max(confidence, surest.get(route) ?? 0))
  }
  return Array.from(surest, ([route, confidence]) => ({ route, confidence })).toSorted((a, b) => b.confidence - a.confidence)
}

/** The best of a ranking if it is sure enough; two that are equally sure leave it open. */
export function surestOf(ranking: readonly RouteConfidence[], threshold: number): string | undefined {
  const [best, second] = ranking
  if (best === undefined || best.confidence < threshold || best.confidence === second?.confidence) return undefined
  return best.route
}

/** `refund 0.55, exchange 0.45`, for messages. */
export function describeRanking(ranking: readonly RouteConfidence[]): string {
  return ranking.map(({ route, confidence }) => `${route} ${Math.round(confidence * 1000) / 1000}`).join(', ')
}

function isConfidence(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value <= 1
}
