/**
 * What is known about a candidate, in a fixed order: what the tool says about itself in one number, words, meaning and clause; of its traces the
 * words, the covered share, the nearest, the middle, the votes and those against; how like it is to the tools that the traces speak for; and 1
 * for a tool with traces.
 */
export type Features = Float64Array

/** How many features there are. */
export const FEATURES = 12
/** The place of the last one. */
export const KNOWN = FEATURES - 1

/** One weight for each feature; tools without traces have their own, so that new ones stay in the race. */
export interface Weights {
  readonly known: readonly number[]
  readonly unknown: readonly number[]
}

/**
 * For a catalog with few traces, where a fit would fail: near to what fits give for three traces a tool. A tool with traces is a little near
 * to any request by some trace, which the last weight takes back: new tools stay in the race.
 */
export const FIXED: Weights = {
  known: [0.4, 0.3, 0, 0.3, 0.3, 0.5, 0.4, 0.9, 0.8, -1, 0.3, -0.35],
  unknown: [0.75, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.3, 0],
}

/** One request to learn from: its candidates, and which of them served it. */
export interface Lesson {
  readonly candidates: readonly Features[]
  readonly right: number
  /** How much it counts. */
  readonly weight: number
}

const ROUNDS = 120
const STEP = 0.5
/** The fixed weights count as much as so many lessons would: few lessons change little. */
const PULL = 4

export function scoreOf({ known, unknown }: Weights, features: Features): number {
  const weights = features[KNOWN] === 1 ? known : unknown
  let score = 0
  for (let index = 0; index < FEATURES; index++) score += (weights[index] as number) * (features[index] as number)
  return score
}

/**
 * Weights under which the right candidates come first as often as possible (a softmax over the candidates of each lesson, by gradient
 * descent from the fixed weights). Deterministic. `pause` is awaited between rounds, so that requests are answered meanwhile.
 */
export async function fitWeights(lessons: readonly Lesson[], pause: () => Promise<void>): Promise<Weights> {
  const known = [...FIXED.known]
  const unknown = [...FIXED.unknown]
  const squares = { known: new Float64Array(FEATURES).fill(1e-4), unknown: new Float64Array(FEATURES).fill(1e-4) }
  for (let round = 0; round < ROUNDS && lessons.length > 0; round++) {
    const slopes = { known: new Float64Array(FEATURES), unknown: new Float64Array(FEATURES) }
    for (const lesson of lessons) addSlopes(lesson, { known, unknown }, slopes)
    for (const kind of ['known', 'unknown'] as const) {
      const weights = kind === 'known' ? known : unknown
      for (let index = 0; index < FEATURES; index++) {
        const slope =
          ((slopes[kind][index] as number) + PULL * ((weights[index] as number) - (FIXED[kind][index] as number))) / lessons.length
        squares[kind][index] = (squares[kind][index] as number) + slope * slope
        weights[index] = (weights[index] as number) - (STEP * slope) / Math.sqrt(squares[kind][index] as number)
      }
    }
    await pause()
  }
  return { known, unknown }
}

function addSlopes({ candidates, right, weight }: Lesson, weights: Weights, slopes: Record<keyof Weights, Float64Array>): void {
  const scores = candidates.map((features) => 3 * scoreOf(weights, features))
  const most = Math.max(...scores)
  const shares = scores.map((score) => Math.exp(score - most))
  const total = shares.reduce((sum, share) => sum + share, 0)
  for (const [at, features] of candidates.entries()) {
    const steep = 3 * weight * ((shares[at] as number) / total - (at === right ? 1 : 0))
    const slope = features[KNOWN] === 1 ? slopes.known : slopes.unknown
    for (let index = 0; index < FEATURES; index++) slope[index] = (slope[index] as number) + steep * (features[index] as number)
  }
}
