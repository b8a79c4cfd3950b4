import type { Call } from '../../tool/engine/call.ts'
import { diverged } from '../../tool/engine/decide.ts'
import { withIssue } from '../../tool/result/amendments.ts'
import { failure, type ReturnedFailure } from '../../tool/result/returned.ts'
import type { SettledResult } from '../../tool/result/settled.ts'
import { askClassifier } from './ask-classifier.ts'
import type { Classifier, RouteConfidence } from './classifier.ts'
import type { LabelledRoute } from './labelled-route.ts'
import type { Follow } from './make-branch.ts'
import { describeRanking } from './ranking.ts'

export interface Classified {
  readonly classifier: Classifier<unknown>
  readonly threshold: number
  readonly routes: ReadonlyMap<string, LabelledRoute>
  /** For doubt. */
  readonly rest: LabelledRoute | undefined
}

interface Running {
  readonly call: Call
  readonly follow: Follow
}

export async function runClassified(
  classified: Classified,
  value: unknown,
  { call, follow }: Running,
): Promise<SettledResult | ReturnedFailure> {
  const { threshold, routes, rest } = classified
  const { route: chosen, ranking } = await askClassifier(classified, value, call)
  if (chosen !== null) {
    const route = routes.get(chosen)
    if (route === undefined) throw diverged(call, `${call.path}/branch.route`, 'a choice between other routes', `the route '${chosen}'`)
    return follow(route)
  }
  const doubt = describeDoubt(ranking, threshold)
  if (rest !== undefined) return inDoubt(await follow(rest), `The route was not clear (${doubt}), so '${rest.tool.name}' answered.`)
  return failure(`It is not clear which route of '${call.tool}' to take: ${doubt}.`, { code: 'ambiguous', outcome: 'not_started' })
}

function describeDoubt(ranking: readonly RouteConfidence[], threshold: number): string {
  return ranking.length === 0 ? 'the classifier is sure of none' : `${describeRanking(ranking)}, and ${threshold} is needed`
}

/** The answer says that it comes from the route for doubt. */
function inDoubt(result: SettledResult, message: string): SettledResult {
  return result.ok ? withIssue(result, { severity: 'info', message }) : result
}
