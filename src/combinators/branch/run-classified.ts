import { isRecord } from '../../schema/json-schema.ts'
import { classifyError } from '../../tool/errors/classify-error.ts'
import { ToolError, type ToolErrorOptions } from '../../tool/errors/tool-error.ts'
import { withIssue } from '../../tool/result/amendments.ts'
import type { Usage } from '../../tool/result/result.ts'
import { failure, type ReturnedFailure } from '../../tool/result/returned.ts'
import type { SettledResult } from '../../tool/result/settled.ts'
import { fatalIn } from '../../tool/seam/parts.ts'
import { diverged } from '../../tool/seam/recorded.ts'
import type { Whole } from '../../tool/seam/whole.ts'
import type { Classifier, ClassifierContext, RouteConfidence, RouteDescription } from './classifier.ts'
import { type LabelledRoute, ROUTE_LABEL } from './labelled-route.ts'
import type { Follow } from './make-branch.ts'

export interface Classified {
  readonly classifier: Classifier<unknown>
  readonly threshold: number
  readonly routes: ReadonlyMap<string, LabelledRoute>
  /** For doubt. */
  readonly rest: LabelledRoute | undefined
}

interface Running {
  readonly branch: Whole
  readonly follow: Follow
}

export async function runClassified(
  classified: Classified,
  value: unknown,
  { branch, follow }: Running,
): Promise<SettledResult | ReturnedFailure> {
  const { threshold, routes, rest } = classified
  const { route: chosen, ranking } = await askClassifier(classified, value, branch)
  if (chosen !== null) {
    const route = routes.get(chosen)
    if (route === undefined) throw diverged(branch, ROUTE_LABEL, 'a choice between other routes', `the route '${chosen}'`)
    return follow(route)
  }
  const doubt = describeDoubt(ranking, threshold)
  if (rest !== undefined) return inDoubt(await follow(rest), `The route was not clear (${doubt}), so '${rest.tool.name}' answered.`)
  return failure(`It is not clear which route of '${branch.tool}' to take: ${doubt}.`, { code: 'ambiguous', outcome: 'not_started' })
}

function describeDoubt(ranking: readonly RouteConfidence[], threshold: number): string {
  return ranking.length === 0 ? 'the classifier is sure of none' : `${describeRanking(ranking)}, and ${threshold} is needed`
}

/** The answer says that it comes from the route for doubt. */
function inDoubt(result: SettledResult, message: string): SettledResult {
  return result.ok ? withIssue(result, { severity: 'info', message }) : result
}

/**
 * The valid part of a classifier's answer: known routes, the highest confidence first. An entry that is not a number from 0 to 1 is
 * ignored; of several entries for one route the highest counts.
 */
function ranked(said: unknown, known: { readonly has: (route: string) => boolean }): readonly RouteConfidence[] {
  const surest = new Map<string, number>()
  for (const each of Array.isArray(said) ? said : []) {
    if (!isRecord(each)) continue
    const { route, confidence } = each
    if (typeof route !== 'string' || !known.has(route) || !isConfidence(confidence)) continue
    surest.set(route, Math.max(confidence, surest.get(route) ?? 0))
  }
  return Array.from(surest, ([route, confidence]) => ({ route, confidence })).toSorted((a, b) => b.confidence - a.confidence)
}

/** The best of a ranking if it reaches the threshold. Two that are equally sure are no choice. */
function surestOf(ranking: readonly RouteConfidence[], threshold: number): string | undefined {
  const [best, second] = ranking
  if (best === undefined || best.confidence < threshold || best.confidence === second?.confidence) return undefined
  return best.route
}

/** `refund 0.55, exchange 0.45`, for messages. */
function describeRanking(ranking: readonly RouteConfidence[]): string {
  return ranking.map(({ route, confidence }) => `${route} ${Math.round(confidence * 1000) / 1000}`).join(', ')
}

function isConfidence(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value <= 1
}

interface Asked {
  readonly classifier: Classifier<unknown>
  readonly routes: ReadonlyMap<string, { readonly condition: string }>
  readonly threshold: number
}

/** The recorded decision of a classifier. A failure is recorded too, so that a replay fails in the same way. */
interface Verdict {
  readonly route: string | null
  readonly ranking: readonly RouteConfidence[]
  readonly used: Usage | null
  readonly failed: (ToolErrorOptions & { readonly message: string }) | null
}

/** Asks once. The recorded usage counts again in a replay. */
async function askClassifier(asked: Asked, value: unknown, branch: Whole): Promise<Verdict> {
  const verdict = await branch.decide(ROUTE_LABEL, () => ask(asked, value, branch))
  const { used, failed } = verdict
  if (used !== null) branch.usage(used)
  if (failed === null) return verdict
  const { message, ...options } = failed
  throw new ToolError(message, options)
}

async function ask({ classifier, routes, threshold }: Asked, value: unknown, branch: Whole): Promise<Verdict> {
  const described = Array.from(routes, ([route, { condition: description }]): RouteDescription => ({ route, description }))
  let used: { tokens: number; costUsd: number } | null = null
  const context = contextOf(branch, ({ tokens = 0, costUsd = 0 }) => {
    used = { tokens: (used?.tokens ?? 0) + tokens, costUsd: (used?.costUsd ?? 0) + costUsd }
  })
  try {
    const ranking = ranked(await classifier(value, described, context), routes)
    return { route: surestOf(ranking, threshold) ?? null, ranking, used, failed: null }
  } catch (thrown) {
    if (fatalIn(thrown) !== undefined) throw thrown
    const { message, code, class: errorClass, retryable, hint, retryAfterMs } = classifyError(thrown)
    const failed = { message: `The classifier failed: ${message}`, code, class: errorClass, retryable, hint, retryAfterMs }
    return { route: null, ranking: [], used, failed: { ...failed, outcome: 'not_started' } }
  }
}

function contextOf(branch: Whole, usage: ClassifierContext['usage']): ClassifierContext {
  const { model, signal, principal, services, log } = branch
  return { model, signal, principal, services, log, usage }
}
